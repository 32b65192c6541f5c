#pragma once
// What one run of a graph costs, node by node, from the graph alone: FLOPs and bytes moved. The conventions are in
// docs/graph_costs.md; each operator has one rule in cost/rules, and what has none is uncounted, never guessed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cost/typed_graph.h"
#include "cost/value_shape.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

/// One node of the main graph, with all that it has inside.
struct NodeCost {
  std::string name;                    ///< "" where the model gives it none
  std::string op;                      ///< "Conv", "com.microsoft.FusedConv"
  std::string output;                  ///< its first output, which tells it from others
  std::optional<double> flops, moved;  ///< of one run of the model; FLOPs, and bytes
  std::int64_t uncounted = 0;          ///< nodes, itself or inside, whose cost is not in them
  bool operator==(const NodeCost&) const = default;
};

/// Sums over the nodes whose cost is known; nothing where none is. An If costs its dearer branch, a Loop and a Scan
/// what their body does times how often it runs; where that is not known all nodes inside are uncounted.
struct NodeCosts {
  std::vector<NodeCost> nodes;  ///< in the order of the graph
  std::optional<double> flops, moved;
  std::int64_t nodes_uncounted = 0;
};

/// The costs with the inputs fixed to `shapes`; see cost/typed_graph.h for what is inferred, and for models that are
/// hostile.
NodeCosts node_costs(const onnx::ModelProto& model, const InputShapes& shapes);
/// The costs with what was seen of values in a run: for graphs that hold operators that ONNX's inference does not know.
NodeCosts node_costs(const onnx::ModelProto& model, const SeenValues& seen);
NodeCosts node_costs(const TypedGraph& graph);

/// What each node takes by itself in one run of the model: nodes of bodies stand in the list as well, with all turns of
/// their body, and the node around them costs nothing. Of a branch as if it ran. `output` tells which node it is, where
/// no other one in the list has the same.
std::vector<NodeCost> own_costs(const TypedGraph& graph);

}  // namespace culprit
