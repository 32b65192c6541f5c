#pragma once
// A failure again, in fresh processes: how often did it come? Whoever asks waits for the answers.

#include <memory>

#include "check/variants/variant_runs.h"

namespace culprit {

class FailureConfirmation {
 public:
  explicit FailureConfirmation(VariantRuns& runs) : runs_(runs), setting_(runs.made().setting()) {}

  /// Of an import that failed. What was asked before is not asked again.
  void ask_import(const std::shared_ptr<VariantResult>& result);
  /// Of a variant, if it fails, at the reference's level; at the deploy level only whether the optimizer makes this
  /// model again. What was asked before is not asked again.
  void ask(const Variant& variant);

 private:
  void make_again(const Variant& variant);
  void run_again(const Variant& variant, const DistinctVariant& distinct);
  void remake(const PlannedVariant& plan, bool alone, const OnVariant& then);
  void remake_and_compare(const Variant& variant, std::shared_ptr<VariantResult> result);
  [[nodiscard]] bool faulty(const VariantResult& result) const;

  VariantRuns& runs_;
  const VariantSetting& setting_;
};

}  // namespace culprit
