#include "reduce/open_sizes.h"

namespace culprit {
namespace {

void open_all(google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& infos) {
  for (auto& info : infos) open_sizes(info);
}

}  // namespace

void open_sizes(onnx::ValueInfoProto& info) {
  if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape()) return;
  for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) dim.clear_value();
}

void open_sizes_in_bodies(onnx::GraphProto& graph) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (!attribute.has_g()) continue;
      onnx::GraphProto& body = *attribute.mutable_g();
      open_all(*body.mutable_input());
      open_all(*body.mutable_output());
      open_all(*body.mutable_value_info());
      open_sizes_in_bodies(body);
    }
  }
}

std::optional<Case> with_open_sizes(const Case& a_case) {
  auto made = std::make_shared<onnx::ModelProto>(*a_case.model);
  auto& graph = *made->mutable_graph();
  open_all(*graph.mutable_output());
  open_all(*graph.mutable_value_info());
  open_sizes_in_bodies(graph);
  if (made->ByteSizeLong() == a_case.model->ByteSizeLong()) return std::nullopt;
  return Case{std::move(made), a_case.samples};
}

}  // namespace culprit
