#pragma once
// What of a profile is said at a glance, and what only --verbose and report.json tell. Seen in this room only.

#include <cstddef>
#include <string>

#include "record/profile.h"
#include "record/warning.h"

namespace culprit {

/// Keeps the baseline and the entries that say most: what failed, then what is slower, ambiguous, not measured, faster,
/// the same, and of these the farthest from the baseline first; beside them what they are held against, and what their
/// graphs came of (original_of). Up to `most` entries, or all where there are no more; in the order of the report.
/// Indexes of baselines point at the same ones.
ProfileReport most_telling(const ProfileReport& report, std::size_t most);

/// "and 38 more: 30 same, 8 faster", of entries that `shown` lacks; "" where it has all.
std::string what_is_missing(const ProfileReport& report, const ProfileReport& shown);

/// Said in one line for all (unread_devices): that there is nothing to read is no news on most machines. Where a row
/// runs on NVIDIA's GPU, it is.
bool is_quiet(const ProfileReport& report, const Warning& warning);

/// "none readable", "no NVIDIA GPU readable": what the quiet warnings say together; "" where there are none.
std::string unread_devices(const ProfileReport& report);

}  // namespace culprit
