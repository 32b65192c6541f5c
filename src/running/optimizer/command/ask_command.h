#pragma once
// What only the program itself can tell: its version and its steps. It is run for that, in a process of its own.

#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "optimizer/command/program_description.h"
#include "optimizer/traits.h"

namespace culprit {

/// What it prints, which may be nothing; "{python}" in its words is filled in. It works in a folder of its own in
/// `scratch`, which goes. Errors as of version_of, but for nothing.
Result<std::string> answer_of(const CommandSpec& spec, std::vector<std::string> words,
                              const std::filesystem::path& scratch);

/// The last line that `version` prints; "" where the spec has no such program. `scratch` is a folder that is there.
/// Errors: the program is not there, fails, hangs, or prints nothing; each says which and what its last words were.
Result<std::string> version_of(const CommandSpec& spec, const std::filesystem::path& scratch);

/// The spec with all names of its steps: what its lists print, one a line, where "NAME off" is a step that is not done
/// unless it is asked for. `model`: the file that "{input}" stands for. Errors as above, and ErrorKind::bad_input for
/// names that make no sense, no names at all, or names that would be taken for options.
Result<CommandSpec> with_listed_steps(CommandSpec spec, const std::filesystem::path& model,
                                      const std::filesystem::path& scratch);

/// Does it fail where it is given a step that it does not have? Tried on a small model. One that takes any name without
/// a word shows only by a model that it changes whether a step can be left out. Empty where that cannot be told: it
/// fails on the small model anyhow, or its steps depend on the model. Errors as above.
Result<std::optional<bool>> refuses_unknown_steps(const CommandSpec& spec, const std::filesystem::path& scratch);

/// What the rest of the tool has to know of it. A spec without steps has one, which is the program as a whole.
OptimizerTraits traits_of(const CommandSpec& spec);

}  // namespace culprit
