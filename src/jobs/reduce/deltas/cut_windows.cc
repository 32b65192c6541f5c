// Windows over the nodes in their order: halves, the middle half, then all but a quarter, an eighth ... at either end.
// A model of thousands of nodes is small after a dozen steps, and each costs less than half of the one before.

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

constexpr std::size_t fewest = 6;  // nodes: with less, dropping single ones is as quick

struct Window {
  std::size_t first, last;
};

/// Numbers of the nodes that are no constants.
std::vector<int> nodes_of(const onnx::GraphProto& graph) {
  std::vector<int> nodes;
  for (int i = 0; i < graph.node_size(); ++i) {
    if (!is_constant(graph.node(i))) nodes.push_back(i);
  }
  return nodes;
}

/// The most that goes at once first.
std::vector<Window> windows_over(std::size_t nodes) {
  if (nodes < fewest) return {};
  std::vector<Window> windows{{0, nodes / 2}, {nodes / 2, nodes}, {nodes / 4, nodes - nodes / 4}};
  constexpr std::array<std::size_t, 4> parts = {4, 8, 16, 32};
  for (const std::size_t part : parts) {
    if (nodes / part == 0) break;
    windows.push_back({0, nodes - nodes / part});
    windows.push_back({nodes / part, nodes});
  }
  return windows;
}

/// Values that are made before one of these places in the order and used behind it.
std::vector<std::string> values_across(const onnx::GraphProto& graph, const std::vector<int>& nodes,
                                       const std::set<std::size_t>& places) {
  std::unordered_map<std::string, std::size_t> made_at;
  std::vector<std::string> across;
  std::set<std::string> seen;
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    const auto& node = graph.node(nodes[at]);
    for (const std::string& name : used_by(node)) {
      const auto made = made_at.find(name);
      if (made == made_at.end()) continue;
      const auto place = places.upper_bound(made->second);  // the first behind what makes it
      if (place != places.end() && *place <= at && seen.insert(name).second) across.push_back(name);
    }
    for (const auto& output : node.output()) made_at[output] = at;
  }
  return across;
}

std::vector<std::string> values_between_windows(const onnx::ModelProto& model) {
  const std::vector<int> nodes = nodes_of(model.graph());
  std::set<std::size_t> places;
  for (const Window& window : windows_over(nodes.size())) places.insert({window.first, window.last});
  return values_across(model.graph(), nodes, places);
}

std::optional<Case> window(const View& view, std::size_t number, std::size_t /*last*/) {
  const std::vector<int> nodes = nodes_of(view.model.graph());
  const Window chosen = windows_over(nodes.size()).at(number);
  std::vector<bool> kept(static_cast<std::size_t>(view.model.graph().node_size()), false);
  for (std::size_t i = chosen.first; i < chosen.last; ++i) kept[static_cast<std::size_t>(nodes[i])] = true;
  return cut(view, kept);
}

}  // namespace

Delta cut_windows() {
  return {Delta::Way::listed, false,
          [](const View& view) { return windows_over(nodes_of(view.model.graph()).size()).size(); }, window,
          values_between_windows};
}

}  // namespace culprit
