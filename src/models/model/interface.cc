#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <string_view>
#include <unordered_set>

#include "base/text.h"
#include "model/model.h"

namespace culprit {
namespace {

constexpr std::size_t longest_input_name = 200;

/// Elements and dimensions of a dense or sparse tensor type.
template <class TensorType>
void read_tensor(const TensorType& type, ValueInfo& info) {
  info.dtype = dtype_from_onnx(type.elem_type()).value_or(DType::undefined);
  info.has_shape = type.has_shape();
  for (const auto& dim : type.shape().dim()) {
    Dim read;
    // Some exporters write -1 for "not known"; runtimes take it so.
    if (dim.has_dim_value() && dim.dim_value() >= 0) read.value = dim.dim_value();
    if (dim.has_dim_param()) read.name = dim.dim_param();
    info.dims.push_back(std::move(read));
  }
}

ValueInfo::Kind kind_of(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kTensorType:
      return ValueInfo::Kind::tensor;
    case onnx::TypeProto::kSparseTensorType:
      return ValueInfo::Kind::sparse_tensor;
    case onnx::TypeProto::kSequenceType:
      return ValueInfo::Kind::sequence;
    case onnx::TypeProto::kMapType:
      return ValueInfo::Kind::map;
    case onnx::TypeProto::kOptionalType:
      return ValueInfo::Kind::optional;
    default:
      return ValueInfo::Kind::unknown;
  }
}

/// What is directly inside a sequence, map or optional; null in a tensor, or where nothing is said.
const onnx::TypeProto* inside_of(const onnx::TypeProto& type) {
  switch (type.value_case()) {
    case onnx::TypeProto::kSequenceType:
      return &type.sequence_type().elem_type();
    case onnx::TypeProto::kMapType:
      return &type.map_type().value_type();
    case onnx::TypeProto::kOptionalType:
      return &type.optional_type().elem_type();
    default:
      return nullptr;
  }
}

/// What is inside, down to the tensor at the bottom: of optional(sequence(tensor)) that tensor, of a map its values.
void read_inside(const onnx::TypeProto& outer, ValueInfo& info) {
  for (const onnx::TypeProto* type = &outer; type != nullptr; type = inside_of(*type)) {
    if (type->has_tensor_type()) return read_tensor(type->tensor_type(), info);
    if (type != &outer) info.inside.push_back(kind_of(*type));
    if (type->has_sparse_tensor_type()) return read_tensor(type->sparse_tensor_type(), info);
    if (type->has_map_type()) info.keys = dtype_from_onnx(type->map_type().key_type()).value_or(DType::undefined);
  }
}

ValueInfo read(const onnx::ValueInfoProto& declared) {
  ValueInfo info;
  info.name = declared.name();
  info.kind = kind_of(declared.type());
  read_inside(declared.type(), info);
  return info;
}

std::string size_text(const Dim& dim) {
  if (dim.value) return std::to_string(*dim.value);
  return dim.name.empty() ? "?" : printable(dim.name, longest_input_name);
}

std::string tensor_text(const ValueInfo& info) {
  std::string text(info.dtype == DType::undefined ? "?" : name_of(info.dtype));
  if (!info.has_shape) return text;
  std::vector<std::string> dims;
  for (const auto& dim : info.dims) dims.push_back(size_text(dim));
  return fmt::format("{}[{}]", text, join(dims, ","));
}

std::string with_kind(ValueInfo::Kind kind, const ValueInfo& info, const std::string& text) {
  switch (kind) {
    case ValueInfo::Kind::tensor:
      return text;
    case ValueInfo::Kind::sparse_tensor:
      return fmt::format("sparse({})", text);
    case ValueInfo::Kind::sequence:
      return fmt::format("sequence({})", text);
    case ValueInfo::Kind::map:
      return fmt::format("map({} -> {})", info.keys == DType::undefined ? "?" : name_of(info.keys), text);
    case ValueInfo::Kind::optional:
      return fmt::format("optional({})", text);
    case ValueInfo::Kind::unknown:
      break;
  }
  return "?";
}

std::string described_type(const ValueInfo& info) {
  std::string text = tensor_text(info);
  for (auto kind = info.inside.rbegin(); kind != info.inside.rend(); ++kind) text = with_kind(*kind, info, text);
  return with_kind(info.kind, info, text);
}

}  // namespace

std::string ValueInfo::text() const {
  return fmt::format("{}: {}", printable(name, longest_input_name), described_type(*this));
}

Interface interface_of(const onnx::ModelProto& model) {
  const auto& graph = model.graph();
  std::unordered_set<std::string_view> with_default;
  for (const auto& tensor : graph.initializer()) with_default.insert(tensor.name());
  for (const auto& tensor : graph.sparse_initializer()) with_default.insert(tensor.values().name());

  Interface interface;
  for (const auto& input : graph.input()) {
    auto& list = with_default.contains(input.name()) ? interface.optional_inputs : interface.inputs;
    list.push_back(read(input));
  }
  for (const auto& output : graph.output()) interface.outputs.push_back(read(output));
  return interface;
}

}  // namespace culprit
