#include "model/stepped.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>

#include "tensor/dtype.h"

namespace culprit {
namespace {

/// How a value follows from the model's inputs. In this order: what follows from several is as the last.
enum class Nature { steady, stepped, smooth };

constexpr std::array<std::string_view, 4> that_ask_for_shapes = {"Shape", "Size", "EyeLike", "ConstantOfShape"};

/// Whatever goes in, what comes out stands still or jumps. QLinear operators are left out: they add up.
constexpr std::array<std::string_view, 21> that_jump = {
    "ArgMax",  "ArgMin",         "Bucketize", "Ceil", "Equal",       "Floor", "Greater", "GreaterOrEqual",
    "Hardmax", "IsInf",          "IsNaN",     "Less", "LessOrEqual", "Not",   "And",     "Or",
    "Xor",     "QuantizeLinear", "Round",     "Sign", "NonZero"};

/// Elements are moved, or combined one by one with those of the other inputs.
constexpr std::array<std::string_view, 47> one_by_one = {
    "Identity",  "Reshape",       "Transpose", "Squeeze",      "Unsqueeze", "Flatten",    "Slice",
    "Concat",    "Gather",        "Split",     "Expand",       "Tile",      "Pad",        "GatherElements",
    "GatherND",  "Where",         "OneHot",    "DepthToSpace", "MaxPool",   "ReduceMax",  "SpaceToDepth",
    "ReduceMin", "GlobalMaxPool", "Dropout",   "Relu",         "LeakyRelu", "Clip",       "DequantizeLinear",
    "Add",       "Sub",           "Mul",       "Div",          "Neg",       "Abs",        "Sqrt",
    "Pow",       "Exp",           "Log",       "Sigmoid",      "Tanh",      "Reciprocal", "Max",
    "Min",       "Sum",           "Cast",      "CastLike",     "Mean"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

bool is_float_type(std::int32_t type) { return is_float(dtype_from_onnx(type).value_or(DType::undefined)); }

bool has_subgraph(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const auto& a) { return a.has_g() || a.graphs_size() > 0; });
}

bool casts_to_exact(const onnx::NodeProto& node) {
  if (node.op_type() != "Cast") return false;
  const auto to = std::ranges::find(node.attribute(), "to", &onnx::AttributeProto::name);
  return to != node.attribute().end() && !is_float_type(static_cast<std::int32_t>(to->i()));
}

class Natures {
 public:
  explicit Natures(const onnx::GraphProto& graph) {
    for (const auto& input : graph.input()) {
      const auto type = input.type().tensor_type().elem_type();
      natures_[input.name()] = is_float_type(type) || !input.type().has_tensor_type() ? Nature::smooth : Nature::steady;
    }
    for (const auto& tensor : graph.initializer()) natures_[tensor.name()] = Nature::steady;  // over a default
    for (const auto& tensor : graph.sparse_initializer()) natures_[tensor.values().name()] = Nature::steady;
    for (const auto& node : graph.node()) {
      for (int i = 0; i < node.output_size(); ++i) natures_[node.output(i)] = nature_of(node, i);
    }
  }

  [[nodiscard]] Nature of(const std::string& value) const {
    const auto at = natures_.find(value);
    return at == natures_.end() ? Nature::steady : at->second;  // an input that is left out
  }

 private:
  [[nodiscard]] Nature nature_of(const onnx::NodeProto& node, int output) const {
    const std::string_view op = node.op_type();
    if (!node.domain().empty() || has_subgraph(node)) return Nature::smooth;
    if (is_one_of(that_ask_for_shapes, op)) return Nature::steady;
    Nature nature = Nature::steady;
    for (const auto& input : node.input()) nature = std::max(nature, of(input));
    if (nature == Nature::steady) return nature;
    if (is_one_of(that_jump, op) || casts_to_exact(node)) return Nature::stepped;
    if (op == "TopK" && output == 1) return Nature::stepped;
    return is_one_of(one_by_one, op) ? nature : Nature::smooth;
  }

  std::unordered_map<std::string, Nature> natures_;
};

}  // namespace

std::set<std::string> stepped_outputs(const onnx::ModelProto& model) {
  const Natures natures(model.graph());
  std::set<std::string> found;
  for (const auto& output : model.graph().output()) {
    if (natures.of(output.name()) == Nature::stepped) found.insert(output.name());
  }
  return found;
}

}  // namespace culprit
