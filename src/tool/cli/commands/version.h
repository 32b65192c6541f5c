#pragma once
// culprit --version: every library that is in the program, and the runtime that would be loaded.

#include <string>
#include <utility>
#include <vector>

#include "cli/terminal.h"

namespace culprit {

/// Name and version of every library linked, as each says itself where it can.
std::vector<std::pair<std::string, std::string>> library_versions();

int run_version(Terminal& terminal);

}  // namespace culprit
