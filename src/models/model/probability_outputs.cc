#include "model/probability_outputs.h"

#include <onnx/onnx_pb.h>

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/model.h"

namespace culprit {
namespace {

using KnownChances = std::unordered_map<std::string_view, bool>;

bool keeps_range(const std::string& op) {
  return is_one_of(
      op, {"Identity", "Cast", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Slice", "Gather", "Expand",
           "QuantizeLinear", "DequantizeLinear", "ReduceMean", "ReduceMax", "ReduceMin"});
}

/// Nothing where the node gives neither.
std::optional<bool> gives_chances(const onnx::NodeProto& node, const KnownChances& known) {
  const auto of_input = [&](int at) -> std::optional<bool> {
    const auto found = known.find(node.input(at));
    return found == known.end() ? std::nullopt : std::optional(found->second);
  };
  const std::string& op = node.op_type();
  if (is_one_of(op, {"Sigmoid", "HardSigmoid", "Softmax"})) return true;
  if (is_one_of(op, {"MatMul", "MatMulInteger", "Gemm", "Conv", "ConvInteger", "ConvTranspose", "LogSoftmax"}))
    return false;
  if (keeps_range(op) && node.input_size() > 0) return of_input(0);
  if (!is_one_of(op, {"Add", "Sub", "Mul", "Div"})) return std::nullopt;
  for (int at = 0; at < node.input_size(); ++at)
    if (of_input(at) == false) return false;
  return std::nullopt;
}

}  // namespace

std::map<std::string, bool> probability_outputs(const onnx::GraphProto& graph) {
  KnownChances known;
  for (const auto& node : graph.node()) {
    if (!domain_of(node.domain()).empty() || node.output_size() == 0) continue;
    if (const auto chances = gives_chances(node, known)) known[node.output(0)] = *chances;
  }
  std::map<std::string, bool> outputs;
  for (const auto& output : graph.output())
    if (const auto found = known.find(output.name()); found != known.end()) outputs[output.name()] = found->second;
  return outputs;
}

std::map<std::string, bool> probability_outputs(const Model& model) {
  return model.proto == nullptr ? std::map<std::string, bool>() : probability_outputs(model.proto->graph());
}

}  // namespace culprit
