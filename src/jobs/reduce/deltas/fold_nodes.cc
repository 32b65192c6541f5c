// Nodes anywhere: what they made becomes a constant. That is done only where there is a single sample.

#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

/// Constants as well: an initializer is the simpler one.
std::vector<std::string> all_made_values(const onnx::ModelProto& model) {
  std::vector<std::string> values;
  for (const auto& node : model.graph().node()) {
    for (const auto& output : node.output()) {
      if (!output.empty()) values.push_back(output);
    }
  }
  return values;
}

std::optional<Case> folded_nodes(const View& view, std::size_t first, std::size_t last) {
  if (view.samples.size() != 1) return std::nullopt;
  std::vector<bool> kept(static_cast<std::size_t>(view.model.graph().node_size()), true);
  for (std::size_t i = first; i < last; ++i) kept[i] = false;
  return cut(view, kept, StandIn::initializer);
}

}  // namespace

Delta fold_nodes() {
  return {Delta::Way::halving, false,
          [](const View& view) { return static_cast<std::size_t>(view.model.graph().node_size()); }, folded_nodes,
          all_made_values};
}

}  // namespace culprit
