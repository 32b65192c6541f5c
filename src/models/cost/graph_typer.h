#pragma once
// Walks a model's graphs from their inputs to their outputs and notes what is known of each value (cost/typed_graph.h).

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_map>

#include "cost/infer_node.h"
#include "cost/shape_scope.h"
#include "cost/typed_graph.h"

namespace culprit {

class GraphTyper {
 public:
  explicit GraphTyper(const onnx::ModelProto& model);

  /// What graphs declare of inner values does not count.
  void distrust_declared() { believes_declared_ = false; }
  TypedGraph type_main(const SeenValues& seen);

 private:
  /// The place in one graph that is walked.
  struct Place {
    const Opsets& opsets;
    ShapeScope& scope;
    const SeenValues* seen = nullptr;       ///< of the main graph
    const onnx::NodeProto* call = nullptr;  ///< of a function: where its attributes are
    const onnx::FunctionProto* function = nullptr;
    int depth = 0;
  };
  using Declared = std::unordered_map<std::string, const onnx::TypeProto*>;

  /// The inputs of the graph stand in the scope already.
  TypedGraph type_graph(const onnx::GraphProto& graph, const Place& place);
  TypedNode type_node(const onnx::NodeProto& node, const Declared& declared, const Place& place);
  void infer(TypedNode& typed, const Place& place);
  void infer_if(TypedNode& typed, const Place& place);
  void infer_loop(TypedNode& typed, const Place& place);
  void infer_scan(TypedNode& typed, const Place& place);
  void infer_call(TypedNode& typed, const onnx::FunctionProto& function, const Place& place);
  /// The body with these types of its inputs, those of state (from `first_state` on, `states` of them) made as vague as
  /// what the body makes of them: so they hold in every turn.
  TypedGraph type_body(const onnx::GraphProto& body, std::vector<onnx::TypeProto> inputs, int first_state, int states,
                       int first_output, const Place& place);
  void settle_output(const std::string& name, const Declared& declared, const Place& place) const;
  [[nodiscard]] Declared declared_in(const onnx::GraphProto& graph) const;

  const onnx::ModelProto& model_;
  Opsets opsets_;
  std::unordered_map<std::string, const onnx::FunctionProto*> functions_;
  bool believes_declared_ = true;
  std::int64_t visits_left_ = 500'000;
};

}  // namespace culprit
