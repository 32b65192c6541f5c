#include "cost/planned_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cost/node_rules.h"
#include "cost/op_name.h"
#include "model/values_of_node.h"

namespace culprit {
namespace {

/// Above this a figure of bytes is nonsense, and no integer holds it exactly.
constexpr double most_bytes = 9e15;

/// The places of a graph's values: which of them share one, how large they are and when each is used last.
class Places {
 public:
  explicit Places(const TypedGraph& graph) : graph_(graph), freed_after_(graph.nodes.size()) {
    for (const auto& output : graph.outputs) is_output_[output.name] = true;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) add(graph.nodes[i], i);
    for (const auto& output : graph.outputs) use(output.name, graph.nodes.size());
    for (std::size_t place = 0; place < bytes_.size(); ++place) {
      if (last_use_[place] < graph.nodes.size()) freed_after_[last_use_[place]].push_back(place);
    }
  }

  /// Bytes of the places that the node makes.
  [[nodiscard]] double made_by(std::size_t node) const {
    double bytes = 0;
    for (const auto& output : graph_.nodes[node].outputs) {
      const auto found = place_.find(output.name);
      if (found != place_.end() && made_by_[found->second] == node) bytes += bytes_[found->second];
    }
    return bytes;
  }
  [[nodiscard]] double freed_after(std::size_t node) const {
    double bytes = 0;
    for (const std::size_t place : freed_after_[node]) bytes += bytes_[place];
    return bytes;
  }

 private:
  void add(const TypedNode& node, std::size_t i) {
    for (const auto used : used_values(*node.node)) use(used, i);
    if (op_name(*node.node) == "Constant") return;
    for (std::size_t k = 0; k < node.outputs.size(); ++k) {
      const ValueShape& output = node.outputs[k];
      if (!output.is_there() || (k > 0 && is_view(*node.node))) continue;  // the mask of a Dropout is never made
      const bool shows = k == 0 && is_view(*node.node) && !node.inputs.empty();
      const auto shown = shows ? place_.find(node.inputs[0].name) : place_.end();
      if (shown != place_.end()) {
        place_[output.name] = shown->second;
      } else if (!shows || is_output_.contains(output.name)) {
        place_[output.name] = bytes_.size();
        bytes_.push_back(output.bytes());
        made_by_.push_back(i);
        last_use_.push_back(i);
      }
    }
  }

  void use(std::string_view name, std::size_t i) {
    const auto found = place_.find(name);
    if (found != place_.end()) last_use_[found->second] = std::max(last_use_[found->second], i);
  }

  const TypedGraph& graph_;
  std::unordered_map<std::string_view, std::size_t> place_;  ///< by the values' names
  std::unordered_map<std::string_view, bool> is_output_;
  std::vector<double> bytes_;
  std::vector<std::size_t> made_by_, last_use_;
  std::vector<std::vector<std::size_t>> freed_after_;
};

double sum_of(const std::vector<ValueShape>& values) {
  double bytes = 0;
  for (const auto& value : values) bytes += value.bytes();
  return bytes;
}

double peak_of(const TypedGraph& graph);

/// What is alive inside of the node at most; NaN where that is not known.
double peak_inside(const TypedNode& node) {
  if (node.kind == TypedNode::Kind::plain) return 0;
  if (node.inside.empty()) return std::numeric_limits<double>::quiet_NaN();
  double most = 0;
  for (const auto& graph : node.inside) {
    const double inside = peak_of(graph) + (node.kind == TypedNode::Kind::repeat ? sum_of(graph.inputs) : 0);
    if (std::isnan(inside)) return inside;
    most = std::max(most, inside);
  }
  return most;
}

double peak_of(const TypedGraph& graph) {
  const Places places(graph);
  double alive = 0, peak = 0;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const double made = places.made_by(i), inside = peak_inside(graph.nodes[i]);
    if (std::isnan(made) || std::isnan(inside)) return std::numeric_limits<double>::quiet_NaN();
    // What a branch makes last is what the If makes; a Loop collects what its turns make.
    const bool hands_on = graph.nodes[i].kind != TypedNode::Kind::repeat;
    peak = std::max(peak, alive + (hands_on ? std::max(made, inside) : made + inside));
    alive += made - places.freed_after(i);
  }
  return peak;
}

std::optional<std::uint64_t> as_bytes(double bytes) {
  return bytes >= 0 && bytes <= most_bytes ? std::optional(static_cast<std::uint64_t>(bytes)) : std::nullopt;
}

}  // namespace

std::optional<PlannedMemory> planned_memory(const TypedGraph& graph) {
  const auto values = as_bytes(peak_of(graph));
  if (!values) return std::nullopt;
  return PlannedMemory{*values, as_bytes(sum_of(graph.inputs)), as_bytes(sum_of(graph.stored))};
}

}  // namespace culprit
