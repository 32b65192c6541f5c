#include "cost/node_costs.h"

#include <cmath>

#include "cost/node_rules.h"
#include "cost/op_name.h"

namespace culprit {
namespace {

/// A sum of known figures, and how many are missing.
struct Sum {
  double flops = 0, moved = 0;
  std::int64_t counted = 0, uncounted = 0;
};

Sum sum_of(const TypedGraph& graph);

/// Counts the dearer one of two branches, and a body times its turns.
Sum sum_of(const TypedNode& node) {
  if (node.kind == TypedNode::Kind::plain) {
    const double flops = node_flops(node), moved = node_moved(node);
    if (!std::isfinite(flops) || !std::isfinite(moved)) return {.uncounted = 1};
    return {.flops = flops, .moved = moved, .counted = 1};
  }
  Sum all;
  if (node.inside.empty() || node.kind == TypedNode::Kind::opaque || !std::isfinite(node.times)) {
    return {.uncounted = 1 + node.nodes_inside};
  }
  for (const auto& graph : node.inside) {
    const Sum inside = sum_of(graph);
    if (inside.flops > all.flops || (inside.flops == all.flops && inside.moved >= all.moved)) {
      all.flops = inside.flops;
      all.moved = inside.moved;
    }
    all.uncounted += inside.uncounted;
    all.counted += inside.counted;
  }
  all.flops *= node.times;
  all.moved *= node.times;
  if (all.uncounted == 0) ++all.counted;  // the node itself costs nothing
  if (!std::isfinite(all.flops) || !std::isfinite(all.moved)) return {.uncounted = 1 + node.nodes_inside};
  return all;
}

void add(Sum& all, const Sum& one) {
  all.flops += one.flops;
  all.moved += one.moved;
  all.counted += one.counted;
  all.uncounted += one.uncounted;
}

Sum sum_of(const TypedGraph& graph) {
  Sum all;
  for (const auto& node : graph.nodes) add(all, sum_of(node));
  return all;
}

/// Nothing where no part of it is known.
std::optional<double> known(double figure, const Sum& sum) {
  return sum.counted > 0 || sum.uncounted == 0 ? std::optional(figure) : std::nullopt;
}

NodeCost cost_of(const TypedNode& node, const Sum& sum) {
  NodeCost cost;
  cost.name = node.node->name();
  cost.op = op_name(*node.node);
  if (node.node->output_size() > 0) cost.output = node.node->output(0);
  cost.uncounted = sum.uncounted;
  cost.flops = known(sum.flops, sum);
  cost.moved = known(sum.moved, sum);
  return cost;
}

/// `turns`: how often the graph runs in one run of the model; NaN where that is not known.
void add_own_costs(const TypedGraph& graph, double turns, std::vector<NodeCost>& costs) {
  for (const TypedNode& node : graph.nodes) {
    const bool has_bodies = node.kind == TypedNode::Kind::choice || node.kind == TypedNode::Kind::repeat;
    Sum own = has_bodies ? Sum{.counted = 1} : sum_of(node);
    own.flops *= turns;
    own.moved *= turns;
    if (!std::isfinite(own.flops) || !std::isfinite(own.moved)) own = {.uncounted = 1};
    costs.push_back(cost_of(node, own));
    for (const TypedGraph& body : node.inside)
      if (has_bodies) add_own_costs(body, turns * node.times, costs);
  }
}

}  // namespace

NodeCosts node_costs(const TypedGraph& graph) {
  NodeCosts costs;
  Sum all;
  for (const auto& node : graph.nodes) {
    const Sum one = sum_of(node);
    costs.nodes.push_back(cost_of(node, one));
    add(all, one);
  }
  costs.flops = known(all.flops, all);
  costs.moved = known(all.moved, all);
  costs.nodes_uncounted = all.uncounted;
  return costs;
}

std::vector<NodeCost> own_costs(const TypedGraph& graph) {
  std::vector<NodeCost> costs;
  add_own_costs(graph, 1, costs);
  return costs;
}

NodeCosts node_costs(const onnx::ModelProto& model, const InputShapes& shapes) {
  return node_costs(typed_graph(model, shapes));
}

NodeCosts node_costs(const onnx::ModelProto& model, const SeenValues& seen) {
  return node_costs(typed_graph(model, seen));
}

}  // namespace culprit
