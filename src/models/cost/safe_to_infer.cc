#include "cost/safe_to_infer.h"

#include <algorithm>
#include <array>

#include "cost/shape_scope.h"
#include "cost/value_shape.h"
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

/// An axis of the first input, or the place behind the last one.
bool has_axis(const onnx::NodeProto& node, const ValueShape& input, std::int64_t behind) {
  const auto* axis = attribute_of(node, "axis");
  return axis == nullptr || !input.dims || (axis->i() >= -input.rank() - behind && axis->i() < input.rank() + behind);
}

/// What some operators want of their first inputs beyond the schema.
bool has_fitting_ranks(const onnx::NodeProto& node, const ValueShape& input, const ValueShape& second) {
  const std::string& op = node.op_type();
  if (op == "LSTM" || op == "GRU" || op == "RNN") return input.rank() == 3;
  if (op == "LayerNormalization") return has_axis(node, input, 0);
  if (op == "Split") return integer_of(node, "num_outputs", node.output_size()) == node.output_size();
  if (op == "GatherND") {
    const std::int64_t batches = integer_of(node, "batch_dims", 0);
    return batches >= 0 && batches < std::max(input.rank(), 1) && batches < std::max(second.rank(), 1);
  }
  return has_axis(node, input, 1);
}

}  // namespace

bool is_safe_to_infer(const onnx::NodeProto& node, const ShapeScope& scope) {
  if (!has_sane_numbers(node)) return false;
  constexpr std::array passed_over = {"SplitToSequence", "MaxUnpool", "MaxRoiPool", "MelWeightMatrix"};
  if (std::find(passed_over.begin(), passed_over.end(), node.op_type()) != passed_over.end()) return false;
  const ValueShape input = shape_at(node, scope, 0);
  const ValueShape weight = shape_at(node, scope, weight_slot(node));
  if (!has_fitting_ranks(node, input, shape_at(node, scope, 1))) return false;
  if (weight_slot(node) != 0 && input.dims && weight.dims && (input.rank() != weight.rank() || input.rank() < 3))
    return false;
  if (attribute_of(node, "auto_pad") == nullptr) return true;
  for (int axis = 0; axis < input.rank(); ++axis) {
    if (input.dim(axis) > largest_padded_size) return false;
  }
  return true;
}

}  // namespace culprit
