#pragma once
// Does a case still fail as the optimizer's fault did that is sought? Asked of an Executor.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reduce/case_trial.h"
#include "reduce/reduce.h"

namespace culprit {

class FaultOracle : public Oracle {
 public:
  /// `folder` exists; everything in it may go at the end.
  FaultOracle(Executor& executor, CaseTrialOptions options, std::filesystem::path folder);

  /// What the recipe does to this case becomes what is sought; what the round trip and the recipe's parts (of at most 4
  /// passes) do not do must not be done by them later either, or another failure was found. Nothing where no fault
  /// shows; `symptom` then tells what did.
  Result<std::optional<SoughtFault>> learn(const Case& a_case, const TriedRecipe& recipe);
  /// Seeks what somebody else has learned.
  void seek(SoughtFault sought);
  [[nodiscard]] const Symptom& symptom() const { return symptom_; }

  Result<std::vector<Answer>> ask(std::span<const Case> cases, bool fresh) override;
  [[nodiscard]] std::size_t places() const override { return executor_.places(); }

 private:
  [[nodiscard]] std::vector<TriedRecipe> recipes() const;
  [[nodiscard]] bool shows(const CaseTrial& trial) const;
  [[nodiscard]] bool is_weak(const CaseTrial& trial) const;
  [[nodiscard]] bool is_own(const CaseTrial& trial) const;
  /// What was asked for, once it is answered; an Error where a trial could not be made.
  Result<void> drain(std::span<const std::unique_ptr<CaseTrial>> trials);
  Result<void> judge_others(std::vector<std::unique_ptr<CaseTrial>>& trials);
  std::unique_ptr<CaseTrial> trial_of(const Case& a_case, std::vector<TriedRecipe> recipes, bool fresh);

  Executor& executor_;
  CaseTrialOptions options_;
  std::filesystem::path folder_;
  Dispatcher dispatcher_;
  SoughtFault sought_;
  Symptom symptom_;
  std::size_t exams_ = 0;
};

}  // namespace culprit
