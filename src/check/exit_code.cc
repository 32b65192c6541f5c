#include <algorithm>
#include <array>

#include "check/check.h"

namespace culprit {

int exit_code_of(const ModelReport& report, bool strict) {
  const bool deviates = strict && std::ranges::any_of(report.variants, [](const VariantRecord& variant) {
                          return variant.verdict == Verdict::deviates ||
                                 (variant.deployed && variant.deployed->verdict == Verdict::deviates);
                        });
  if (deviates || !report.faults.empty()) return 1;
  if (!report.error.empty() || report.baseline.status != BaselineStatus::ok) return 3;
  return is_nothing_judged(report) ? 3 : 0;
}

int worst_exit_code(const std::vector<int>& codes) {
  for (const int code : std::array{130, 4, 1, 3, 2}) {
    if (std::ranges::find(codes, code) != codes.end()) return code;
  }
  return 0;
}

}  // namespace culprit
