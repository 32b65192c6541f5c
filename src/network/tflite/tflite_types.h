#pragma once
// Types of TFLite's tensors in Culprit's words.

#include <cstdint>
#include <optional>

#include "tensor/dtype.h"

namespace culprit {

/// Of the number that a file has (tflite_type_name); undefined for what is no plain elements.
DType dtype_of_tflite(std::int8_t type);
/// Nothing of types that TFLite does not have.
std::optional<std::int8_t> tflite_type_of(DType type);

}  // namespace culprit
