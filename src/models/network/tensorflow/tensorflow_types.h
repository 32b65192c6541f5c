#pragma once
// Types of TensorFlow's tensors in Culprit's words.

#include <optional>

#include "tensor/dtype.h"

namespace culprit {

constexpr int tensorflow_float = 1, tensorflow_int32 = 3, tensorflow_int64 = 9;  ///< of its DataType

/// The type that a number of TensorFlow's DataType means; nothing for what is no tensor of plain elements. Its four-bit
/// types have a byte for each element there, so they have no word here.
std::optional<DType> dtype_of_tensorflow(int type);
/// The other way round.
std::optional<int> tensorflow_type_of(DType type);

}  // namespace culprit
