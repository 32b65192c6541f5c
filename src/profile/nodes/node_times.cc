#include "profile/nodes/node_times.h"

#include <algorithm>

#include "model/graph_walk.h"
#include "profile/nodes/traced_places.h"

namespace culprit {
namespace {

std::string full_op(const onnx::NodeProto& node) {
  const auto domain = domain_of(node.domain());
  return domain.empty() ? node.op_type() : std::string(domain) + "." + node.op_type();
}

}  // namespace

std::vector<MappedNode> mapped_nodes(const RuntimeTrace& trace, const FlatModel& original, const FlatModel& optimized) {
  const FusedNodes fused = fused_nodes(original, optimized);
  const std::vector<std::string> originals = original.names_of_nodes(), names = optimized.names_of_nodes();
  const std::vector<int> places = traced_places(trace, optimized);
  std::vector<MappedNode> mapped;
  for (std::size_t node = 0; node < trace.nodes.size(); ++node) {
    MappedNode& made = mapped.emplace_back(MappedNode{trace.nodes[node].name, trace.nodes[node].op, {}, false});
    if (places[node] < 0) continue;
    const auto place = static_cast<std::size_t>(places[node]);
    made.name = names[place];
    made.op = full_op(*optimized.nodes[place].source);
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
    times.nodes.push_back(std::move(record));
  }
  std::ranges::stable_sort(times.nodes, std::ranges::greater(), &NodeTimeRecord::seconds);
  return times;
}

}  // namespace culprit
