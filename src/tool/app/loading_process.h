#pragma once
// A child process that loads a runtime library, because loading one runs its code.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "process/failure.h"

namespace culprit {

/// Starts `<program> worker <arguments>` with `scratch` for its words, lets it use `seconds`
/// (process/watch_limits.h), and tells how it ended. An error where it cannot be started.
Result<Failure> end_of_loading_process(const std::filesystem::path& program, std::vector<std::string> arguments,
                                       const std::filesystem::path& scratch, double seconds);

/// The error for a process that gave no answer: "the process that loads it: killed by SIGSEGV; it said: ...".
/// ErrorKind::bad_input.
Error no_answer(const Failure& end);

}  // namespace culprit
