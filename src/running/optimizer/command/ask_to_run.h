#pragma once
// What is said to a program that stays, and what it answers (docs/optimizers.md, "Programs that stay").

#include <optional>

#include "process/line_program.h"

namespace culprit {

/// In a fork of whoever started it: it is to do what this call would do, and to say so in our log. The wait status that
/// the call would have ended with; nothing where it gave no answer that makes sense.
std::optional<int> ask_to_run(const LineProgram& staying, const ProgramCall& call);

}  // namespace culprit
