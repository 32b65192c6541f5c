#pragma once
// --sweep as typed: "batch=1,2,4,8", "threads=1,2,4".

#include <string>
#include <vector>

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// Each of the two at most once, with whole numbers in the order in which they are given, none twice: batches up to a
/// million, threads up to 1024. ErrorKind::usage for all else, with an example.
Result<SweepSettings> sweep_settings(const std::vector<std::string>& typed);

}  // namespace culprit
