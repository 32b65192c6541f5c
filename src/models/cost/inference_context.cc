#include "cost/inference_context.h"

#include <onnx/defs/tensor_proto_util.h>

#include <optional>
#include <stdexcept>

#include "model/traced_value.h"

namespace culprit {
namespace {

/// A list of this many integers may stand for a shape; ONNX's inference makes one dimension for each, unasked.
constexpr std::int64_t longest_inferred_list = std::int64_t{1} << 16;
constexpr std::int64_t longest_shape = 64;

const std::string& name_at(const google::protobuf::RepeatedPtrField<std::string>& names, std::size_t i) {
  if (i >= static_cast<std::size_t>(names.size())) throw std::out_of_range("no such input or output");
  return names.Get(static_cast<int>(i));
}

/// A vector longer than any shape is shown without its length.
onnx::TypeProto without_long_lists(const onnx::TypeProto& type) {
  onnx::TypeProto copy = type;
  if (!type.has_tensor_type() || type.tensor_type().shape().dim_size() != 1) return copy;
  auto& dim = *copy.mutable_tensor_type()->mutable_shape()->mutable_dim(0);
  if (dim.has_dim_value() && dim.dim_value() > longest_inferred_list &&
      type.tensor_type().elem_type() == onnx::TensorProto::INT64)
    dim.clear_dim_value();
  return copy;
}

/// The integers that a stored tensor holds; nothing for other tensors, and for those of two axes or more.
std::optional<onnx::TensorShapeProto> integers_in(const onnx::TensorProto& tensor) {
  if (tensor.dims_size() > 1) return std::nullopt;
  onnx::TensorShapeProto integers;
  if (tensor.data_type() == onnx::TensorProto::INT64) {
    for (const auto number : onnx::ParseData<std::int64_t>(&tensor)) integers.add_dim()->set_dim_value(number);
  } else if (tensor.data_type() == onnx::TensorProto::INT32) {
    for (const auto number : onnx::ParseData<std::int32_t>(&tensor)) integers.add_dim()->set_dim_value(number);
  } else {
    return std::nullopt;
  }
  return integers;
}

}  // namespace

NodeInferenceContext::NodeInferenceContext(const onnx::NodeProto& node, const ShapeScope& scope)
    : node_(node), scope_(scope), outputs_(static_cast<std::size_t>(node.output_size())) {
  for (const std::string& input : node.input()) {
    const auto* known = scope.type(input);
    types_.push_back(known == nullptr ? onnx::TypeProto() : without_long_lists(*known));
  }
}

const onnx::AttributeProto* NodeInferenceContext::getAttribute(const std::string& name) const {
  return attribute_of(node_, name);
}

/// An input that is left out has none; one of which nothing is known has an empty one, which can be looked at.
const onnx::TypeProto* NodeInferenceContext::getInputType(std::size_t i) const {
  return name_at(node_.input(), i).empty() ? nullptr : &types_[i];
}

/// An empty list says something to these only; elsewhere its first element would be read.
const onnx::TensorProto* NodeInferenceContext::getInputData(std::size_t i) const {
  const auto* tensor = scope_.data(name_at(node_.input(), i));
  if (tensor == nullptr) return nullptr;
  const bool is_empty = tensor->dims_size() == 1 && tensor->dims(0) == 0;
  const std::string& op = node_.op_type();
  const bool takes_empty = op == "Reshape" || op == "Expand" || op == "ConstantOfShape";
  return is_empty && !takes_empty ? nullptr : tensor;
}

const onnx::TensorShapeProto* NodeInferenceContext::getSymbolicInput(std::size_t i) const {
  return scope_.integers(name_at(node_.input(), i));
}

onnx::TypeProto* NodeInferenceContext::getOutputType(std::size_t i) {
  name_at(node_.output(), i);
  return &outputs_[i];
}

onnx::GraphInferencer* NodeInferenceContext::getGraphAttributeInferencer(const std::string&) {
  throw onnx::InferenceError("bodies are walked elsewhere");
}

const onnx::AttributeProto* NodePropagationContext::getAttribute(const std::string& name) const {
  return attribute_of(node_, name);
}

const onnx::TypeProto* NodePropagationContext::getInputType(std::size_t i) const {
  return scope_.type(name_at(node_.input(), i));
}

const onnx::TypeProto* NodePropagationContext::getOutputType(std::size_t i) const {
  static const onnx::TypeProto none;
  const auto* known = scope_.type(name_at(node_.output(), i));
  return known == nullptr ? &none : known;
}

const onnx::TensorShapeProto* NodePropagationContext::getInputData(std::size_t i) {
  const std::string& name = name_at(node_.input(), i);
  if (const auto* known = scope_.integers(name)) return known;
  if (const auto* tensor = scope_.data(name)) {
    auto integers = integers_in(*tensor);
    return integers ? &read_.emplace_back(std::move(*integers)) : nullptr;
  }
  const auto* type = scope_.type(name);
  if (type == nullptr || type->tensor_type().shape().dim_size() != 1) return nullptr;
  const auto& length = type->tensor_type().shape().dim(0);
  if (!length.has_dim_value() || length.dim_value() > longest_shape) return nullptr;
  auto& unknown = read_.emplace_back();
  for (std::int64_t k = 0; k < length.dim_value(); ++k) unknown.add_dim();
  return &unknown;
}

void NodePropagationContext::addOutputData(std::size_t i, onnx::TensorShapeProto&& integers) {
  scope_.set_integers(name_at(node_.output(), i), std::move(integers));
}

}  // namespace culprit
