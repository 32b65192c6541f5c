#pragma once
// Tensors as ONNX stores them (TensorProto): raw_data or the typed fields, all types that `DType` names.

#include <cstdint>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "tensor/tensor.h"

namespace onnx {
class TensorProto;
}

namespace culprit {

/// A protobuf message has at most so many bytes: 2 GiB, protobuf's own limit.
constexpr std::uint64_t largest_message = std::numeric_limits<std::int32_t>::max();

/// External data is refused here (ErrorKind::unsupported): loading it is `model`'s work, which knows the folder.
Result<Tensor> from_proto(const onnx::TensorProto& proto);
onnx::TensorProto to_proto(const Tensor& tensor, const std::string& name);
/// A .pb file as found in test_data_set_N folders.
Result<NamedTensor> read_tensor_proto(const std::filesystem::path& path);
Result<void> write_tensor_proto(const std::filesystem::path& path, const NamedTensor& tensor);

}  // namespace culprit
