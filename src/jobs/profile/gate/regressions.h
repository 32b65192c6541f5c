#pragma once
// Is a profile worse than a kept one? Seconds of two days or two machines cannot be compared: neighbouring processes
// already differ by a fifth. What can be are numbers that each profile measured side by side: ratios to its own
// baseline row, and decisions.

#include <array>
#include <string_view>
#include <vector>

#include "record/profile.h"
#include "record/warning.h"

namespace culprit {

/// How much more memory is worse; less is the allocator's play.
inline constexpr double more_memory = 0.10;

/// By rows of the same name, in the order of `now`; `kept` passed check_kept.h, and ratios are to one row in both
/// (paired_rows.h):
/// - failed: it runs no more;
/// - time: the interval of the ratio lies wholly above the kept one's, and by more than `same_within`;
/// - memory: the peak of its runs is more than `more_memory` further above `start`, in the same version of the runtime;
/// - quality: the interval of a metric lies wholly below the kept one's; of `relative_error`, which alone is better
///   when it is smaller, wholly above. What was held against two different baselines' decisions is not compared.
std::vector<RegressionRecord> regressions(const ProfileReport& kept, const ProfileReport& now);

/// Codes of warnings: no row was compared at all; no times were, for there is no row that both are to be held against.
inline constexpr const char* nothing_to_compare = "nothing_to_compare";
inline constexpr const char* no_common_row = "no_common_row";

/// Codes of all warnings that a gate gives (not_compared, kept_differences.h).
inline constexpr std::array<std::string_view, 8> gate_warnings = {
    nothing_to_compare, no_common_row,  "row_not_kept",         "row_gone",
    "kept_rebased",     "kept_differs", "quality_not_compared", "time_not_compared"};

/// What `regressions` could not look at: rows that only one of them has, and times that have no interval in one of
/// them, because too few blocks were measured; and where it looked at ratios to another row than the baseline. Without
/// this a gate that is blind looks like one that is content.
std::vector<Warning> not_compared(const ProfileReport& kept, const ProfileReport& now);

/// Is "nothing is worse" no answer? No row is in both, or the times of some cannot be held against one row.
bool is_blind(const ProfileReport& kept, const ProfileReport& now);

}  // namespace culprit
