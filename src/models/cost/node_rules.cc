#include "cost/node_rules.h"

#include <set>
#include <string>
#include <string_view>

#include "cost/op_name.h"
#include "cost/rules/rule.h"

namespace culprit {
namespace {

using Ops = std::set<std::string_view>;

/// What they read of the first input is what they write.
bool picks(std::string_view op) {
  static const Ops ops = {"Gather", "GatherElements", "GatherND", "Slice", "Crop", "Compress"};
  return ops.contains(op);
}

/// One row of the tables at places 2 to 4 is read for each word, all of the others.
double embedding_read(const TypedNode& node) {
  double read = 0;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    if (!node.inputs[i].is_there()) continue;
    read += i >= 2 && i <= 4 ? node.outputs.at(0).bytes() : node.inputs[i].bytes();
  }
  return read;
}

/// They look at the sizes of the first input, not at its elements.
bool looks_at_sizes(std::string_view op) {
  static const Ops ops = {"Shape", "Size", "EyeLike", "RandomNormalLike", "RandomUniformLike"};
  return ops.contains(op);
}

}  // namespace

double node_flops(const TypedNode& node) {
  static const rules::Rules all = [] {
    rules::Rules made;
    rules::add_products(made);
    rules::add_element_rules(made);
    rules::add_layers(made);
    rules::add_attention(made);
    return made;
  }();
  const auto rule = all.find(op_name(*node.node));
  return rule == all.end() ? rules::not_known : rule->second(node);
}

double node_moved(const TypedNode& node) {
  const std::string op = op_name(*node.node);
  if (is_view(*node.node) || op == "Constant") return 0;
  double written = 0;
  for (const auto& output : node.outputs) written += output.is_there() ? output.bytes() : 0;
  if (op == "com.microsoft.EmbedLayerNormalization" && !node.outputs.empty()) return embedding_read(node) + written;
  double read = picks(op) ? written : 0;
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueShape& input = node.inputs[i];
    if (!input.is_there() || !seen.insert(input.name).second) continue;
    if (i == 0 && (picks(op) || looks_at_sizes(op))) continue;
    read += input.bytes();
  }
  return read + written;
}

bool is_view(const onnx::NodeProto& node) {
  static const Ops ops = {"Reshape", "Identity", "Squeeze", "Unsqueeze", "Flatten", "Dropout"};
  return ops.contains(op_name(node));
}

}  // namespace culprit
