#pragma once
// What a runtime or an optimizer said, made fit for a person.

#include <optional>
#include <string>
#include <string_view>

#include "executor/executor.h"

namespace culprit {

/// One printable line without the runtime's prefixes, source paths and advice.
std::string reason_of(std::string_view message);

/// The operator that a loader misses, if that is its complaint.
struct MissingOperator {
  std::string domain;  ///< "ai.onnx" for the standard one
  std::string op;      ///< "" where only the domain is named
};
std::optional<MissingOperator> missing_operator(std::string_view message);

/// "over its limit of 30 s of processor time", "killed by SIGSEGV", "Incompatible dimensions"
std::string failure_text(const Failure& failure, const Limits& limits);

}  // namespace culprit
