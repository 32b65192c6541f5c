#pragma once
// What scripts/setup brings for tests: the Python with the four public packages that repros need, and networks.

#include <filesystem>
#include <string>
#include <utility>

namespace culprit::testing {

/// What `scripts/setup peers` makes; "" where there is none.
std::filesystem::path peers_python();

/// A file out of a Python package, as `scripts/setup networks` puts it, of whichever version; "" where it is not there.
std::filesystem::path network(const std::string& package, const std::string& file);

/// Exit status, -1 where a signal ended it, and what it printed.
std::pair<int, std::string> run_python(const std::filesystem::path& python, const std::filesystem::path& script);

}  // namespace culprit::testing
