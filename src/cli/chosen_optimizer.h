#pragma once
// The optimizer that a user means by --optimizer.

#include <filesystem>

#include "base/error.h"
#include "optimizer/traits.h"
#include "runtime/runner.h"

namespace culprit {

inline constexpr const char* onnx_optimizer_name = "onnx_optimizer";
inline constexpr const char* onnxruntime_name = "onnxruntime";

/// The names that --optimizer takes.
std::vector<std::string> optimizer_names();

/// What is to be known of it. ONNX Runtime is asked in a process of its own: `library` is its, and `level` the users'.
/// `name` is one of optimizer_names(). Errors: those of that process.
Result<OptimizerTraits> chosen_optimizer(const std::string& name, const std::filesystem::path& library, Level level);

}  // namespace culprit
