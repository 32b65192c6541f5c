#include "model/traced_value.h"

#include <algorithm>
#include <array>

#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

std::optional<double> number_of(const onnx::TensorProto& stored) {
  for (const auto dim : stored.dims()) {
    if (dim != 1) return std::nullopt;
  }
  const auto tensor = from_proto(stored);
  if (!tensor || tensor->dtype() == DType::string) return std::nullopt;
  return tensor->number(0);
}

std::vector<Dim> transposed(const onnx::NodeProto& node, const std::vector<Dim>& first) {
  std::vector<Dim> shape(first.rbegin(), first.rend());
  const auto* perm = attribute_of(node, "perm");
  if (perm == nullptr) return shape;
  for (int i = 0; i < perm->ints_size() && i < static_cast<int>(first.size()); ++i) {
    const auto from = perm->ints(i);
    if (from < 0 || from >= static_cast<std::int64_t>(first.size())) return first;
    shape[static_cast<std::size_t>(i)] = first[static_cast<std::size_t>(from)];
  }
  return shape;
}

/// Without the axes named; nothing where one of them is not there.
std::optional<std::vector<Dim>> squeezed(const std::vector<Dim>& first, const std::vector<std::int64_t>& axes) {
  const auto rank = static_cast<std::int64_t>(first.size());
  std::vector<Dim> shape;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const bool is_named = std::ranges::any_of(axes, [&](auto named) { return named == axis || named + rank == axis; });
    if (!is_named) shape.push_back(first[static_cast<std::size_t>(axis)]);
  }
  return shape.size() + axes.size() == first.size() ? std::optional(shape) : std::nullopt;
}

/// The sizes with axes of length one put in, which count in the result.
std::optional<std::vector<Dim>> unsqueezed(const std::vector<Dim>& first, const std::vector<std::int64_t>& axes) {
  const auto rank = static_cast<std::int64_t>(first.size() + axes.size());
  std::vector<Dim> shape;
  std::size_t next = 0;
  for (std::int64_t axis = 0; axis < rank; ++axis) {
    const bool is_new = std::ranges::any_of(axes, [&](auto put) { return put == axis || put + rank == axis; });
    if (!is_new && next == first.size()) return std::nullopt;  // one axis twice
    shape.push_back(is_new ? Dim{1, ""} : first[next++]);
  }
  return next == first.size() ? std::optional(shape) : std::nullopt;
}

}  // namespace

const TracedValue* Scope::find(const std::string& name) const {
  if (name.empty()) return nullptr;
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer) {
    if (const auto at = scope->values.find(name); at != scope->values.end()) return &at->second;
  }
  return nullptr;
}

const onnx::AttributeProto* attribute_of(const onnx::NodeProto& node, std::string_view name) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

std::int64_t integer_of(const onnx::NodeProto& node, std::string_view name, std::int64_t otherwise) {
  const auto* attribute = attribute_of(node, name);
  return attribute != nullptr ? attribute->i() : otherwise;
}

TracedValue value_of(const onnx::TensorProto& stored, const std::string& name) {
  TracedValue value;
  value.shape.emplace();
  for (const auto dim : stored.dims()) value.shape->push_back({dim, ""});
  value.number = number_of(stored);
  value.tensor = &stored;
  value.table = name;
  return value;
}

std::optional<std::vector<Dim>> declared_shape(const onnx::ValueInfoProto& declared, bool is_input) {
  if (!declared.type().has_tensor_type() || !declared.type().tensor_type().has_shape()) return std::nullopt;
  std::vector<Dim> shape;
  for (const auto& dim : declared.type().tensor_type().shape().dim()) {
    Dim read;
    if (dim.has_dim_value() && dim.dim_value() >= 0) read.value = dim.dim_value();
    read.name = dim.dim_param();
    const bool has_name = !read.name.empty() && read.name != "?";
    if (is_input && !read.value && !has_name) read.name = declared.name() + "." + std::to_string(shape.size());
    shape.push_back(std::move(read));
  }
  return shape;
}

std::optional<TracedValue> constant_of(const onnx::NodeProto& node) {
  if (node.op_type() != "Constant" || node.output_size() == 0) return std::nullopt;
  if (const auto* tensor = attribute_of(node, "value"); tensor != nullptr && tensor->has_t())
    return value_of(tensor->t(), node.output(0));
  TracedValue value;
  value.table = node.output(0);
  if (const auto* number = attribute_of(node, "value_int")) value.number = static_cast<double>(number->i());
  if (const auto* number = attribute_of(node, "value_float")) value.number = number->f();
  if (value.number) value.shape.emplace();
  return value;
}

std::optional<std::vector<std::int64_t>> axes_of(const onnx::NodeProto& node,
                                                 const std::vector<const TracedValue*>& inputs) {
  if (const auto* axes = attribute_of(node, "axes"); axes != nullptr)
    return std::vector<std::int64_t>(axes->ints().begin(), axes->ints().end());
  if (inputs.size() < 2 || inputs[1] == nullptr || inputs[1]->tensor == nullptr) return std::nullopt;
  const auto tensor = from_proto(*inputs[1]->tensor);
  if (!tensor || tensor->dtype() != DType::i64 || tensor->count() > 64) return std::nullopt;
  const auto axes = tensor->as<std::int64_t>();
  return std::vector<std::int64_t>(axes.begin(), axes.end());
}

std::optional<std::vector<Dim>> shape_behind(const onnx::NodeProto& node,
                                             const std::vector<const TracedValue*>& inputs) {
  static constexpr std::array<std::string_view, 20> same = {
      "Cast", "CastLike", "Identity", "DequantizeLinear", "QuantizeLinear", "Relu",   "Sigmoid", "Tanh", "Exp", "Abs",
      "Neg",  "Not",      "Softmax",  "Dropout",          "Sqrt",           "CumSum", "Gelu",    "Erf",  "Log", "Clip"};
  if (inputs.empty() || inputs[0] == nullptr || !inputs[0]->shape) return std::nullopt;
  const std::vector<Dim>& first = *inputs[0]->shape;
  if (std::ranges::find(same, node.op_type()) != same.end()) return first;
  if (node.op_type() == "Transpose") return transposed(node, first);
  if (node.op_type() != "Squeeze" && node.op_type() != "Unsqueeze") return std::nullopt;
  const auto axes = axes_of(node, inputs);
  if (!axes) return std::nullopt;
  return node.op_type() == "Squeeze" ? squeezed(first, *axes) : unsqueezed(first, *axes);
}

}  // namespace culprit
