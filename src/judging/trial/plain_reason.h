#pragma once
// What a runtime or an optimizer said, made fit for a person.

#include <string>
#include <string_view>

#include "executor/executor.h"

namespace culprit {

/// One printable line without the runtime's prefixes, source paths and advice.
std::string reason_of(std::string_view message);

/// "over its limit of 30 s of processor time", "killed by SIGSEGV", "Incompatible dimensions"
std::string failure_text(const Failure& failure, const Limits& limits);

}  // namespace culprit
