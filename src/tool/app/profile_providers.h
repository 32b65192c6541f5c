#pragma once
// On what do the rows of a profile run? --provider against what the libraries of the runtime have.

#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// `typed` ("cpu", "CUDA", "cpu,cuda") as `there` writes them; "CPU" where nothing was typed.
/// ErrorKind::usage for what is named twice, and for what is not there, with what is. `library`: how people call it,
/// "ONNX Runtime 1.31.1".
Result<std::vector<std::string>> providers_named(const std::vector<std::string>& typed,
                                                 const std::vector<std::string>& there, const std::string& library);

}  // namespace culprit
