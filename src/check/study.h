#pragma once
// Makes the planned variants, shares those that mean the same, runs each distinct one once, and confirms what failed.
// All of it in whatever order outcomes arrive, and with the same result.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check/basis.h"
#include "check/deployment.h"
#include "check/desk.h"
#include "check/finding.h"
#include "check/plan.h"

namespace culprit {

/// One planned variant and what became of it.
struct Attempt {
  PlannedVariant plan;
  bool is_made = false;  ///< `outcome` has come
  VariantOutcome outcome;
  std::string same_as;  ///< "original", "round_trip" or ""; then nothing was run and `finding` stays empty
  std::shared_ptr<Finding> finding;
};

/// A distinct variant that was run, and how: to run it once more in another way.
struct DistinctRun {
  RunJob job;  ///< without a folder for outputs
  std::shared_ptr<Finding> finding;
};

using OnPlaces = std::function<void(const std::vector<Place>&)>;

class Study {
 public:
  Study(Desk& desk, Basis& basis, DrawnJudge& judge, Deployment& deployment, Progress progress);
  ~Study();
  Study(const Study&) = delete;
  Study& operator=(const Study&) = delete;

  /// Makes the round trip and then these, and calls `made` when that is done and the import went well. Runs nothing
  /// until `open`. `scanned`, if any, is called once with the places where passes would fire, before `made`; with none
  /// where the import failed.
  void start(std::vector<PlannedVariant> plan, std::function<void()> made = {}, OnPlaces scanned = {});
  /// All that variants are judged by is there: they may be run.
  void open();
  /// More variants, after what `start` asked for has been answered, in a job of their own. Returns the number of the
  /// first.
  std::size_t add(std::vector<PlannedVariant> plan);
  /// Asks for the confirmation of every failure that has none yet, but for those of trials. To be called when all is
  /// answered.
  void confirm();
  /// The same for one attempt, a trial or not.
  void confirm(std::size_t attempt);
  /// What was right on a few samples at the deploy level runs there on all: this attempt, or the round trip where that
  /// is the same. To be called when all is answered.
  void deploy_on_all(const Attempt& attempt);
  /// A trial becomes one of the plan, made for this reason; others stay as they are.
  void keep(std::size_t attempt, const std::string& reason);

  /// Runs this file in a fresh process on all samples, as that attempt's variant would be, and judges it. To be called
  /// when all is answered.
  void verify(std::size_t attempt, const std::filesystem::path& file, const OnVerified& then);

  [[nodiscard]] const ImportOutcome& import() const { return import_; }
  [[nodiscard]] const Finding& import_finding() const { return import_finding_; }
  [[nodiscard]] const Attempt& round_trip() const { return *round_trip_; }
  /// The planned ones in the order of the plan, without the round trip. References stay valid.
  [[nodiscard]] const std::deque<Attempt>& attempts() const { return attempts_; }
  /// What was run and judged by its values, the round trip first, then in the order of the plan.
  [[nodiscard]] std::vector<DistinctRun> distinct_runs() const;
  /// `unchanged`, the finding's, or `inconclusive` where a failure was asked for again and did not come.
  [[nodiscard]] Verdict verdict_on(const Attempt& attempt) const;
  /// What is faulty about it: at the reference's level, or else at the deploy level; null where nothing is.
  [[nodiscard]] const Finding* failing(const Attempt& attempt) const;
  [[nodiscard]] bool is_faulty(const Attempt& attempt) const { return failing(attempt) != nullptr; }
  /// Right at the reference's level, faulty at the deploy level?
  [[nodiscard]] bool fails_deployed(const Attempt& attempt) const;
  /// The round trip as the optimizer exports it, where that leaves types out and they were put back in every variant:
  /// what the runtime makes of it. Null where none was left out.
  [[nodiscard]] const Finding* as_exported() const;
  /// The file that shows what is faulty about an attempt, at `failing`.
  [[nodiscard]] const std::filesystem::path& shown_by(const Attempt& attempt) const;
  /// Is the failure the round trip's own? Never true of the round trip itself.
  [[nodiscard]] bool follows_round_trip(const Attempt& attempt) const;
  [[nodiscard]] const Deployment& deployment() const { return deployment_; }

 private:
  struct Content;
  using Key = std::pair<Hash128, Contract>;

  void ask_for(std::size_t first, bool with_round_trip);
  void imported(const ImportOutcome& outcome, std::size_t first, bool with_round_trip);
  void arrived(Attempt& attempt, const VariantOutcome& outcome);
  void settle_arrived();
  void settle(Attempt& attempt);
  void describe(Content& content, const Interface& interface, Contract contract) const;
  void run(const Attempt& attempt, Content& content);
  void judged(Content& content);
  void deploy(const Content& content);
  void compare_with_round_trip(Content& content);
  void decided(const Attempt& attempt);
  void confirm(const Attempt& attempt);
  void confirm_import();
  void confirm_making(const Attempt& attempt);
  void confirm_run(const Attempt& attempt, Content& content);
  void remake(const PlannedVariant& plan, bool alone, const OnVariant& then);
  void remake_and_compare(const Attempt& attempt, std::shared_ptr<Finding> finding);
  void restate_refusals();
  void run_as_exported();
  void say_as_exported();
  [[nodiscard]] std::vector<std::size_t> order_from(std::size_t first) const;
  [[nodiscard]] Rank rank_of(const Attempt& attempt) const;
  [[nodiscard]] RunJob run_job(const Content& content, const std::filesystem::path& folder) const;
  [[nodiscard]] std::filesystem::path new_folder();
  [[nodiscard]] bool faulty(const Finding& finding) const;

  Desk& desk_;
  Basis& basis_;
  Deployment& deployment_;
  DrawnJudge& judge_;
  Progress progress_;
  std::function<void()> made_;
  OnPlaces scanned_;
  std::size_t to_be_made_ = 0;  // of what `start` asked for
  ImportOutcome import_;
  Finding import_finding_;
  std::unique_ptr<Attempt> round_trip_;
  std::deque<Attempt> attempts_;
  std::map<Key, std::unique_ptr<Content>> contents_;
  std::unique_ptr<Content> exported_;                // the round trip without the types that were put back
  std::map<Key, std::shared_ptr<Finding>> refused_;  // made, but not fit to run
  std::vector<Attempt*> waiting_;
  bool open_ = false;
  std::size_t decided_ = 0;
  std::size_t folders_ = 0;
};

}  // namespace culprit
