#pragma once
// Tensors as ONNX stores them (TensorProto): raw_data or the typed fields, all types that `DType` names.

#include <filesystem>

#include "base/error.h"
#include "tensor/tensor.h"

namespace onnx {
class TensorProto;
}

namespace culprit {

/// External data is refused here (ErrorKind::unsupported): loading it is `model`'s work, which knows the folder.
Result<Tensor> from_proto(const onnx::TensorProto& proto);
onnx::TensorProto to_proto(const Tensor& tensor, const std::string& name);
/// A .pb file as found in test_data_set_N folders.
Result<NamedTensor> read_tensor_proto(const std::filesystem::path& path);
Result<void> write_tensor_proto(const std::filesystem::path& path, const NamedTensor& tensor);

}  // namespace culprit
