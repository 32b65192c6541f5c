#include "cost/call_attributes.h"

#include "model/traced_value.h"

namespace culprit {
namespace {

const onnx::AttributeProto* default_of(const onnx::FunctionProto& function, const std::string& name) {
  for (const auto& attribute : function.attribute_proto()) {
    if (attribute.name() == name) return &attribute;
  }
  return nullptr;
}

void resolve(onnx::NodeProto& node, const onnx::NodeProto& call, const onnx::FunctionProto& function);

void resolve(onnx::GraphProto& graph, const onnx::NodeProto& call, const onnx::FunctionProto& function) {
  for (auto& node : *graph.mutable_node()) resolve(node, call, function);
}

void resolve(onnx::NodeProto& node, const onnx::NodeProto& call, const onnx::FunctionProto& function) {
  google::protobuf::RepeatedPtrField<onnx::AttributeProto> kept;
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.ref_attr_name().empty()) {
      if (attribute.has_g()) resolve(*attribute.mutable_g(), call, function);
      for (auto& inner : *attribute.mutable_graphs()) resolve(inner, call, function);
      *kept.Add() = std::move(attribute);
      continue;
    }
    const auto* given = attribute_of(call, attribute.ref_attr_name());
    if (given == nullptr) given = default_of(function, attribute.ref_attr_name());
    if (given == nullptr) continue;
    auto& taken = *kept.Add() = *given;
    taken.set_name(attribute.name());
  }
  node.mutable_attribute()->Swap(&kept);
}

}  // namespace

std::shared_ptr<const onnx::NodeProto> with_call_attributes(const onnx::NodeProto& node, const onnx::NodeProto& call,
                                                            const onnx::FunctionProto& function) {
  auto copy = std::make_shared<onnx::NodeProto>(node);
  resolve(*copy, call, function);
  return copy;
}

}  // namespace culprit
