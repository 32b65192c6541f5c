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

}  // namespace

int exit_code_of(const ModelReport& report, bool strict) {
  const bool deviates = strict && std::ranges::any_of(report.variants, [&](const VariantRecord& variant) {
                          return !is_of_known_fault(report, variant) &&
                                 (variant.verdict == Verdict::deviates ||
                                  (variant.deployed && variant.deployed->verdict == Verdict::deviates));
                        });
  const bool is_new = std::ranges::any_of(report.faults, [](const FaultRecord& fault) { return !fault.known; });
  if (deviates || is_new) return 1;
  if (!report.error.empty() || report.baseline.status != BaselineStatus::ok) return 3;
  return open_question(report).empty() ? 0 : 3;
}

int worst_exit_code(const std::vector<int>& codes) {
  for (const int code : std::array{130, 4, 1, 3, 2}) {
    if (std::ranges::find(codes, code) != codes.end()) return code;
  }
  return 0;
}

}  // namespace culprit
