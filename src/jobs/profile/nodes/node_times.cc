#include "profile/nodes/node_times.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "cost/op_name.h"
#include "profile/nodes/traced_places.h"

namespace culprit {
namespace {

/// By the name of the first output; null where two nodes, of different bodies, share it.
using CostsByOutput = std::unordered_map<std::string_view, const NodeCost*>;

CostsByOutput by_output(const std::vector<NodeCost>& costs) {
  CostsByOutput found;
  for (const NodeCost& cost : costs) {
    const auto [at, is_new] = found.try_emplace(cost.output, &cost);
    if (!is_new) at->second = nullptr;
  }
  return found;
}

void take_cost(const onnx::NodeProto& source, const CostsByOutput& costs, MappedNode& made) {
  if (source.output_size() == 0) return;
  const auto found = costs.find(source.output(0));
  if (found == costs.end() || found->second == nullptr || found->second->op != made.op) return;
  made.flops = found->second->flops;
  made.moved = found->second->moved;
}

}  // namespace

std::vector<MappedNode> mapped_nodes(const RuntimeTrace& trace, const FlatModel& original, const FlatModel& optimized,
                                     const std::vector<NodeCost>& costs) {
  const CostsByOutput by_name = by_output(costs);
  const FusedNodes fused = fused_nodes(original, optimized);
  const std::vector<std::string> originals = original.names_of_nodes(), names = optimized.names_of_nodes();
  const std::vector<int> places = traced_places(trace, optimized);
  std::vector<MappedNode> mapped;
  for (std::size_t node = 0; node < trace.nodes.size(); ++node) {
    MappedNode& made = mapped.emplace_back(MappedNode{trace.nodes[node].name, trace.nodes[node].op, {}, false});
    if (places[node] < 0) continue;
    const auto place = static_cast<std::size_t>(places[node]);
    made.name = names[place];
    made.op = op_name(*optimized.nodes[place].source);
    take_cost(*optimized.nodes[place].source, by_name, made);
    made.is_inserted = fused.origins[place].is_inserted;
    for (const int one : fused.origins[place].originals)
      made.originals.push_back(originals[static_cast<std::size_t>(one)]);
  }
  return mapped;
}

NodeTimes node_times(const RuntimeTrace& trace, const std::vector<MappedNode>& nodes) {
  NodeTimes times;
  times.runs = trace.runs;
  times.run_seconds = trace.run_seconds;
  times.left_out_seconds = trace.left_out_seconds;
  for (const TracedNode& node : trace.nodes) times.nodes_seconds += node.seconds;
  for (std::size_t i = 0; i < trace.nodes.size() && i < nodes.size(); ++i) {
    NodeTimeRecord record;
    record.node = nodes[i].name;
    record.op = nodes[i].op;
    record.provider = trace.nodes[i].provider;
    record.originals = nodes[i].originals;
    record.seconds = trace.nodes[i].seconds;
    record.share = times.nodes_seconds > 0 ? record.seconds / times.nodes_seconds : 0;
    record.is_inserted = nodes[i].is_inserted;
    record.flops = nodes[i].flops;
    record.moved = nodes[i].moved;
    times.nodes.push_back(std::move(record));
  }
  std::ranges::stable_sort(times.nodes, std::ranges::greater(), &NodeTimeRecord::seconds);
  return times;
}

}  // namespace culprit
