#include "network/tensorflow/node_order.h"

#include <fmt/format.h>

#include <functional>
#include <queue>

#include "base/as_index.h"
#include "base/text.h"
#include "network/graph_def.pb.h"
#include "network/tensorflow/tensorflow_model.h"

namespace culprit {
namespace {

std::string described_node(const tensorflow::Node& node) {
  return fmt::format("the node '{}' ({})", printable(node.name(), 120), printable(node.op(), 80));
}

}  // namespace

bool leads_back(const tensorflow::Graph& graph, const NamedNodes& nodes, int node, std::string_view input) {
  const auto maker = nodes.numbers.find(node_of_tensor(input));
  const std::string& op = graph.nodes(node).op();
  return (op == "Merge" || op == "RefMerge") && maker != nodes.numbers.end() &&
         graph.nodes(maker->second).op().ends_with("NextIteration");
}

Result<NamedNodes> order_nodes(const tensorflow::Graph& graph) {
  NamedNodes nodes;
  for (int i = 0; i < graph.nodes_size(); ++i)
    if (!nodes.numbers.emplace(graph.nodes(i).name(), i).second)
      return fail(ErrorKind::bad_input, "two nodes are called " + printable(graph.nodes(i).name(), 120));
  std::vector<int> waits_for(as_index(graph.nodes_size()), 0);
  std::vector<std::vector<int>> users(waits_for.size());
  for (int i = 0; i < graph.nodes_size(); ++i)
    for (const std::string& input : graph.nodes(i).inputs()) {
      const auto maker = nodes.numbers.find(node_of_tensor(input));
      if (maker == nodes.numbers.end())
        return fail(ErrorKind::bad_input, fmt::format("{}: nothing makes its input {}", described_node(graph.nodes(i)),
                                                      printable(input, 120)));
      if (leads_back(graph, nodes, i, input)) continue;
      ++waits_for[as_index(i)];
      users[as_index(maker->second)].push_back(i);
    }
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;
  for (int i = 0; i < graph.nodes_size(); ++i)
    if (waits_for[as_index(i)] == 0) ready.push(i);
  while (!ready.empty()) {
    const int next = ready.top();
    ready.pop();
    nodes.in_order.push_back(next);
    for (const int user : users[as_index(next)])
      if (--waits_for[as_index(user)] == 0) ready.push(user);
  }
  for (int i = 0; i < graph.nodes_size(); ++i)
    if (waits_for[as_index(i)] > 0)
      return fail(ErrorKind::bad_input,
                  described_node(graph.nodes(i)) + " waits for what it makes itself: the graph goes in a circle");
  return nodes;
}

}  // namespace culprit
