#include "cost/infer_node.h"

#include <onnx/defs/schema.h>

#include <algorithm>
#include <array>
#include <exception>

#include "cost/foreign_shapes.h"
#include "cost/inference_context.h"
#include "cost/value_shape.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

constexpr std::int64_t largest_step = std::int64_t{1} << 31;
/// ONNX finds the rest of a division by strides by taking the stride away again and again.
constexpr double largest_padded_size = 1 << 24;

bool all_within(const onnx::AttributeProto& list, std::int64_t low) {
  return std::all_of(list.ints().begin(), list.ints().end(),
                     [&](std::int64_t step) { return step >= low && step <= largest_step; });
}

/// ONNX divides by these, and takes sums and products of the others.
bool has_sane_numbers(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    const std::string& name = attribute.name();
    if ((name == "strides" || name == "dilations") && !all_within(attribute, 1)) return false;
    if ((name == "kernel_shape" || name == "output_shape" || name == "output_padding") && !all_within(attribute, 0))
      return false;
    if (name == "pads" && !all_within(attribute, -largest_step)) return false;
    constexpr std::array divisors = {"num_outputs", "blocksize", "q_num_heads", "kv_num_heads", "group"};
    const bool divides = std::find(divisors.begin(), divisors.end(), name) != divisors.end();
    if (divides && (attribute.i() < 1 || attribute.i() > largest_step)) return false;
  }
  return true;
}

/// Which input is the weight that slides over the first one; 0 where there is none.
int weight_slot(const onnx::NodeProto& node) {
  const std::string& op = node.op_type();
  if (op == "Conv" || op == "ConvTranspose" || op == "ConvInteger" || op == "DeformConv") return 1;
  return op == "QLinearConv" ? 3 : 0;
}

/// Nodes that ONNX's inference would read beyond its lists for, divide by zero, or take hours.
bool is_safe(const onnx::NodeProto& node, const ShapeScope& scope) {
  if (!has_sane_numbers(node)) return false;
  if (node.op_type() == "SplitToSequence") return false;  // divides by what a stored tensor holds
  const auto shape_at = [&](int i) {
    const auto* type = i < node.input_size() ? scope.type(node.input(i)) : nullptr;
    return type == nullptr ? ValueShape{} : value_shape(node.input(i), *type);
  };
  const ValueShape input = shape_at(0);
  const ValueShape weight = shape_at(weight_slot(node));
  if (weight_slot(node) != 0 && input.dims && weight.dims && (input.rank() != weight.rank() || input.rank() < 3))
    return false;
  if (attribute_of(node, "auto_pad") == nullptr) return true;
  for (int axis = 0; axis < input.rank(); ++axis) {
    if (input.dim(axis) > largest_padded_size) return false;
  }
  return true;
}

}  // namespace

bool infer_by_schema(const onnx::NodeProto& node, int version, ShapeScope& scope) {
  const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), version, std::string(domain_of(node.domain())));
  if (schema == nullptr || schema->Deprecated()) return false;
  if (!schema->has_type_and_shape_inference_function() || has_graph(node) || !is_safe(node, scope)) return true;
  try {
    schema->Verify(node);
    NodeInferenceContext context(node, scope);
    schema->GetTypeAndShapeInferenceFunction()(context);
    for (int i = 0; i < node.output_size(); ++i) {
      const auto& type = *context.getOutputType(static_cast<std::size_t>(i));
      if (!node.output(i).empty() && type.value_case() != onnx::TypeProto::VALUE_NOT_SET)
        scope.set_type(node.output(i), type);
    }
    if (schema->has_data_propagation_function()) {
      NodePropagationContext propagation(node, scope);
      schema->GetDataPropagationFunction()(propagation);
    }
  } catch (const std::exception&) {
    return true;  // nothing follows for such a node; which complaint it was does not matter here
  }
  return true;
}

void infer_node(const onnx::NodeProto& node, const Opsets& opsets, ShapeScope& scope) {
  const auto version = opsets.find(std::string(domain_of(node.domain())));
  if (version != opsets.end() && infer_by_schema(node, version->second, scope)) return;
  infer_foreign(node, scope);
}

}  // namespace culprit
