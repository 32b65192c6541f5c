#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

struct Operand {
  int node, input;
};

/// The first input is hardly ever optional.
std::vector<Operand> operands_of(const onnx::GraphProto& graph) {
  std::vector<Operand> operands;
  for (int i = 0; i < graph.node_size(); ++i) {
    for (int k = 1; k < graph.node(i).input_size(); ++k) {
      if (!graph.node(i).input(k).empty()) operands.push_back({i, k});
    }
  }
  return operands;
}

std::optional<Case> without_operands(const View& view, std::size_t first, std::size_t last) {
  const std::vector<Operand> operands = operands_of(view.model.graph());
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  for (std::size_t i = first; i < last; ++i) {
    auto& node = *made->mutable_graph()->mutable_node(operands[i].node);
    node.set_input(operands[i].input, "");
  }
  for (auto& node : *made->mutable_graph()->mutable_node()) {
    while (node.input_size() > 0 && node.input(node.input_size() - 1).empty()) node.mutable_input()->RemoveLast();
  }
  std::vector<Inputs> samples = view.samples;
  sweep(*made, samples);
  return Case{std::move(made), std::move(samples)};
}

}  // namespace

Delta drop_operands() {
  return {Delta::Way::halving,
          false,
          [](const View& view) { return operands_of(view.model.graph()).size(); },
          without_operands,
          {}};
}

}  // namespace culprit
