#pragma once
// An operator that a runtime does not know: how it says so, and whether a library that was not given would help.

#include <optional>
#include <string>
#include <string_view>

#include "executor/executor.h"

namespace culprit {

/// The operator that a loader misses, if that is its complaint.
struct MissingOperator {
  std::string domain;  ///< "ai.onnx" for the standard one
  std::string op;      ///< "" where only the domain is named
};
std::optional<MissingOperator> missing_operator(std::string_view message);

/// "the runtime does not know the operator Foo of the domain my.dom"
std::string what_is_missing(const MissingOperator& missing);

/// Says that, at which node of `model` (null: of a model that is not known) and in which opset, and what helps: a newer
/// runtime or an older opset for an operator of ONNX's own, else --custom-ops.
std::string advice_on(const MissingOperator& missing, const onnx::ModelProto* model);

/// That advice, where `variant` was refused only because a library was not given: the domain of the operator is none of
/// the runtime's own, `original` has nothing of it, and `variant` brings no functions of it. Else the refusal is the
/// variant's own doing: nullopt.
std::optional<std::string> missing_library(const RunOutcome& outcome, const Model& original, const Model& variant);

}  // namespace culprit
