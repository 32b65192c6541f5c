#include <algorithm>
#include <array>
#include <set>

#include "model/graph_walk.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

template <class Do>
void for_each_mutable_graph(onnx::GraphProto& graph, const Do& act) {
  act(graph);
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) for_each_mutable_graph(*attribute.mutable_g(), act);
      for (auto& inner : *attribute.mutable_graphs()) for_each_mutable_graph(inner, act);
    }
  }
}

void node_names(onnx::ModelProto& model) {
  for_each_mutable_graph(*model.mutable_graph(), [](onnx::GraphProto& graph) {
    for (auto& node : *graph.mutable_node()) node.clear_name();
  });
}

void clear_documentation(onnx::GraphProto& graph) {
  graph.clear_doc_string();
  graph.clear_metadata_props();
  graph.clear_quantization_annotation();
  for (auto& node : *graph.mutable_node()) {
    node.clear_doc_string();
    node.clear_metadata_props();
    for (auto& attribute : *node.mutable_attribute()) attribute.clear_doc_string();
  }
  for (auto& tensor : *graph.mutable_initializer()) tensor.clear_doc_string();
  for (auto* infos : {graph.mutable_input(), graph.mutable_output(), graph.mutable_value_info()}) {
    for (auto& info : *infos) info.clear_doc_string();
  }
}

void documentation(onnx::ModelProto& model) {
  model.clear_doc_string();
  for_each_mutable_graph(*model.mutable_graph(), clear_documentation);
}

void metadata(onnx::ModelProto& model) {
  model.clear_metadata_props();
  model.clear_producer_name();
  model.clear_producer_version();
  model.clear_domain();
  model.clear_model_version();
  model.clear_training_info();
}

void value_info(onnx::ModelProto& model) {
  for_each_mutable_graph(*model.mutable_graph(), [](onnx::GraphProto& graph) { graph.clear_value_info(); });
}

std::set<std::string> domains_used(const onnx::ModelProto& model) {
  std::set<std::string> used;
  const auto use = [&](const auto& nodes) {
    for (const auto& node : nodes) used.insert(std::string(domain_of(node.domain())));
  };
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) { use(graph.node()); });
  for (const auto& function : model.functions()) use(function.node());
  return used;
}

/// The last one stays: a model without any is none.
void operator_sets(onnx::ModelProto& model) {
  const std::set<std::string> used = domains_used(model);
  auto& opsets = *model.mutable_opset_import();
  for (int i = opsets.size() - 1; i >= 0 && opsets.size() > 1; --i) {
    if (!used.contains(std::string(domain_of(opsets.Get(i).domain())))) opsets.DeleteSubrange(i, 1);
  }
}

void functions(onnx::ModelProto& model) {
  std::set<std::string> used;
  const auto use = [&](const auto& nodes) {
    for (const auto& node : nodes) used.insert(node.domain() + "::" + node.op_type());
  };
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) { use(graph.node()); });
  for (const auto& function : model.functions()) use(function.node());
  auto& all = *model.mutable_functions();
  for (int i = all.size() - 1; i >= 0; --i) {
    if (!used.contains(all.Get(i).domain() + "::" + all.Get(i).name())) all.DeleteSubrange(i, 1);
  }
}

constexpr std::array things = {node_names, documentation, metadata, value_info, operator_sets, functions};

std::optional<Case> stripped(const View& view, std::size_t first, std::size_t last) {
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  for (std::size_t i = first; i < last; ++i) things.at(i)(*made);
  return Case{std::move(made), view.samples};
}

}  // namespace

Delta strip() {
  return {Delta::Way::halving, true, [](const View&) { return things.size(); }, stripped, {}};
}

}  // namespace culprit
