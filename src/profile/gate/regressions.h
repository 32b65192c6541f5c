#pragma once
// Is a profile worse than a kept one? Seconds of two days or two machines cannot be compared: neighbouring processes
// already differ by a fifth. What can be are numbers that each profile measured side by side: ratios to its own
// baseline row, and decisions.

#include <vector>

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// How much more memory is worse; less is the allocator's play.
inline constexpr double more_memory = 0.10;

/// By rows of the same name, in the order of `now`:
/// - failed: it runs no more;
/// - time: the interval of the ratio lies wholly above the kept one's, and by more than `same_within`;
/// - memory: the peak of its runs is more than `more_memory` larger, in the same version of the runtime;
/// - quality: the interval of a metric lies wholly below the kept one's; of `relative_error`, which alone is better
///   when it is smaller, wholly above.
std::vector<RegressionRecord> regressions(const ProfileReport& kept, const ProfileReport& now);

/// Can anything be held against it? ErrorKind::bad_input where a ratio of a row is none: no number above 0, or with an
/// interval below 0. An interval up to infinity is one of too few blocks.
Result<void> check_ratios(const ProfileReport& kept);

/// The code of the warning that says that no row was compared at all.
inline constexpr const char* nothing_to_compare = "nothing_to_compare";

/// What `regressions` could not look at: rows that only one of them has, and times that have no interval in one of
/// them, because too few blocks were measured. Without this a gate that is blind looks like one that is content.
std::vector<Warning> not_compared(const ProfileReport& kept, const ProfileReport& now);

}  // namespace culprit
