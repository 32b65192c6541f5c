#include "model/summed_operands.h"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "model/rounding_ops.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

using Axes = std::vector<std::int64_t>;

/// Axes that a tensor has not are passed over.
Axes from(std::int64_t first) {
  Axes axes;
  for (std::int64_t axis = first; axis < 8; ++axis) axes.push_back(axis);
  return axes;
}

Axes axes_of_product(const onnx::NodeProto& node, int i) {
  const std::string& op = node.op_type();
  if (op == "MatMul" || op == "FusedMatMul") return {i == 0 ? -1 : -2};
  if (op == "Gemm" || op == "FusedGemm") {
    const bool is_transposed = integer_of(node, i == 0 ? "transA" : "transB", 0) != 0;
    return {is_transposed == (i == 0) ? 0 : 1};
  }
  if (op == "Conv" || op == "FusedConv") return i == 0 ? Axes{1} : from(1);
  if (op == "ConvTranspose") return {i == 0 ? 1 : 0};
  return {};
}

bool adds_along_axes(std::string_view op) {
  return op == "ReduceSum" || op == "ReduceMean" || op == "ReduceL1" || op == "ReduceL2" || op == "ReduceSumSquare" ||
         op == "CumSum";
}

Axes axes_of_reduction(const onnx::NodeProto& node, const KnownIntegers& known) {
  if (const auto* axes = attribute_of(node, "axes")) return {axes->ints().begin(), axes->ints().end()};
  const auto given = node.input_size() > 1 && !node.input(1).empty() ? known(node.input(1)) : std::nullopt;
  return given && !given->empty() ? *given : from(0);
}

std::int64_t window_of(const onnx::NodeProto& node) {
  std::int64_t window = 1;
  if (const auto* kernel = attribute_of(node, "kernel_shape")) {
    for (const std::int64_t size : kernel->ints()) window *= std::max<std::int64_t>(size, 1);
  }
  return window;
}

}  // namespace

std::optional<RoundingMoves> how_summed(const onnx::NodeProto& node, int i, const KnownIntegers& known) {
  const std::string& op = node.op_type();
  RoundingMoves how;
  if (is_product(op) && i < 2) {
    how.summed_axes = axes_of_product(node, i);
  } else if (is_recurrent(op) && i < 3) {
    how.summed_axes = {2};
  } else if (adds_along_axes(op) && i == 0) {
    how.summed_axes = axes_of_reduction(node, known);
  } else if ((op == "GlobalAveragePool" || op == "GlobalLpPool") && i == 0) {
    how.summed_axes = from(2);
  } else if ((op == "AveragePool" || op == "LpPool") && i == 0) {
    how.summed_axes = from(2);
    how.terms = window_of(node);
  }
  return how.summed_axes.empty() ? std::nullopt : std::optional(how);
}

}  // namespace culprit
