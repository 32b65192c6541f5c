#include "cost/shape_scope.h"

#include <onnx/defs/tensor_proto_util.h>

#include <exception>

#include "cost/value_shape.h"
#include "model/external_data.h"
#include "tensor/tensor.h"

namespace culprit {
namespace {

/// Shapes, axes, sizes and steps are short.
constexpr std::int64_t most_elements_read = 4096;

/// Are there as many elements as type and shape ask? ONNX's own reader (ParseData) believes the bytes.
bool is_sound(const onnx::TensorProto& tensor) {
  const auto dtype = dtype_from_onnx(tensor.data_type());
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  if (!dtype || !count || *count > most_elements_read || is_external(tensor)) return false;
  if (tensor.has_raw_data()) return bits_of(*dtype) >= 8 && tensor.raw_data().size() == bytes_for(*dtype, *count);
  switch (*dtype) {
    case DType::f32:
      return tensor.float_data_size() == *count;
    case DType::i64:
      return tensor.int64_data_size() == *count;
    case DType::f64:
      return tensor.double_data_size() == *count;
    case DType::i32:
    case DType::boolean:
      return tensor.int32_data_size() == *count;
    default:
      return false;
  }
}

std::optional<std::int64_t> number_of(const onnx::TensorProto& tensor) {
  if (element_count(Shape(tensor.dims().begin(), tensor.dims().end())).value_or(0) != 1) return std::nullopt;
  if (tensor.data_type() == onnx::TensorProto::BOOL) {
    return tensor.has_raw_data() ? tensor.raw_data()[0] != 0 : tensor.int32_data(0) != 0;
  }
  try {
    if (tensor.data_type() == onnx::TensorProto::INT64) return onnx::ParseData<std::int64_t>(&tensor).at(0);
    if (tensor.data_type() == onnx::TensorProto::INT32) return onnx::ParseData<std::int32_t>(&tensor).at(0);
  } catch (const std::exception&) {
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

const onnx::TypeProto* ShapeScope::type(const std::string& name) const {
  const auto found = types_.find(name);
  if (found != types_.end()) return &found->second;
  return outer_ == nullptr ? nullptr : outer_->type(name);
}

const onnx::TensorProto* ShapeScope::data(const std::string& name) const {
  const auto found = data_.find(name);
  if (found != data_.end()) return found->second;
  return outer_ == nullptr ? nullptr : outer_->data(name);
}

const onnx::TensorShapeProto* ShapeScope::integers(const std::string& name) const {
  const auto found = integers_.find(name);
  if (found != integers_.end()) return &found->second;
  return outer_ == nullptr ? nullptr : outer_->integers(name);
}

std::optional<std::int64_t> ShapeScope::number(const std::string& name) const {
  if (const auto* tensor = data(name)) return number_of(*tensor);
  const auto* known = integers(name);
  if (known == nullptr || known->dim_size() != 1 || !known->dim(0).has_dim_value()) return std::nullopt;
  return known->dim(0).dim_value();
}

void ShapeScope::set_type(const std::string& name, const onnx::TypeProto& type) {
  auto& kept = types_[name] = type;
  if (!kept.has_tensor_type() || !kept.tensor_type().has_shape()) return;
  const ValueShape value = value_shape(name, type);
  if (!value.dims) return kept.mutable_tensor_type()->clear_shape();
  for (int axis = 0; axis < value.rank(); ++axis) {
    auto& dim = *kept.mutable_tensor_type()->mutable_shape()->mutable_dim(axis);
    if ((*value.dims)[static_cast<std::size_t>(axis)] < 0 && dim.has_dim_value()) dim.clear_dim_value();
  }
}

void ShapeScope::set_stored(const std::string& name, const onnx::TensorProto& tensor) {
  set_type(name, type_of(tensor));
  if (is_sound(tensor)) data_[name] = &tensor;
}

void ShapeScope::set_integers(const std::string& name, onnx::TensorShapeProto integers) {
  if (integers.dim_size() <= most_elements_read) integers_[name] = std::move(integers);
}

void ShapeScope::bind(const std::string& inside, const ShapeScope& from, const std::string& name) {
  if (const auto* known = from.type(name)) types_[inside] = *known;
  if (const auto* tensor = from.data(name)) data_[inside] = tensor;
  if (const auto* known = from.integers(name)) integers_[inside] = *known;
}

ValueShape shape_at(const onnx::NodeProto& node, const ShapeScope& scope, int i) {
  const auto* type = i < node.input_size() ? scope.type(node.input(i)) : nullptr;
  return type == nullptr ? ValueShape{} : value_shape(node.input(i), *type);
}

onnx::TypeProto type_of(const onnx::TensorProto& tensor) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(tensor.data_type());
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const std::int64_t size : tensor.dims()) shape.add_dim()->set_dim_value(size);
  return type;
}

}  // namespace culprit
