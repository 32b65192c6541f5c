#pragma once
// Names that are bare numbers, moved so that an optimizer that counts values still makes one of them. Optimizers name
// what they add by counting the values of the model, and old PyTorch named the values of its models by numbers: where
// the two meet, one name means two values. Each value that goes moves the number that is made next.

#include <cstdint>
#include <optional>

#include "reduce/reduced_case.h"

namespace culprit {

/// Values of the top graph: its inputs, its initializers, what its nodes make.
std::int64_t values_in(const onnx::ModelProto& model);
/// Is a value of the top graph called by a bare number, "17"?
bool has_numbers(const onnx::ModelProto& model);

/// How such names are moved.
enum class Renumbering {
  together,  ///< all down by as many as there are fewer values than before: what was made by counting meets the same
             ///< one
  in_a_row,  ///< to the numbers behind the count of values, in their order: whatever is made next meets one
};

/// The case with such names of its top graph moved, where `before` was the number of its values; its samples follow.
/// What would fall below 1 is no number any more. Nothing where no name changes, or two values would have one name.
std::optional<Case> renumbered(const Case& a_case, std::int64_t before, Renumbering way);

}  // namespace culprit
