#include "compare/rewritten_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "compare/limits_differ.h"

namespace culprit {
namespace {

constexpr std::size_t named = 5;

/// What a node is given at one place, in A and in B.
enum class Given { same, other_constant, something_else };

class Nodes {
 public:
  explicit Nodes(const ComparedGraphs& graphs) : graphs_(graphs) {}

  /// Of nodes whose inputs are the same but for constants: do they do something else?
  [[nodiscard]] bool are_written_otherwise(int node_a, int node_b) const {
    const GraphIndex::Node& a = graphs_.index_a.nodes[as_index(node_a)];
    const GraphIndex::Node& b = graphs_.index_b.nodes[as_index(node_b)];
    bool is_other = a.meaning != b.meaning;
    for (std::size_t place = 0; place < std::max(a.uses.size(), b.uses.size()); ++place) {
      const Given here = given(place < a.uses.size() ? a.uses[place] : -1, place < b.uses.size() ? b.uses[place] : -1);
      if (here == Given::something_else) return false;
      is_other = is_other || here == Given::other_constant;
    }
    return is_other;
  }

 private:
  [[nodiscard]] Given given(int a, int b) const {
    const bool is_fed_a = a >= 0 && !graphs_.index_a.values[as_index(a)].is_constant;
    const bool is_fed_b = b >= 0 && !graphs_.index_b.values[as_index(b)].is_constant;
    if (is_fed_a || is_fed_b)
      return is_fed_a && is_fed_b && graphs_.map.to_b[as_index(a)] == b ? Given::same : Given::something_else;
    const Hash128 one = content(graphs_.index_a, a), other = content(graphs_.index_b, b);
    const bool is_known = a < 0 || b < 0 || (one != Hash128{} && other != Hash128{});  // not what nodes compute
    return is_known && one != other ? Given::other_constant : Given::same;
  }

  static Hash128 content(const GraphIndex& graph, int value) {
    return value < 0 ? Hash128{} : graph.values[as_index(value)].content;
  }

  const ComparedGraphs& graphs_;
};

}  // namespace

std::vector<OtherNode> other_nodes_of_same_bits(const ComparedGraphs& graphs, const InnerValues& inner) {
  const Nodes nodes(graphs);
  std::vector<OtherNode> found;
  for (std::size_t v = 0; v < inner.values().size(); ++v) {
    const InnerValue& value = inner.values()[v];
    const int mate = graphs.map.to_b[v];
    const auto& entry = graphs.index_a.values[v];
    if (mate < 0 || value.state != ValueState::equal || value.measurement.mismatched > 0 || entry.place > 0) continue;
    const int node = graphs.index_b.values[as_index(mate)].node;
    if (entry.node < 0 || node < 0 || !nodes.are_written_otherwise(entry.node, node)) continue;
    found.push_back({node_ref(graphs.index_a, entry.node), node_ref(graphs.index_b, node),
                     limits_differ(graphs, entry.node, node)});
  }
  return found;
}

std::string text_of(const std::vector<OtherNode>& nodes) {
  std::vector<std::string> said;
  for (std::size_t i = 0; i < std::min(nodes.size(), named); ++i) {
    const NodeRef& a = nodes[i].a;
    said.push_back(printable(a.op, 60) + " '" + printable(a.name.empty() ? a.output : a.name, 60) + "'" +
                   (nodes[i].b.op == a.op ? "" : " (" + printable(nodes[i].b.op, 60) + " in B)"));
  }
  if (nodes.size() > named) said.push_back(fmt::format("{} more", nodes.size() - named));
  return fmt::format("{} written otherwise in B and gave the same bits: {}",
                     nodes.size() == 1 ? "1 node is" : fmt::format("{} nodes are", nodes.size()), join(said, ", "));
}

}  // namespace culprit
