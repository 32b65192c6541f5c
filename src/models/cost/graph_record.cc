#include "cost/graph_record.h"

#include <onnx/onnx_pb.h>

#include <limits>
#include <set>
#include <tuple>

#include "cost/node_costs.h"
#include "cost/op_name.h"
#include "model/external_data.h"
#include "model/graph_walk.h"
#include "tensor/dtype.h"
#include "tensor/tensor.h"

namespace culprit {
namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

/// Sizes are not believed: a shape that cannot be has no elements, and the sum stops at what an integer holds.
std::int64_t plus_elements(std::int64_t sum, const onnx::TensorProto& tensor) {
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end())).value_or(0);
  return count > most - sum ? most : sum + count;
}

/// The weights that a node of Constant holds: floats, and not one alone, which is an operand such as epsilon.
const onnx::TensorProto* weights_in(const onnx::NodeProto& node) {
  if (node.op_type() != "Constant" || !node.domain().empty()) return nullptr;
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() != "value" || !attribute.has_t()) continue;
    const auto type = dtype_from_onnx(attribute.t().data_type());
    return type && is_float(*type) && plus_elements(0, attribute.t()) > 1 ? &attribute.t() : nullptr;
  }
  return nullptr;
}

std::uint64_t external_bytes(const Model& model, const std::filesystem::path& folder) {
  std::set<std::tuple<std::filesystem::path, std::uint64_t, std::uint64_t>> places;
  for_each_tensor(*model.proto, [&](const onnx::TensorProto& tensor) {
    if (!is_external(tensor)) return;
    if (const auto place = external_place(tensor, folder)) {
      places.emplace(place->file, place->offset, place->length);
    }
  });
  std::uint64_t bytes = 0;
  for (const auto& [file, offset, length] : places) bytes += length;
  return bytes;
}

}  // namespace

GraphRecord graph_record(const Model& model, const TypedGraph& graph, const std::filesystem::path& data_folder) {
  GraphRecord record;
  for_each_graph(model.proto->graph(), [&](const onnx::GraphProto& part) {
    record.nodes += part.node_size();
    for (const auto& node : part.node()) {
      ++record.ops[op_name(node)];
      if (const auto* weights = weights_in(node)) record.parameters = plus_elements(record.parameters, *weights);
    }
    for (const auto& tensor : part.initializer()) record.parameters = plus_elements(record.parameters, tensor);
    for (const auto& sparse : part.sparse_initializer()) {
      record.parameters = plus_elements(record.parameters, sparse.values());
    }
  });
  const NodeCosts costs = node_costs(graph);
  record.flops = costs.flops;
  record.moved = costs.moved;
  record.nodes_uncounted = costs.nodes_uncounted;
  record.file_bytes = model.facts.bytes;
  if (model.has_external_data)
    record.file_bytes += external_bytes(model, data_folder.empty() ? model.path.parent_path() : data_folder);
  return record;
}

GraphRecord graph_record(const Model& model, const InputShapes& shapes) {
  return graph_record(model, typed_graph(*model.proto, shapes));
}

GraphRecord graph_record(const Model& model, const SeenValues& seen) {
  return graph_record(model, typed_graph(*model.proto, seen));
}

}  // namespace culprit
