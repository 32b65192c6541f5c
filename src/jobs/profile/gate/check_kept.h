#pragma once
// Can a kept profile be a gate at all? Asked before anything is measured.

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// ErrorKind::bad_input where no profile can have such contents: no rows, two of one name, a row that is held against
/// none of them, a ratio that is no number above 0, an interval whose ends are the wrong way round or that does not
/// hold its value. An interval from 0 up to infinity is one of too few blocks.
Result<void> check_kept(const ProfileReport& kept);

}  // namespace culprit
