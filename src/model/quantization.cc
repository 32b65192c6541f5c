#include "model/quantization.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// Their output holds elements of their data inputs and no others.
constexpr std::array<std::string_view, 18> moving_only = {
    "Identity", "Reshape", "Transpose",    "Squeeze",      "Unsqueeze", "Flatten", "Slice",   "Concat", "Gather",
    "Split",    "Expand",  "DepthToSpace", "SpaceToDepth", "Tile",      "MaxPool", "Dropout", "Relu",   "Pad"};

class Steps {
 public:
  explicit Steps(const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) constants_.emplace(tensor.name(), &tensor);
    for (const auto& node : graph.node()) {
      if (node.op_type() == "Constant") add_constant(node);
      add(node);
    }
  }

  [[nodiscard]] double of(const std::string& name) const {
    const auto found = steps_.find(name);
    return found == steps_.end() ? 0 : found->second;
  }

 private:
  void add_constant(const onnx::NodeProto& node) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_t() && node.output_size() == 1) constants_.emplace(node.output(0), &attribute.t());
    }
  }

  void add(const onnx::NodeProto& node) {
    if (node.output().empty()) return;
    const std::string_view op = node.op_type();
    // The second and third output of DynamicQuantizeLinear are the scale and the zero point.
    if (op == "QuantizeLinear" || op == "DynamicQuantizeLinear" || op.starts_with("QLinear")) {
      steps_[node.output(0)] = 1;
    } else if (op == "DequantizeLinear") {
      steps_[node.output(0)] = node.input_size() > 1 ? largest(node.input(1)) : 0;
    } else if (std::ranges::find(moving_only, op) != moving_only.end()) {
      pass_on(node);
    }
  }

  /// Only Concat has several data inputs; what else stands there are sizes, positions and the like.
  void pass_on(const onnx::NodeProto& node) {
    const int data = node.op_type() == "Concat" ? node.input_size() : std::min(1, node.input_size());
    double step = 0;
    for (int i = 0; i < data; ++i) step = std::max(step, of(node.input(i)));
    // Further outputs are data only where one is split; of others they are masks and indices.
    const int outputs = node.op_type() == "Split" ? node.output_size() : 1;
    for (int i = 0; i < outputs; ++i) steps_[node.output(i)] = step;
  }

  [[nodiscard]] double largest(const std::string& scale) const {
    const auto found = constants_.find(scale);
    if (found == constants_.end()) return 0;
    const auto tensor = from_proto(*found->second);
    if (!tensor || !is_float(tensor->dtype())) return 0;
    double most = 0;
    for (std::int64_t i = 0; i < tensor->count(); ++i) {
      const double value = std::abs(tensor->number(i));
      if (std::isfinite(value)) most = std::max(most, value);
    }
    return most;
  }

  std::unordered_map<std::string, const onnx::TensorProto*> constants_;
  std::unordered_map<std::string, double> steps_;
};

}  // namespace

std::map<std::string, double> quantization_steps(const onnx::ModelProto& model) {
  const Steps steps(model.graph());
  std::map<std::string, double> found;
  for (const auto& output : model.graph().output()) {
    if (const double step = steps.of(output.name()); step > 0) found[output.name()] = step;
  }
  return found;
}

}  // namespace culprit
