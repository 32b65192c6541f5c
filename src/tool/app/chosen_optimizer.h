#pragma once
// The optimizer that --optimizer names: ONNX Optimizer, which is linked, ONNX Runtime, or a program.

#include <filesystem>
#include <string>
#include <vector>

#include "app/workers.h"
#include "base/error.h"
#include "optimizer/command/program_options.h"
#include "optimizer/traits.h"
#include "runtime/level.h"

namespace culprit {

inline constexpr const char* onnx_optimizer_name = "onnx_optimizer";
inline constexpr const char* onnxruntime_name = "onnxruntime";

/// The names that --optimizer takes, beside the files of users.
std::vector<std::string> optimizer_names();

/// A name that --optimizer takes, a program's with "@VERSION" behind it, or a file; ErrorKind::usage for others.
Result<std::string> optimizer_named(const std::string& flag, const std::string& name);

/// The runtime whose steps may be asked for.
struct UsersRuntime {
  Workers& workers;
  const std::filesystem::path& library;
  Level level = Level::all;  ///< at which users run it
};

/// What is to be known of it. ONNX Runtime is asked in a process of its own; a program is found and asked, and what it
/// calls lies in `hosts`. Of one whose steps depend on the model these are still missing. Errors: those of that
/// process; find_command; ask_command.
Result<OptimizerTraits> chosen_optimizer(const std::string& name, const UsersRuntime& runtime,
                                         const std::filesystem::path& hosts, const GivenOptions& given = {});

/// A program's version, and its steps where they are the same for all models.
Result<CommandSpec> asked_command(const std::string& name, const std::filesystem::path& hosts,
                                  const GivenOptions& given = {});

}  // namespace culprit
