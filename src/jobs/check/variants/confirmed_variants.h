#pragma once
// The third phase of a check's variants: confirming, and what is asked further when all was confirmed. Between two
// calls all that was asked for is answered: each call waits for its answers, and gives the error that ended the wait,
// such as `interrupted`.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/variants/confirm_failures.h"
#include "check/variants/judged_variants.h"

namespace culprit {

/// A question about one level of the runtime.
struct AtLevel {
  Level level;
  std::function<void(const Judgement&)> then;
};

class ConfirmedVariants final : public JudgedVariants {
 public:
  /// Waits until all that was made so far is judged, and then for the confirmation of each failure. `runs` outlives
  /// what this gives.
  static Result<std::unique_ptr<ConfirmedVariants>> of(VariantRuns& runs);

  /// What they were judged by.
  [[nodiscard]] Judging& by() const { return by_; }
  /// More variants, which are judged then, and not confirmed. Returns the number of the first.
  Result<std::size_t> add(std::vector<PlannedVariant> plan);
  /// Confirms every failure that has not been yet, but for those that a search made.
  Result<void> confirm();
  /// The same for one, whoever made it.
  Result<void> confirm(std::size_t variant);
  /// What was right on a few samples at the deploy level runs there on all: each of these, or the round trip where that
  /// is the same.
  Result<void> deploy_on_all(const std::vector<const Variant*>& variants);
  /// What a search made becomes one of the plan, made for this reason; others stay as they are.
  Result<void> keep(std::size_t variant, const std::string& reason, const std::string& made_as = "");

  /// Runs this file in a fresh process on all samples, as that variant would be, and judges it.
  Result<void> verify(std::size_t variant, const std::filesystem::path& file, const OnVerified& then);
  /// The same at these levels of the runtime, held against what the model gives at the reference's.
  Result<void> verify_at(const std::vector<AtLevel>& levels, std::size_t variant, const std::filesystem::path& file);

 private:
  ConfirmedVariants(VariantRuns& runs, std::shared_ptr<VariantResult> import_result);

  Result<void> wait() { return made_.setting().dispatcher.drain(); }
  void run_at(const AtLevel& at, std::size_t variant, const std::filesystem::path& file);
  [[nodiscard]] RunnablePtr runnable_as(std::size_t variant, const std::filesystem::path& file) const;
  void restate_refusals();
  void say_as_exported();

  MadeVariants& made_;
  VariantRuns& runs_;
  Judging& by_;
  FailureConfirmation failures_;
  const std::shared_ptr<VariantResult> import_failure_;
};

}  // namespace culprit
