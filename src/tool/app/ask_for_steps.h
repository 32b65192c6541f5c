#pragma once
// Which optimizations does this runtime library have? Asked of a child process, because loading a library runs its
// code.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "optimizer/onnxruntime/harvest_steps.h"

namespace culprit {

/// Starts `<program> worker --steps <library> <folder>`, which may use `seconds` (process/watch_limits.h), and reads
/// what it wrote. The error tells how the child ended and what it said last.
Result<Harvest> ask_for_steps(const std::filesystem::path& program, const std::filesystem::path& library,
                              double seconds = 120);

/// The child's part: harvests, and writes <folder>/steps.json. Errors as of harvest_steps, and io.
Result<void> write_steps(const std::filesystem::path& library, const std::filesystem::path& folder);

std::string to_json(const Harvest& harvest);
/// ErrorKind::bad_input for what `to_json` did not write.
Result<Harvest> harvest_from_json(const std::string& text);

}  // namespace culprit
