#include "profile/nodes/traced_places.h"

#include <algorithm>
#include <map>

#include "base/as_index.h"

namespace culprit {
namespace {

class Placer {
 public:
  Placer(const RuntimeTrace& trace, const FlatModel& model) : trace_(trace), model_(model) {
    places_.assign(trace.nodes.size(), -1);
    is_taken_.assign(model.nodes.size(), false);
    bodies_.resize(model.nodes.size());
    in_graph_.resize(model.graphs.size());
    for (std::size_t graph = 1; graph < model.graphs.size(); ++graph)
      bodies_[as_index(model.graphs[graph].outer)].push_back(static_cast<int>(graph));
    for (std::size_t node = 0; node < model.nodes.size(); ++node) {
      if (model.nodes[node].source->op_type() != "Constant")
        in_graph_[as_index(model.nodes[node].graph)].push_back(static_cast<int>(node));
    }
  }

  /// Nodes with a body stand before its nodes in the trace.
  std::vector<int> run() {
    std::map<int, std::vector<int>> inside;
    for (std::size_t node = 0; node < trace_.nodes.size(); ++node)
      inside[trace_.nodes[node].outer].push_back(static_cast<int>(node));
    place(inside[-1], {0});
    for (int node = 0; node < static_cast<int>(trace_.nodes.size()); ++node) {
      const auto found = inside.find(node);
      if (found != inside.end() && places_[as_index(node)] >= 0)
        place(found->second, bodies_[as_index(places_[as_index(node)])]);
    }
    return std::move(places_);
  }

 private:
  [[nodiscard]] bool fits(int traced, int node) const {
    const TracedNode& one = trace_.nodes[as_index(traced)];
    const auto& source = *model_.nodes[as_index(node)].source;
    if (is_taken_[as_index(node)] || one.op != source.op_type()) return false;
    if (!source.name().empty()) return one.name == source.name();
    return one.name.empty() || one.name == one.op + "_" + std::to_string(one.index);
  }

  void take(int traced, int node) {
    places_[as_index(traced)] = node;
    is_taken_[as_index(node)] = true;
  }

  void place(const std::vector<int>& traced, const std::vector<int>& graphs) {
    std::vector<int> by_index = traced;
    std::ranges::stable_sort(by_index, {}, [&](int node) { return trace_.nodes[as_index(node)].index; });
    for (const int graph : graphs) {
      if (place_in_order(traced, in_graph_[as_index(graph)]) || place_in_order(by_index, in_graph_[as_index(graph)]))
        return;
    }
    place_by_name(by_index, graphs);
  }

  /// The runtime writes nodes in the order in which it runs them; where it changed nothing, in that of their indexes.
  bool place_in_order(const std::vector<int>& traced, const std::vector<int>& nodes) {
    if (traced.size() != nodes.size()) return false;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (!fits(traced[i], nodes[i])) return false;
    for (std::size_t i = 0; i < nodes.size(); ++i) take(traced[i], nodes[i]);
    return true;
  }

  /// Places nodes by name where only one fits. Some nodes of a body that not all runs reached are missing.
  void place_by_name(const std::vector<int>& traced, const std::vector<int>& graphs) {
    std::map<std::string, std::vector<int>> named;
    for (const int graph : graphs)
      for (const int node : in_graph_[as_index(graph)])
        named[key_of(*model_.nodes[as_index(node)].source)].push_back(node);
    std::map<std::string, int> askers;
    for (const int node : traced) ++askers[key_of(node, named)];
    for (const int node : traced) {
      const std::string key = key_of(node, named);
      if (key.empty() || named[key].size() != 1 || askers[key] != 1) continue;
      if (fits(node, named[key][0])) take(node, named[key][0]);
    }
  }

  static std::string key_of(const onnx::NodeProto& source) {
    return source.name().empty() ? "op " + source.op_type() : "name " + source.name();
  }

  [[nodiscard]] std::string key_of(int traced, const std::map<std::string, std::vector<int>>& named) const {
    const TracedNode& node = trace_.nodes[as_index(traced)];
    for (const std::string& key : {"name " + node.name, "op " + node.op})
      if (named.contains(key)) return key;
    return "";
  }

  const RuntimeTrace& trace_;
  const FlatModel& model_;
  std::vector<int> places_;
  std::vector<bool> is_taken_;
  std::vector<std::vector<int>> bodies_, in_graph_;
};

}  // namespace

std::vector<int> traced_places(const RuntimeTrace& trace, const FlatModel& optimized) {
  return Placer(trace, optimized).run();
}

}  // namespace culprit
