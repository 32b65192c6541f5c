#include "model/lead_to_outputs.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/values_of_node.h"

namespace culprit {
namespace {

using ViewedNames = std::unordered_set<std::string_view>;

/// What leads to these values, and they themselves. Nodes stand in the order of use.
ViewedNames leading_to(const onnx::GraphProto& graph, ViewedNames values) {
  for (int i = graph.node_size(); i-- > 0;) {
    const auto& made = graph.node(i).output();
    if (std::ranges::none_of(made, [&](const auto& output) { return values.contains(output); })) continue;
    for (const std::string_view used : used_values(graph.node(i))) values.insert(used);
  }
  return values;
}

}  // namespace

std::set<std::string> values_that_lead_only_to(const onnx::GraphProto& graph, const std::set<std::string>& outputs) {
  ViewedNames wanted, others;
  for (const auto& output : graph.output()) (outputs.contains(output.name()) ? wanted : others).insert(output.name());
  const ViewedNames leading = leading_to(graph, wanted), elsewhere = leading_to(graph, others);
  std::set<std::string> found;
  for (const std::string_view value : leading) {
    if (!value.empty() && !elsewhere.contains(value)) found.emplace(value);
  }
  return found;
}

std::set<std::string> constant_outputs(const onnx::GraphProto& graph) {
  ViewedNames fed;
  for (const auto& input : graph.input()) fed.insert(input.name());
  for (const auto& node : graph.node()) {
    if (is_one_of(node.op_type(), {"Shape", "Size"}) && domain_of(node.domain()).empty()) continue;
    const auto used = used_values(node);
    const bool follows = std::ranges::any_of(used, [&](std::string_view value) { return fed.contains(value); });
    if (follows) fed.insert(node.output().begin(), node.output().end());
  }
  std::set<std::string> constant;
  for (const auto& output : graph.output()) {
    if (!fed.contains(output.name())) constant.insert(output.name());
  }
  return constant;
}

}  // namespace culprit
