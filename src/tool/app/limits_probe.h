#pragma once
// What can the CPUs do at most? Measured in a child process, whose memory and threads are gone then.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// Starts `<program> worker --limits <threads>`. The error tells how the child ended and what it said last.
Result<MachineLimits> probe_limits(const std::filesystem::path& program, std::int64_t threads);

/// What that worker says, and what is read of it: nothing but positive numbers is believed.
std::string words_of_limits(const MachineLimits& limits);
Result<MachineLimits> limits_in(std::string_view words);

}  // namespace culprit
