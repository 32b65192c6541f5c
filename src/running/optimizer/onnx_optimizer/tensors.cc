#include "optimizer/onnx_optimizer/tensors.h"

#include <onnx/onnx_pb.h>

#include <map>
#include <utility>

#include "optimizer/onnx_optimizer/library.h"

namespace culprit {
namespace {

template <class Visit>
void for_each_initializer(onnx::Graph& graph, const Visit& visit) {
  // The library hands them out to look at only; they are changed in place, so that nothing is copied.
  for (const onnx::Tensor& tensor : graph.initializers()) visit(const_cast<onnx::Tensor&>(tensor));
  for (onnx::Node* node : graph.nodes()) {
    for (const auto name : node->attributeNames()) {
      if (node->kindOf(name) == onnx::AttributeKind::g) for_each_initializer(*node->g(name), visit);
      if (node->kindOf(name) != onnx::AttributeKind::gs) continue;
      for (const auto& inner : node->gs(name)) for_each_initializer(*inner, visit);
    }
  }
}

/// The tensor without its elements, as a message; the place of `placed` if it is one.
onnx::TensorProto head_of(const onnx::Tensor& tensor) {
  onnx::TensorProto head;
  head.set_data_type(tensor.elem_type());
  for (const auto dim : tensor.sizes()) head.add_dims(dim);
  for (const auto& [key, value] : tensor.external_data()) {
    auto* entry = head.add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  if (tensor.has_data_location()) head.set_data_location(tensor.data_location());
  return head;
}

void leave_outside(onnx::Tensor& tensor, Weights& weights) {
  if (!tensor.is_raw_data() || tensor.raw().size() < placed_tensor_bytes || tensor.is_segment()) return;
  onnx::ModelProto holder;
  onnx::TensorProto& whole = *holder.mutable_graph()->add_initializer() = head_of(tensor);
  *whole.mutable_raw_data() = std::move(const_cast<std::string&>(tensor.raw()));
  place_weights(holder, Stored::raw, weights);
  const auto& placed = holder.graph().initializer(0);
  if (placed.has_raw_data()) return tensor.set_raw_data(std::move(*whole.mutable_raw_data()));  // not fit to be placed
  onnx::Tensor empty;
  if (tensor.hasName()) empty.setName(tensor.name());
  empty.elem_type() = tensor.elem_type();
  empty.sizes() = tensor.sizes();
  for (const auto& entry : placed.external_data()) empty.external_data().emplace_back(entry.key(), entry.value());
  empty.data_location() = onnx::TensorProto::EXTERNAL;
  tensor = std::move(empty);
}

}  // namespace

void bring_inside(onnx::Graph& graph, Weights& weights) {
  std::map<Hash128, const onnx::Tensor*> moved;  // two tensors may have one content
  for_each_initializer(graph, [&](onnx::Tensor& tensor) {
    const auto content = placed_content(head_of(tensor));
    if (!content) return;
    const auto before = moved.find(*content);
    const auto there = weights.find(*content);
    if (before == moved.end() && there == weights.end()) return;
    if (before != moved.end()) {
      tensor.set_raw_data(before->second->raw());
    } else {
      tensor.set_raw_data(std::move(there->second));
    }
    tensor.external_data().clear();
    tensor.data_location() = onnx::TensorProto::DEFAULT;
    moved.emplace(*content, &tensor);
    if (there != weights.end()) weights.erase(there);
  });
}

void leave_outside(onnx::Graph& graph, Weights& weights) {
  for_each_initializer(graph, [&](onnx::Tensor& tensor) { leave_outside(tensor, weights); });
}

}  // namespace culprit
