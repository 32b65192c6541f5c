#pragma once
// Makes the planned variants, shares those that mean the same, runs each distinct one once, and confirms what failed.
// All of it in whatever order outcomes arrive, and with the same result.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "executor/dispatcher.h"
#include "trial/judged_variant.h"
#include "trial/judging.h"
#include "trial/plan.h"
#include "trial/reference.h"

namespace culprit {

/// One planned variant and what became of it.
struct Variant {
  PlannedVariant plan;
  bool is_made = false;  ///< `outcome` has come
  VariantOutcome outcome;
  SameAs same_as = SameAs::none;  ///< the original or the round trip: then nothing was run, and `result` is null
  std::shared_ptr<VariantResult> result;
};

/// A distinct variant that was run, and how: to run it once more in another way.
struct DistinctRun {
  RunJob job;  ///< without a folder for outputs
  std::shared_ptr<VariantResult> result;
};

using OnPlaces = std::function<void(const std::vector<Place>&)>;

class Variants {
 public:
  /// Variants lie in `folder`/variants.
  Variants(Dispatcher& dispatcher, const Model& model, const CheckOptions& options, const OptimizerTraits& optimizer,
           std::filesystem::path folder, Progress progress);
  ~Variants();
  Variants(const Variants&) = delete;
  Variants& operator=(const Variants&) = delete;

  /// First phase: makes the round trip and then these, and calls `made` when that is done and the import went well.
  /// `scanned`, if any, is called once with the places where passes would fire, before `made`; with none where the
  /// import failed. Nothing is run yet.
  void make(std::vector<PlannedVariant> plan, std::function<void()> made = {}, OnPlaces scanned = {});
  /// Second phase: runs and judges what was made, and what is still to come. `by` outlives this.
  void judge(Judging& by);
  /// A look at a data set found what speaks against this variant: it and the round trip are run and judged whatever the
  /// time. To be called before `judge`.
  void must_judge(std::size_t variant) { needed_ = variant; }
  /// More variants, after what `make` asked for has been answered, in a job of their own. Returns the number of the
  /// first. What a session of the runtime makes is not saved for a search: only run.
  std::size_t add(std::vector<PlannedVariant> plan);
  /// Asks for the confirmation of every failure that has none yet, but for those that a search made. To be called when
  /// all is answered.
  void confirm();
  /// The same for one, whoever made it.
  void confirm(std::size_t variant);
  /// What was right on a few samples at the deploy level runs there on all: this one, or the round trip where that
  /// is the same. To be called when all is answered.
  void deploy_on_all(const Variant& variant);
  /// What a search made becomes one of the plan, made for this reason; others stay as they are. What was only run is
  /// made now: to be waited for.
  void keep(std::size_t variant, const std::string& reason, const std::string& made_as = "");

  /// Runs this file in a fresh process on all samples, as that variant would be, and judges it. To be called
  /// when all is answered.
  void verify(std::size_t variant, const std::filesystem::path& file, const OnVerified& then);

  /// The same at one level of the runtime, held against what the model gives at the reference's.
  void verify_at(Level level, std::size_t variant, const std::filesystem::path& file,
                 const std::function<void(const Judgement&)>& then);

