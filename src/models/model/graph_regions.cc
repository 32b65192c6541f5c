#include "model/graph_regions.h"

#include <deque>
#include <unordered_set>

#include "base/as_index.h"

namespace culprit {
Region region_before(const GraphIndex& graph, const std::vector<int>& values, const std::vector<bool>& is_cut) {
  Region region;
  std::unordered_set<int> nodes, borders;
  std::deque<int> open;
  const auto visit = [&](int node) {
    if (node < 0 || !nodes.insert(node).second) return;
    region.nodes.push_back(node);
    open.push_back(node);
  };
  for (const int value : values) visit(graph.values[as_index(value)].node);
  while (!open.empty()) {
    const int node = open.front();
    open.pop_front();
    for (const int used : graph.nodes[as_index(node)].uses) {
      if (used < 0 || graph.values[as_index(used)].is_constant) continue;
      if (!is_cut[as_index(used)])
        visit(graph.values[as_index(used)].node);
      else if (borders.insert(used).second)
        region.borders.push_back(used);
    }
  }
  return region;
}

std::vector<int> cut_values_behind(const GraphIndex& graph, int value, const std::vector<bool>& is_cut,
                                   std::size_t most) {
  std::vector<int> found;
  std::unordered_set<int> nodes;
  std::deque<int> open = {value};
  while (!open.empty()) {
    const int from = open.front();
    open.pop_front();
    for (const auto& use : graph.values[as_index(from)].uses) {
      if (!nodes.insert(use.node).second) continue;
      if (nodes.size() > most) return {};
      for (const int made : graph.nodes[as_index(use.node)].makes) {
        if (made < 0) continue;
        if (is_cut[as_index(made)])
          found.push_back(made);
        else
          open.push_back(made);
      }
    }
  }
  return found;
}

}  // namespace culprit
