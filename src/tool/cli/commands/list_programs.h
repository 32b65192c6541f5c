#pragma once
// The part of `culprit optimizers` that tells of programs.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/error.h"

namespace culprit {

/// A line for each that culprit knows: its version, or how it is brought.
std::string programs_as_text(int width);
/// Its steps, and whether it refuses names that it does not know. Errors: those of asked_command.
Result<std::string> program_as_text(const std::string& name, int width);
/// {name, found, version, about, refuses_unknown_steps, steps: [{name, on}]}; of one that is not there a message.
nlohmann::ordered_json program_as_json(const std::string& name);

}  // namespace culprit
