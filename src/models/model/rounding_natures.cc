#include "model/rounding_natures.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/rounding_ops.h"
#include "tensor/dtype.h"

namespace culprit {
namespace {

constexpr std::array<std::string_view, 19> that_jump = {"Bucketize",
                                                        "Ceil",
                                                        "Floor",
                                                        "Mod",
                                                        "Round",
                                                        "Sign",
                                                        "QuantizeLinear",
                                                        "DynamicQuantizeLinear",
                                                        "DynamicQuantizeMatMul",
                                                        "DynamicQuantizeLSTM",
                                                        "QGemm",
                                                        "QAttention",
                                                        "Binarizer",
                                                        "TreeEnsemble",
                                                        "TreeEnsembleRegressor",
                                                        "Shrink",
                                                        "ThresholdedRelu",
                                                        "MaxRoiPool",
                                                        "Hardmax"};

constexpr std::array<std::string_view, 23> that_name = {"ArgMax",
                                                        "ArgMin",
                                                        "NonZero",
                                                        "NonMaxSuppression",
                                                        "Equal",
                                                        "Greater",
                                                        "GreaterOrEqual",
                                                        "Less",
                                                        "LessOrEqual",
                                                        "IsInf",
                                                        "IsNaN",
                                                        "Not",
                                                        "And",
                                                        "Or",
                                                        "Xor",
                                                        "LabelEncoder",
                                                        "StringConcat",
                                                        "StringNormalizer",
                                                        "StringSplit",
                                                        "Unique",
                                                        "CategoryMapper",
                                                        "Multinomial",
                                                        "Tokenizer"};

/// Their first output names a class; the others hold scores.
constexpr std::array<std::string_view, 3> that_classify = {"LinearClassifier", "SVMClassifier",
                                                           "TreeEnsembleClassifier"};

class RoundingNatures {
 public:
  explicit RoundingNatures(const onnx::ModelProto& model) : model_(model) {}

  std::map<std::string, Nature> of_main_graph() {
    for (const auto& tensor : model_.graph().initializer()) constants_.insert(tensor.name());
    for (const auto& node : model_.graph().node()) {
      const bool is_constant = is_made_of_constants(node);
      for (int i = 0; i < node.output_size(); ++i) {
        if (node.output(i).empty()) continue;
        found_[node.output(i)] = is_constant ? Nature::smooth : nature_of(node, i);
        if (is_constant) constants_.insert(node.output(i));
      }
    }
    return std::move(found_);
  }

 private:
  /// What a subgraph uses is not looked at.
  [[nodiscard]] bool is_made_of_constants(const onnx::NodeProto& node) const {
    return !has_graph(node) && !node.op_type().starts_with("Random") &&
           std::ranges::all_of(node.input(),
                               [&](const auto& name) { return name.empty() || constants_.contains(name); });
  }

  /// Inputs and weights, and what is left out, are smooth.
  [[nodiscard]] Nature of(const std::string& value) const {
    const auto at = found_.find(value);
    return at == found_.end() ? Nature::smooth : at->second;
  }

  /// What the operator itself does to this output.
  static Nature by_operator(const onnx::NodeProto& node, int output) {
    const std::string_view op = node.op_type();
    if (is_one_of(op, that_name)) return op == "Unique" && output == 0 ? Nature::stepped : Nature::named;
    if (op == "TopK") return output == 1 ? Nature::named : Nature::smooth;
    if (is_one_of(op, that_classify)) {
      if (output == 0) return Nature::named;
      return op.starts_with("Tree") ? Nature::stepped : Nature::smooth;
    }
    if (type_cast_to(node) == DType::string) return Nature::named;
    const bool jumps = is_one_of(op, that_jump) || op.starts_with("QLinear") || casts_to_exact(node);
    return jumps ? Nature::stepped : Nature::smooth;
  }

  /// Numbers behind a name (what is gathered by an index) are no names themselves, but for integers and texts.
  [[nodiscard]] Nature nature_of(const onnx::NodeProto& node, int output) const {
    if (is_made_of_shapes(node.op_type())) return Nature::smooth;
    Nature nature = by_operator(node, output);
    if (node.op_type() == "Where") {  // what is chosen jumps; the choice itself is not handed on
      for (int i = 1; i < node.input_size(); ++i) nature = std::max(nature, of(node.input(i)));
      return node.input_size() > 0 && of(node.input(0)) != Nature::smooth ? std::max(nature, Nature::stepped) : nature;
    }
    for (const auto& input : node.input()) nature = std::max(nature, of(input));
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) nature = std::max(nature, inside(attribute.g().node()));
      for (const auto& graph : attribute.graphs()) nature = std::max(nature, inside(graph.node()));
    }
    for (const auto& function : model_.functions()) {
      const bool is_called = function.name() == node.op_type() && function.domain() == node.domain();
      if (is_called) nature = std::max(nature, inside(function.node()));
    }
    // Of what is sorted, the values move a little even if the places jump.
    return node.op_type() == "TopK" && output == 0 ? of(node.input(0)) : nature;
  }

  /// The last nature of anything in there, and of what it uses from outside.
  template <class Nodes>
  [[nodiscard]] Nature inside(const Nodes& nodes) const {
    Nature nature = Nature::smooth;
    for (const auto& node : nodes) {
      for (int i = 0; i < node.output_size(); ++i)
        nature = std::max(nature, std::min(by_operator(node, i), Nature::stepped));
      for (const auto& input : node.input()) nature = std::max(nature, of(input));
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) nature = std::max(nature, inside(attribute.g().node()));
      }
    }
    return nature;
  }

  const onnx::ModelProto& model_;
  std::set<std::string> constants_;  // weights, and what is made of them alone
  std::map<std::string, Nature> found_;
};

}  // namespace

std::map<std::string, Nature> natures_of(const onnx::ModelProto& model) {
  return RoundingNatures(model).of_main_graph();
}

}  // namespace culprit
