#include "cost/infer_node.h"

#include <onnx/defs/schema.h>

#include <exception>

#include "cost/foreign_shapes.h"
#include "cost/inference_context.h"
#include "cost/op_name.h"
#include "cost/safe_to_infer.h"
#include "model/graph_walk.h"

namespace culprit {
bool infer_by_schema(const onnx::NodeProto& node, int version, ShapeScope& scope) {
  const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), version, std::string(domain_of(node.domain())));
  if (schema == nullptr || schema->Deprecated()) return false;
  if (!schema->has_type_and_shape_inference_function() || has_graph(node) || !is_safe_to_infer(node, scope))
    return true;
  try {
    schema->Verify(node);
    NodeInferenceContext context(node, scope);
    schema->GetTypeAndShapeInferenceFunction()(context);
    for (int i = 0; i < node.output_size(); ++i) {
      const auto& type = *context.getOutputType(static_cast<std::size_t>(i));
      if (!node.output(i).empty() && type.value_case() != onnx::TypeProto::VALUE_NOT_SET)
        scope.set_type(node.output(i), type);
    }
    if (schema->has_data_propagation_function()) {
      NodePropagationContext propagation(node, scope);
      schema->GetDataPropagationFunction()(propagation);
    }
  } catch (const std::exception&) {
    return true;  // nothing follows for such a node; which complaint it was does not matter here
  }
  return true;
}

void infer_node(const onnx::NodeProto& node, const Opsets& opsets, ShapeScope& scope) {
  if (op_name(node) == "Einsum") return infer_einsum(node, scope);
  const auto version = opsets.find(std::string(domain_of(node.domain())));
  if (version != opsets.end() && infer_by_schema(node, version->second, scope)) return;
  infer_foreign(node, scope);
}

}  // namespace culprit
