#pragma once
// The Python with the four public packages that repros need.

#include <filesystem>
#include <string>
#include <utility>

namespace culprit::testing {

/// What `scripts/setup peers` makes; "" where there is none.
std::filesystem::path peers_python();

/// Exit status, -1 where a signal ended it, and what it printed.
std::pair<int, std::string> run_python(const std::filesystem::path& python, const std::filesystem::path& script);

}  // namespace culprit::testing
