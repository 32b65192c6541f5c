#include "compare/first_divergence.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "model/graph_regions.h"

namespace culprit {
namespace {

constexpr std::size_t most_nodes = 1000;  // of a region, that are named

std::vector<NodeRef> nodes_before(const GraphIndex& graph, int value, const std::vector<bool>& is_cut) {
  std::vector<NodeRef> nodes;
  for (const int node : region_before(graph, {value}, is_cut).nodes) {
    if (nodes.size() < most_nodes) nodes.push_back(node_ref(graph, node));
  }
  return nodes;
}

std::string said(const NodeRef& node) {
  const std::string name = node.name.empty() ? "of '" + printable(node.output, 60) : "'" + printable(node.name, 60);
  return printable(node.op, 60) + " " + name + "'";
}

std::string sentence(const FirstDivergence& first, const Measurement& m) {
  return fmt::format("first mismatch at '{}', made by {} in A, by {} in B; given A's values there, {}",
                     printable(first.a, 80), text_of(first.nodes_a), text_of(first.nodes_b), how_far(first, m));
}

/// Values of A that are known in both, as `is_cut` says it of B's.
std::vector<bool> cut_in_a(const ComparedGraphs& graphs, const std::vector<bool>& is_cut) {
  std::vector<bool> cut(graphs.index_a.values.size(), false);
  for (std::size_t v = 0; v < cut.size(); ++v) {
    const int mate = graphs.map.to_b[v];
    cut[v] = mate >= 0 && is_cut[as_index(mate)];
  }
  return cut;
}

/// By B's value: does what differs there lead to an output that differs? What is equal lets nothing through.
class Leading {
 public:
  Leading(const ComparedGraphs& graphs, const InnerValues& inner)
      : graph_(graphs.index_b), inner_(inner), leads_(graphs.index_b.values.size(), false) {
    for (const auto& [of_a, of_b] : graphs.bound.outputs) {
      if (inner.values()[as_index(of_a)].state != ValueState::equal) reach(of_b);
    }
    while (!open_.empty()) {
      const int node = graph_.values[as_index(open_.back())].node;
      open_.pop_back();
      if (node < 0) continue;
      for (const int used : graph_.nodes[as_index(node)].uses) reach(used);
    }
  }

  [[nodiscard]] bool operator()(int value) const { return value >= 0 && leads_[as_index(value)]; }

 private:
  void reach(int value) {
    if (value < 0 || leads_[as_index(value)]) return;
    const int of_a = inner_.a_of()[as_index(value)];
    if (inner_.is_cut()[as_index(value)] && of_a >= 0 && inner_.values()[as_index(of_a)].state == ValueState::equal)
      return;
    leads_[as_index(value)] = true;
    open_.push_back(value);
  }

  const GraphIndex& graph_;
  const InnerValues& inner_;
  std::vector<bool> leads_;
  std::vector<int> open_;
};

/// -1 where no value is made wrong.
int first_made_wrong(const ComparedGraphs& graphs, const InnerValues& inner) {
  const Leading leads(graphs, inner);
  int found = -1, rank = -1;
  for (std::size_t v = 0; v < inner.values().size(); ++v) {
    const InnerValue& value = inner.values()[v];
    if (value.state != ValueState::made_here) continue;
    const int here = (leads(graphs.map.to_b[v]) ? 2 : 0) + (verdict_of(value.measurement) == Verdict::diverged ? 1 : 0);
    if (here > rank) found = static_cast<int>(v), rank = here;
  }
  return found;
}

}  // namespace

std::string text_of(const std::vector<NodeRef>& nodes) {
  constexpr std::size_t named = 3;
  if (nodes.empty()) return "no node";
  std::string text = said(nodes.front());
  for (std::size_t i = 1; i < std::min(nodes.size(), named); ++i) text += (i == 1 ? " after " : ", ") + said(nodes[i]);
  if (nodes.size() > named)
    text +=
        fmt::format(" and {} more{}", nodes.size() - named, nodes.size() == most_nodes ? ", or more than those" : "");
  return text;
}

std::string how_far(const FirstDivergence& first, const Measurement& m) {
  if (is_structural(m)) return m.note;
  if (m.nonfinite_mismatch > 0) return "NaN or infinities stand elsewhere";
  if (m.max_abs == 0 && m.mismatched > 0) return fmt::format("{} of {} elements differ", m.mismatched, m.elements);
  return fmt::format("max abs error {:.2g}, expected rounding error {:.2g}", first.error, first.floor);
}

std::optional<FirstDivergence> first_divergence(const ComparedGraphs& graphs, const InnerValues& inner) {
  const int found = first_made_wrong(graphs, inner);
  if (found < 0) return std::nullopt;
  const InnerValue& value = inner.values()[as_index(found)];
  const int mate = graphs.map.to_b[as_index(found)];
  FirstDivergence first;
  first.a = graphs.name_a(found);
  first.b = graphs.name_b(mate);
  first.nodes_a = nodes_before(graphs.index_a, found, cut_in_a(graphs, inner.is_cut()));
  first.nodes_b = nodes_before(graphs.index_b, mate, inner.is_cut());
  first.error = value.alone.value_or(value.measurement.max_abs);
  first.floor = value.measurement.floor;
  first.message = sentence(first, value.measurement);
  return first;
}

std::vector<ComparedValue> compared_values(const ComparedGraphs& graphs, const std::vector<InnerValue>& values) {
  std::vector<ComparedValue> compared;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (!graphs.map.is_counted[v]) continue;
    const int mate = graphs.map.to_b[v];
    ComparedValue one;
    one.a = graphs.name_a(static_cast<int>(v));
    one.node_a = node_ref(graphs.index_a, graphs.index_a.values[v].node);
    if (mate >= 0) one.b = graphs.name_b(mate);
    one.node_b = node_ref(graphs.index_b, mate >= 0 ? graphs.index_b.values[as_index(mate)].node : graphs.map.into[v]);
    one.by = graphs.map.by[v];
    one.state = values[v].state;
    one.measurement = values[v].measurement;
    one.alone = values[v].alone;
    compared.push_back(std::move(one));
  }
  return compared;
}

}  // namespace culprit
