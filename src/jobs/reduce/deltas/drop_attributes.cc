#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

using Visit = std::function<void(onnx::NodeProto&, int attribute)>;

/// Attributes that are no graphs, of all nodes, those of bodies too; from the last to the first of each node, so that
/// `visit` may remove one.
void for_each_attribute(onnx::GraphProto& graph, const Visit& visit) {
  for (auto& node : *graph.mutable_node()) {
    for (int i = node.attribute_size() - 1; i >= 0; --i) {
      auto& attribute = *node.mutable_attribute(i);
      if (attribute.has_g()) for_each_attribute(*attribute.mutable_g(), visit);
      for (auto& inner : *attribute.mutable_graphs()) for_each_attribute(inner, visit);
      if (!attribute.has_g() && attribute.graphs_size() == 0) visit(node, i);
    }
  }
}

std::size_t count_attributes(const View& view) {
  std::size_t found = 0;
  onnx::GraphProto graph = view.model.graph();
  for_each_attribute(graph, [&](onnx::NodeProto&, int) { ++found; });
  return found;
}

std::optional<Case> without_attributes(const View& view, std::size_t first, std::size_t last) {
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  std::size_t number = 0;
  for_each_attribute(*made->mutable_graph(), [&](onnx::NodeProto& node, int attribute) {
    if (number >= first && number < last) node.mutable_attribute()->DeleteSubrange(attribute, 1);
    ++number;
  });
  return Case{std::move(made), view.samples};
}

}  // namespace

Delta drop_attributes() { return {Delta::Way::halving, false, count_attributes, without_attributes, {}}; }

}  // namespace culprit
