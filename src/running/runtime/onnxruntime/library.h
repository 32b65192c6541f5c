#pragma once
// One shared library of ONNX Runtime, loaded by name.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace culprit::ort {

/// Loads the library and fills the C++ API's table from it; gives its version, "1.31.1". Refused: what is no ELF
/// library, has no OrtGetApiBase, is older than 1.19, or comes second in this process. A library stays loaded until the
/// process ends, for the runtime does not survive being unloaded.
Result<std::string> load_library(const std::filesystem::path& path);

/// The number of the API that a library of this version offers: "1.31.1" -> 31. 0 where it cannot be told.
std::uint32_t api_number(const std::string& version);

}  // namespace culprit::ort
