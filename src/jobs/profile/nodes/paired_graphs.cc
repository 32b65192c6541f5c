#include "profile/nodes/paired_graphs.h"

#include <algorithm>
#include <map>

#include "base/as_index.h"

namespace culprit {
namespace {

constexpr std::size_t most_namesakes = 64;  // a name that more graphs have tells nothing

/// Do the nodes around these bodies look the same?
bool same_outer(const FlatModel& a, int graph_a, const FlatModel& b, int graph_b) {
  const int outer_a = a.graphs[as_index(graph_a)].outer, outer_b = b.graphs[as_index(graph_b)].outer;
  if (outer_a < 0 || outer_b < 0) return outer_a == outer_b;
  if (a.graphs[as_index(graph_a)].attribute != b.graphs[as_index(graph_b)].attribute) return false;
  const auto& one = *a.nodes[as_index(outer_a)].source;
  const auto& other = *b.nodes[as_index(outer_b)].source;
  if (!one.name().empty() && one.name() == other.name()) return true;
  return one.output_size() > 0 && other.output_size() > 0 && one.output(0) == other.output(0);
}

}  // namespace

std::vector<std::vector<int>> paired_graphs(const FlatModel& original, const FlatModel& optimized) {
  std::vector<std::map<int, int>> shared(optimized.graphs.size());
  for (std::size_t value = 0; value < optimized.index.values.size(); ++value) {
    const auto& mates = original.named(optimized.name_of(static_cast<int>(value)));
    if (mates.size() > most_namesakes) continue;
    for (const int mate : mates)
      ++shared[as_index(optimized.graph_of(static_cast<int>(value)))][original.graph_of(mate)];
  }
  std::vector<std::vector<int>> pairs(optimized.graphs.size());
  for (std::size_t graph = 0; graph < pairs.size(); ++graph) {
    const auto rank = [&](int mate) {
      return std::pair(same_outer(optimized, static_cast<int>(graph), original, mate), shared[graph][mate]);
    };
    if (graph == 0) shared[0].try_emplace(0, 0);
    for (const auto& [mate, names] : shared[graph]) pairs[graph].push_back(mate);
    std::ranges::stable_sort(pairs[graph], [&](int a, int b) { return rank(a) > rank(b); });
  }
  return pairs;
}

}  // namespace culprit
