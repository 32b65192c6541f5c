#pragma once
// Types of elements by the numbers that TensorFlow gives them.

#include <optional>

#include "tensor/dtype.h"

namespace culprit {

constexpr int tensorflow_float = 1, tensorflow_int32 = 3, tensorflow_string = 7, tensorflow_int64 = 9,
              tensorflow_bool = 10;

/// Of TensorFlow's DataType; nothing for what is no tensor of plain elements.
std::optional<DType> dtype_of_tensorflow(int type);
/// Nothing for what TensorFlow has not.
std::optional<int> tensorflow_type_of(DType type);

}  // namespace culprit
