#pragma once
// The deploy level: the original once more on all samples, and every distinct variant on a few, with the runtime's own
// optimizations, as users run them (docs/judging.md). What users run, and what is called safe, is run on all there. A
// rewrite can be right with these off, and rejected or wrong where they are on. A variant is compared with the original
// at the same level: what the runtime does to both is no pass's doing.
//
// By the 2x2 of original and variant, level off and deploy level: only a variant that is right at the reference's level
// is run here. So if it fails here where the original does not, the graphs were seen to mean the same, and the runtime
// mishandles what the pass left.

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executor/dispatcher.h"
#include "record/variant_record.h"
#include "trial/drawn_judge.h"
#include "trial/judged_variant.h"
#include "trial/reference.h"
#include "trial/variant_run.h"

namespace culprit {

/// A variant that is right at the reference's level.
struct DeployedVariant {
  RunnablePtr made;                       ///< of the contract `partition` it is enough that it loads
  RunJob job;                             ///< as it ran at the reference's level
  std::shared_ptr<VariantResult> result;  ///< whose `deployed` is filled
  bool is_round_trip = false;
  std::string name = {};  ///< of the recipe
  bool on_all = false;    ///< samples; else on a few
};

/// A verdict, and the level it was earned at.
using OnVerified = std::function<void(const Judgement&, const std::string& level)>;

class DeployLevel {
 public:
  DeployLevel(Dispatcher& dispatcher, const Reference& reference, DrawnJudge& judge)
      : dispatcher_(dispatcher), reference_(reference), judge_(judge) {}
  DeployLevel(const DeployLevel&) = delete;
  DeployLevel& operator=(const DeployLevel&) = delete;

  /// Runs the original at the deploy level. `then` is called when it has run; at once where there is no such level, or
  /// it is the reference's.
  void run_original(std::function<void()> then);
  /// Judges what `run_original` ran: the control `runtime_optimized`, and what variants are compared with. To be called
  /// before any variant is run. Draws are asked for only where the control would be a fault without: within the
  /// tolerance it `deviates`. Variants are judged when it is.
  void judge_original();
  /// Runs a variant there. Does nothing where the original cannot be run there.
  void run(DeployedVariant variant);
  /// What was right there on a few samples runs again on all, if there are more, and that counts; where time is short
  /// it stays at the few. To be called when all is answered.
  void run_on_all(const std::shared_ptr<VariantResult>& result);
  /// Judges a file as it lies on the disk, on all samples, in a fresh process. Nothing is told where nothing can be run
  /// there.
  void verify(DeployedVariant variant, const OnVerified& then);
  /// Tells which failures are the round trip's, and asks for the confirmation of every failure that has none yet. To be
  /// called when all is answered.
  void confirm();

  /// The level's name: "all".
  [[nodiscard]] std::string level() const;
  /// Was this run there on all samples, and found neither wrong nor inconclusive?
  [[nodiscard]] bool is_right_on_all(const VariantResult& result) const;
  /// Can variants be judged there?
  [[nodiscard]] bool judges() const { return there_ != nullptr; }
  /// The control `runtime_optimized`. Absent where nothing was run.
  [[nodiscard]] const std::optional<ControlRecord>& control() const { return control_; }
  /// `deploy_level_fails` or `runtime_changes_values`, of the model.
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }
  /// A failure there, with the whole 2x2 in one sentence.
  [[nodiscard]] std::string told(const Judgement& judgement, Contract contract) const;

 private:
  struct Entry {
    DeployedVariant variant;
    std::unique_ptr<DeployedVariant> whole = {};  // the same on all samples, where it runs on these as well
    std::vector<std::filesystem::path> outputs;   // kept of what failed
    bool is_compared = false;                     // with the round trip
  };

  [[nodiscard]] bool is_off() const;
  void take_control(const Judgement& judgement);
  void measure_on_few(const std::vector<int>& draws);
  void tell_of_values();
  [[nodiscard]] bool faulty(Verdict verdict) const { return is_fault(verdict, reference_.options.strict); }
  [[nodiscard]] std::size_t samples_of(const DeployedVariant& variant) const;
  [[nodiscard]] RunJob job_there(const DeployedVariant& variant) const;
  void run(Entry& entry, const DeployedVariant& variant, const std::string& on);
  [[nodiscard]] std::filesystem::path new_folder();
  void original_fails(const Judgement& judgement);
  void judge(const RunOutcome& outcome, const DeployedVariant& variant, const DrawnJudge::Then& then);
  void judge_there(const RunOutcome& outcome, const DeployedVariant& variant, const DrawnJudge::Then& then);
  [[nodiscard]] bool moves_the_original() const;
  [[nodiscard]] bool is_nearly_the_reference(const RunOutcome& outcome, const DeployedVariant& variant) const;
  void judge_at_reference(const RunOutcome& outcome, const DeployedVariant& variant, Judgement there,
                          const DrawnJudge::Then& then);
  [[nodiscard]] bool as_far_as_the_original(const Measurements& measurements, std::size_t samples) const;
  void compare_with_round_trip(Entry& entry);
  void confirm(const Entry& entry);

  Dispatcher& dispatcher_;
  const Reference& reference_;
  DrawnJudge& judge_;  // at the reference's level
  RunOutcome original_;
  std::unique_ptr<Reference> there_;         // of judgements at that level; null: variants are not run
  std::unique_ptr<DrawnJudge> judge_there_;  // what flips there is not what flips at the reference's level
  std::optional<ControlRecord> control_;
  Measurements moved_on_few_;  // what the control measured on the first samples, where variants run on these alone
  bool is_judged_ = false;     // the control is, with draws where it needs them
  std::vector<std::function<void()>> until_judged_;  // what waits for that
  Binding unbound_;                                  // of the original: outputs stand where they stood
  std::vector<Warning> warnings_;
  std::deque<Entry> entries_;
  std::size_t folders_ = 0;
};

}  // namespace culprit
