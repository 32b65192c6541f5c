#include <algorithm>

#include "reduce/deltas/bodies.h"
#include "reduce/deltas/delta_list.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// What a graph inside a node makes for its output number `output`.
struct FoldedBody {
  std::vector<int> path;  ///< of the node that makes it
  int output;
  Shape shape;
};

/// As declared; what is open is 1.
Shape shape_of(const onnx::ValueInfoProto& info) {
  Shape shape;
  for (const auto& dim : info.type().tensor_type().shape().dim()) {
    shape.push_back(dim.has_dim_value() ? dim.dim_value() : 1);
  }
  return shape;
}

bool is_made_by(const onnx::NodeProto& node, const std::string& name) {
  return std::ranges::find(node.output(), name) != node.output().end();
}

void collect(const onnx::GraphProto& graph, const View& view, const std::vector<int>& path,
             std::vector<FoldedBody>& found) {
  for (int i = 0; i < graph.node_size(); ++i) {
    const auto& node = graph.node(i);
    for (int a = 0; a < node.attribute_size(); ++a) {
      if (!node.attribute(a).has_g()) continue;
      const auto& body = node.attribute(a).g();
      std::vector<int> inner = path;
      inner.insert(inner.end(), {i, a});
      for (int k = 0; k < body.output_size(); ++k) {
        if (!body.output(k).type().has_tensor_type()) continue;
        Shape shape = shape_of(body.output(k));
        const bool is_branch = node.op_type() == "If" && k < node.output_size() && !view.values.empty();
        const auto known = is_branch ? view.values.front().find(node.output(k)) : decltype(view.values.front().end()){};
        if (is_branch && known != view.values.front().end()) shape = known->second.shape();
        for (int maker = 0; maker < body.node_size(); ++maker) {
          if (!is_made_by(body.node(maker), body.output(k).name())) continue;
          std::vector<int> whole = inner;
          whole.push_back(maker);
          found.push_back({std::move(whole), k, shape});
        }
      }
      collect(body, view, inner, found);
    }
  }
}

std::vector<FoldedBody> made_in(const View& view) {
  std::vector<FoldedBody> found;
  collect(view.model.graph(), view, {}, found);
  return found;
}

std::optional<Tensor> zeros(std::int32_t type, const Shape& shape) {
  const auto known = dtype_from_onnx(type);
  const auto count = element_count(shape);
  constexpr std::int64_t most = 100'000;
  if (!known || !count || *count > most || bits_of(*known) == 0) return std::nullopt;
  auto made = Tensor::from_bytes(*known, shape, std::vector<std::byte>(bytes_for(*known, *count)));
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

/// One at a time: the places of the others move where a node goes.
std::optional<Case> folded_body(const View& view, std::size_t number, std::size_t /*last*/) {
  const FoldedBody chosen = made_in(view).at(number);
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  auto& body = graph_at(*made->mutable_graph(), chosen.path);
  const std::string name = body.output(chosen.output).name();
  const auto value = zeros(body.output(chosen.output).type().tensor_type().elem_type(), chosen.shape);
  if (!value) return std::nullopt;
  *body.add_initializer() = to_proto(*value, name);
  for (auto& output : *body.mutable_node(chosen.path.back())->mutable_output()) {
    if (output == name) output.clear();
  }
  std::vector<Inputs> samples = view.samples;
  sweep_all(*made, samples);
  return Case{std::move(made), std::move(samples)};
}

std::vector<std::string> values_of_branches(const onnx::ModelProto& model) {
  std::vector<std::string> values;
  for (const auto& node : model.graph().node()) {
    if (node.op_type() == "If") values.insert(values.end(), node.output().begin(), node.output().end());
  }
  return values;
}

}  // namespace

Delta fold_bodies() {
  return {Delta::Way::listed, false, [](const View& view) { return made_in(view).size(); }, folded_body,
          values_of_branches};
}

}  // namespace culprit
