#pragma once
// What an entry of a profile is before anything of it was measured.

#include <string>

#include "profile/made_rows.h"
#include "profile/profile.h"
#include "record/profile.h"

namespace culprit {

std::string in_one_line(const Failure& failure);

void fail_entry(ProfileEntry& entry, const Failure& failure, FailedAt where);

/// Begins the entry of a row; where that failed when it was made, it says so. `baseline`: index of what it is held
/// against.
ProfileEntry begun_entry(const ProfiledRow& row, const GivenModel& given, const MadeRow& made, std::size_t baseline);

}  // namespace culprit
