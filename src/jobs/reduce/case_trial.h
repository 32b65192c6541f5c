#pragma once
// What recipes do to one case: made, run beside the original and judged, by the parts that `culprit check` is made of.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "executor/dispatcher.h"
#include "reduce/reduced_case.h"
#include "reduce/sought_fault.h"
#include "trial/judging.h"
#include "trial/variant_run.h"

namespace culprit {

/// How cases are examined.
struct CaseTrialOptions {
  TrialOptions trial;
  SessionOptions session;    ///< of the reference's level
  bool deploys = false;      ///< what is right there runs at the deploy level as well
  bool infers_types = true;  ///< shape inference is asked about the types that the original declares
  /// The limits of the original. A step may make a model that never ends, and then nothing can be learned from it by
  /// waiting.
  Limits patience = trial.limits;
  /// The limits of variants, for the same reason; and of those that are looked at in fresh processes.
  Limits variant_limits = trial.limits, fresh_variant_limits = trial.limits;
};

/// One recipe and what it promises.
struct TriedRecipe {
  Recipe recipe;
  Contract contract = Contract::equivalent;
};

/// Asks for work in steps: after each the dispatcher is drained, until nothing more is asked for. The first recipe is
/// judged in any case, the others only when `judge_others` says so.
class CaseTrial {
 public:
  /// `folder` must not exist yet; it goes with this object. `fresh`: runs in processes that ran nothing before.
  CaseTrial(Dispatcher& dispatcher, const CaseTrialOptions& options, Case a_case, std::vector<TriedRecipe> recipes,
            std::filesystem::path folder, bool fresh);
  ~CaseTrial();
  CaseTrial(const CaseTrial&) = delete;
  CaseTrial& operator=(const CaseTrial&) = delete;

  /// Writes the case, makes the first variant and runs the original. An Error is the machine's. The others are made
  /// with it where that costs a fork each; a session of the runtime or a program costs more, and most cases need none.
  Result<void> start();
  /// The other variants, where `start` did not ask for them.
  void make_others();
  /// The first recipe, once `start` is answered. False: nothing is under way for it.
  bool judge_first() { return judge(0); }
  void judge_others();  ///< once they are made
  /// Starts those that are right so far, at the deploy level. False: nothing is under way.
  bool deploy();

  /// The original runs, and the checker has no complaint but this one (normalized).
  [[nodiscard]] bool is_sound(const std::string& complaint) const;
  /// What kept it from being tried, which is no answer: a folder that cannot be made, a full disk.
  [[nodiscard]] const std::optional<Error>& broken() const { return broken_; }
  /// It declares types that are not true, says shape inference, or that ended badly. False where it was not asked.
  [[nodiscard]] bool is_mistyped() const { return !import_.types_complaint.empty(); }
  [[nodiscard]] bool is_finite() const { return finite_; }
  /// The original's outputs say something of its values (judge/weak_outputs.h).
  [[nodiscard]] bool tells() const { return tells_; }
  [[nodiscard]] std::string complaint() const;
  [[nodiscard]] double seconds_of_reference() const;
  [[nodiscard]] double seconds_of_variant() const { return variant_seconds_; }  ///< of the first recipe: load and run
  /// The symptom of a recipe that was judged; without an answer `inconclusive`.
  [[nodiscard]] Symptom symptom(std::size_t recipe) const;

 private:
  struct Tried {
    TriedRecipe recipe;
    VariantOutcome outcome;
    RunnablePtr made;
    RunJob job;
    std::shared_ptr<VariantResult> result = std::make_shared<VariantResult>();
    bool judged = false, deployed = false;
  };

  Result<void> write();
  void make(std::size_t first, std::size_t end);
  bool has(const Result<void>& made);
  void note(const Failure& failure);
  void take_reference(const RunOutcome& outcome);
  bool judge(std::size_t number);
  void run(Tried& tried, std::size_t number);
  [[nodiscard]] bool faulty(Verdict verdict) const { return is_fault(verdict, options_.trial.strict); }

  Dispatcher& dispatcher_;
  const CaseTrialOptions& options_;
  Case case_;
  std::filesystem::path folder_;
  bool fresh_;
  Model model_;
  Reference reference_;          // in the making
  std::unique_ptr<Judging> by_;  // absent until the original has run
  std::vector<Tried> tried_;
  std::size_t asked_ = 0;  // variants that were asked for
  ImportOutcome import_;
  RunOutcome reference_run_;
  std::optional<Error> broken_;
  bool finite_ = true, tells_ = true;
  double variant_seconds_ = 0;
};

}  // namespace culprit
