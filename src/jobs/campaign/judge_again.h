#pragma once
// Judges a check again with other tolerances, by the measurements in its report: nothing is run.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "store/case_types.h"

namespace culprit {

/// An element passes within `atol + rtol x |reference|`. Both are finite and not negative.
struct OtherTolerance {
  double atol = 0, rtol = 0;
};

/// Is a difference beyond rounding a fault, though it lies within the tolerance (`check --strict`)?
enum class Strictness { no, yes };
/// What these words for `check` ask for.
Strictness strictness_of(const std::vector<std::string>& flags);

struct JudgedAgain {
  OutcomeStatus status = OutcomeStatus::ok;
  std::string reason = {};              ///< where it cannot be told without a run: why; else ""
  std::set<std::string> gone = {};      ///< ids of faults that are none any more: all numbers lie within
  std::set<std::string> not_sure = {};  ///< ids of faults that may be none any more
};

/// What a report says that ended with `status`, fault, known or ok. Crashes, other shapes, other decisions and exact
/// values stay what they are. What was right and is beyond the new tolerance is no fault yet: it was not drawn often
/// enough, so its status is `inconclusive`.
/// With `strict` what lies within the tolerance is a fault, too, so nothing changes.
JudgedAgain judge_again(std::string_view report, OutcomeStatus status, const OtherTolerance& tolerance,
                        Strictness strict);

}  // namespace culprit
