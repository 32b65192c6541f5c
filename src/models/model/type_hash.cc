#include "model/type_hash.h"

#include <onnx/onnx_pb.h>

namespace culprit {
namespace {

enum class Told : std::int64_t { nothing, value, name };

void add_tensor_head(Hasher& hasher, std::int64_t kind, std::int64_t elem_type, bool has_shape) {
  hasher.add(kind).add(elem_type).add(std::int64_t{has_shape});
}

void add_dim(Hasher& hasher, std::int64_t value) { hasher.add(static_cast<std::int64_t>(Told::value)).add(value); }

template <class TensorType>
void add_tensor(Hasher& hasher, std::int64_t kind, const TensorType& type) {
  add_tensor_head(hasher, kind, type.elem_type(), type.has_shape());
  hasher.add(std::int64_t{type.shape().dim_size()});
  for (const auto& dim : type.shape().dim()) {
    if (dim.has_dim_value()) {
      add_dim(hasher, dim.dim_value());
    } else if (!dim.dim_param().empty()) {
      hasher.add(static_cast<std::int64_t>(Told::name)).add(std::string_view(dim.dim_param()));
    } else {
      hasher.add(static_cast<std::int64_t>(Told::nothing));
    }
  }
}

void add_type(Hasher& hasher, const onnx::TypeProto& type) {
  const auto kind = static_cast<std::int64_t>(type.value_case());
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      return add_tensor(hasher, kind, type.tensor_type());
    case onnx::TypeProto::kSparseTensorType:
      return add_tensor(hasher, kind, type.sparse_tensor_type());
    case onnx::TypeProto::kSequenceType:
      hasher.add(kind);
      return add_type(hasher, type.sequence_type().elem_type());
    case onnx::TypeProto::kOptionalType:
      hasher.add(kind);
      return add_type(hasher, type.optional_type().elem_type());
    case onnx::TypeProto::kMapType:
      hasher.add(kind).add(std::int64_t{type.map_type().key_type()});
      return add_type(hasher, type.map_type().value_type());
    case onnx::TypeProto::kOpaqueType:
      hasher.add(kind)
          .add(std::string_view(type.opaque_type().domain()))
          .add(std::string_view(type.opaque_type().name()));
      return;
    default:
      hasher.add(kind);
  }
}

}  // namespace

Hash128 type_hash(const onnx::TypeProto& type) {
  Hasher hasher;
  add_type(hasher, type);
  return hasher.finish();
}

Hash128 type_hash_of_tensor(const onnx::TensorProto& tensor) {
  Hasher hasher;
  add_tensor_head(hasher, static_cast<std::int64_t>(onnx::TypeProto::kTensorType), tensor.data_type(), true);
  hasher.add(std::int64_t{tensor.dims_size()});
  for (const auto dim : tensor.dims()) add_dim(hasher, dim);
  return hasher.finish();
}

}  // namespace culprit
