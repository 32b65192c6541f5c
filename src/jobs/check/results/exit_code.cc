#include <algorithm>
#include <array>

#include "check/check.h"

namespace culprit {

namespace {

bool is_of_known_fault(const ModelReport& report, const VariantRecord& variant) {
  return std::ranges::any_of(report.faults, [&](const FaultRecord& fault) {
    return fault.known && std::ranges::find(fault.variants, variant.id) != fault.variants.end();
  });
}

bool is_fine(Verdict verdict) { return verdict == Verdict::unchanged || verdict == Verdict::equivalent; }

/// What is neither unchanged nor equivalent, at any level, and belongs to no known fault.
bool has_anything(const ModelReport& report) {
  return std::ranges::any_of(report.variants, [&](const VariantRecord& variant) {
    const bool is_all_fine = is_fine(variant.verdict) && (!variant.deployed || is_fine(variant.deployed->verdict));
    return !is_all_fine && !is_of_known_fault(report, variant);
  });
}

}  // namespace

int exit_code_of(const ModelReport& report, bool strict, FailOn fail_on) {
  const bool deviates = strict && std::ranges::any_of(report.variants, [&](const VariantRecord& variant) {
                          return !is_of_known_fault(report, variant) &&
                                 (variant.verdict == Verdict::deviates ||
                                  (variant.deployed && variant.deployed->verdict == Verdict::deviates));
                        });
  const bool is_new = std::ranges::any_of(report.faults, [](const FaultRecord& fault) { return !fault.known; });
  if (deviates || is_new) return 1;
  if (fail_on == FailOn::any && (has_anything(report) || !is_judged(report))) return 1;
  if (fail_on == FailOn::weak && report.baseline.status == BaselineStatus::weak_data) return 1;
  return is_judged(report) ? 0 : 3;
}

int worst_exit_code(const std::vector<int>& codes) {
  for (const int code : std::array{130, 4, 1, 3, 2}) {
    if (std::ranges::find(codes, code) != codes.end()) return code;
  }
  return 0;
}

}  // namespace culprit
