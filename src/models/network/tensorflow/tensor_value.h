#pragma once
// Tensors as they lie in a graph of TensorFlow.

#include <cstdint>
#include <string>
#include <string_view>

#include "tensor/tensor.h"

namespace culprit {

/// `bytes` are those of a TensorProto. What it leaves out of its list of elements is the last of them again, so a few
/// bytes may mean many: of these at most `most_filled` bytes, which go down by what is taken. Errors: bad_input;
/// unsupported, elements that we do not know.
Result<Tensor> tensor_of_tensorflow(std::string_view bytes, std::uint64_t& most_filled);

/// The bytes of a TensorProto. Errors: unsupported, TensorFlow has no such elements.
Result<std::string> tensorflow_tensor(const Tensor& tensor);

}  // namespace culprit
