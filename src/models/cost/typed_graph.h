#pragma once
// A graph with what is known of the values at each place of its nodes, bodies of control flow and calls of functions
// with the sizes that they see there.

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <vector>

#include "cost/value_shape.h"

namespace culprit {

struct TypedGraph;

struct TypedNode {
  enum class Kind {
    plain,   ///< nothing inside
    choice,  ///< If: one of the graphs inside runs, or, where the condition is stored, the only one that is kept
    repeat,  ///< Loop and Scan: the body runs `times` times
    call,    ///< of one of the model's functions: the body runs once
    opaque,  ///< it has graphs inside of which nothing is known
  };
  std::shared_ptr<const onnx::NodeProto> node;  ///< of a function: with the attributes of the call
  Kind kind = Kind::plain;
  std::vector<ValueShape> inputs, outputs;  ///< by place
  std::vector<TypedGraph> inside;
  double times = 1;               ///< NaN: not known
  std::int64_t nodes_inside = 0;  ///< at any depth, in all of its graphs, as they are written
};

struct TypedGraph {
  std::vector<TypedNode> nodes;         ///< in the graph's order
  std::vector<ValueShape> inputs = {};  ///< that are fed: without those that have a stored tensor
  std::vector<ValueShape> outputs = {};
  std::vector<ValueShape> stored = {};  ///< initializers
};

/// Infers all that follows from the graph and the shapes of its inputs. Inputs that `shapes` does not name are as
/// declared. What inference tells counts first; what the graph declares of a value counts where inference tells less,
/// does not contradict, and `shapes` fit the declared inputs. Names that no input has are passed over.
///
/// The model may be anything that parses; work is limited (half a million visits of nodes: functions that call
/// functions many times over and loops in loops are then not known). ONNX's inference is guarded where it is known to
/// crash (cost/infer_node.h), but was not written for hostile models: whoever distrusts one asks in a process of its
/// own. The model has to outlive the result.
TypedGraph typed_graph(const onnx::ModelProto& model, const InputShapes& shapes);

/// Types a graph by values that somebody saw, inputs among them: what was seen counts, and is inferred from.
TypedGraph typed_graph(const onnx::ModelProto& model, const SeenValues& seen);

}  // namespace culprit