  [[nodiscard]] const ImportOutcome& import() const { return import_; }
  [[nodiscard]] const VariantResult& import_result() const { return import_result_; }
  [[nodiscard]] const Variant& round_trip() const { return *round_trip_; }
  /// The planned ones in the order of the plan, without the round trip. References stay valid.
  [[nodiscard]] const std::deque<Variant>& all() const { return all_; }
  /// What was run and judged by its values, the round trip first, then in the order of the plan.
  [[nodiscard]] std::vector<DistinctRun> distinct_runs() const;
  /// `unchanged`, its judgement's, or `inconclusive` where a failure was asked for again and did not come.
  [[nodiscard]] Verdict verdict_on(const Variant& variant) const;
  /// What is faulty about it: at the reference's level, or else at the deploy level; null where nothing is.
  [[nodiscard]] const VariantResult* failing(const Variant& variant) const;
  [[nodiscard]] bool is_faulty(const Variant& variant) const { return failing(variant) != nullptr; }
  /// Right at the reference's level, faulty at the deploy level?
  [[nodiscard]] bool fails_deployed(const Variant& variant) const;
  /// The round trip as the optimizer exports it, where that leaves types out and they were put back in every variant:
  /// what the runtime makes of it. Null where none was left out.
  [[nodiscard]] const VariantResult* as_exported() const;
  /// The file that shows what is faulty about a variant, at `failing`.
  [[nodiscard]] const std::filesystem::path& shown_by(const Variant& variant) const;
  /// Is the failure the round trip's own? Never true of the round trip itself.
  [[nodiscard]] bool follows_round_trip(const Variant& variant) const;
  [[nodiscard]] const DeployLevel& deploy_level() const { return by_->deploy_level; }

 private:
  struct DistinctVariant;
  using Key = std::pair<Hash128, Contract>;

  void ask_for(std::size_t first, bool with_round_trip);
  void begin_in_session(const std::vector<std::size_t>& numbers);
  void make_late(Variant& variant);
  [[nodiscard]] Key key_of(const Variant& variant) const;
  [[nodiscard]] RunnablePtr runnable_of(const Variant& variant) const;
  [[nodiscard]] RunnablePtr runnable_as(const Variant& like, const std::filesystem::path& file) const;
  [[nodiscard]] std::optional<Judgement> refusal_of(const Variant& variant) const;
  void imported(const ImportOutcome& outcome, std::size_t first, bool with_round_trip);
  void arrived(Variant& variant, const VariantOutcome& outcome);
  void settle_arrived();
  void settle(Variant& variant);
  void run(const Variant& variant, DistinctVariant& distinct);
  void judged(DistinctVariant& distinct);
  void deploy(const DistinctVariant& distinct);
  void run_saved(const DistinctVariant& distinct);
  void compare_with_round_trip(DistinctVariant& distinct);
  void decided(const Variant& variant);
  void confirm(const Variant& variant);
  void confirm_import();
  void confirm_making(const Variant& variant);
  void confirm_run(const Variant& variant, DistinctVariant& distinct);
  void remake(const PlannedVariant& plan, bool alone, const OnVariant& then);
  void remake_and_compare(const Variant& variant, std::shared_ptr<VariantResult> result);
  void restate_refusals();
  void run_as_exported();
  void say_as_exported();
  [[nodiscard]] std::vector<std::size_t> order_from(std::size_t first) const;
  [[nodiscard]] Priority priority_of(const Variant& variant) const;
  [[nodiscard]] std::filesystem::path new_folder();
  [[nodiscard]] bool faulty(const VariantResult& result) const;

  Dispatcher& dispatcher_;
  const Model& model_;
  const CheckOptions& options_;
  const OptimizerTraits& optimizer_;
  std::filesystem::path folder_;
  Judging* by_ = nullptr;  // null in the first phase
  Progress progress_;
  std::function<void()> made_;
  OnPlaces scanned_;
  std::size_t to_be_made_ = 0;  // of what `make` asked for
  ImportOutcome import_;
  VariantResult import_result_;
  std::unique_ptr<Variant> round_trip_;
  std::deque<Variant> all_;
  std::optional<std::size_t> needed_;  // of these, the one that must be judged
  std::map<Key, std::unique_ptr<DistinctVariant>> distinct_;
  std::unique_ptr<DistinctVariant> exported_;              // the round trip without the types that were put back
  std::map<Key, std::shared_ptr<VariantResult>> refused_;  // made, but not fit to run
  std::vector<Variant*> waiting_;
  std::size_t decided_ = 0;
  std::size_t folders_ = 0;
};

}  // namespace culprit
