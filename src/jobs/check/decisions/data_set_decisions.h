#pragma once
// The part of a check that looks at a whole data set: before variants are judged, at what users run; at the end, at the
// safe recipe.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/decisions/decision_scan.h"
#include "check/variants/made_variants.h"

namespace culprit {

class DataSetDecisions {
 public:
  DataSetDecisions(Dispatcher& dispatcher, const CheckOptions& options, const CheckTools& tools, ModelReport& report);

  /// Runs what users run on all samples, and returns the reference with those among its own on which it decides
  /// otherwise, fails, or is furthest off: at most 6. To be called when all variants are made, and none is judged.
  Result<Reference> begin(const MadeVariants& variants, const Recipe& recipe, Reference reference);
  /// Does the safe recipe decide as the original does on all samples? What speaks against it is returned; "" where
  /// nothing does. To be called when all is answered.
  Result<std::string> verify(const MadeVariants& variants, std::size_t safe, const Reference& reference);
  /// The samples that spoke against it, at most 6.
  [[nodiscard]] const std::vector<std::int64_t>& against_safe() const { return against_safe_; }
  /// What was found of the variants, by their number.
  [[nodiscard]] const std::map<std::size_t, VariantDecisions>& found() const { return found_; }

 private:
  Result<Reference> add_samples(const ScannedVariant& scanned, Reference reference);
  [[nodiscard]] Result<void> not_judged(const Error& error);

  Dispatcher& dispatcher_;
  const CheckOptions& options_;
  const CheckTools& tools_;
  ModelReport& report_;
  DecisionScan scan_;
  std::map<std::size_t, VariantDecisions> found_;
  std::vector<std::int64_t> against_safe_;
};

}  // namespace culprit
