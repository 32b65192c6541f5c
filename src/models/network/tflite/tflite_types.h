#pragma once
// Types of TFLite's tensors in Culprit's words.

#include <cstdint>
#include <optional>

#include "tensor/dtype.h"

namespace culprit {

/// The type that a number in a file means (tflite_type_name); undefined for what is no plain elements.
DType dtype_of_tflite(std::int8_t type);
/// The number that a file has for a type; nothing for types that TFLite does not have.
std::optional<std::int8_t> tflite_type_of(DType type);

}  // namespace culprit
