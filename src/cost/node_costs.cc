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

/// Of branches the dearer one; of a body, times its turns.
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

}  // namespace

NodeCosts node_costs(const TypedGraph& graph) {
  NodeCosts costs;
  Sum all;
  for (const auto& node : graph.nodes) {
    const Sum one = sum_of(node);
    NodeCost cost;
    cost.name = node.node->name();
    cost.op = op_name(*node.node);
    cost.uncounted = one.uncounted;
    if (node.node->output_size() > 0) cost.output = node.node->output(0);
    cost.flops = known(one.flops, one);
    cost.moved = known(one.moved, one);
    costs.nodes.push_back(std::move(cost));
    add(all, one);
  }
  costs.flops = known(all.flops, all);
  costs.moved = known(all.moved, all);
  costs.nodes_uncounted = all.uncounted;
  return costs;
}

NodeCosts node_costs(const onnx::ModelProto& model, const InputShapes& shapes) {
  return node_costs(typed_graph(model, shapes));
}

NodeCosts node_costs(const onnx::ModelProto& model, const SeenValues& seen) {
  return node_costs(typed_graph(model, seen));
}

}  // namespace culprit
