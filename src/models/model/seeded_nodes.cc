#include "model/seeded_nodes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string_view>

#include "base/file.h"
#include "model/model.h"

namespace culprit {
namespace {

constexpr std::string_view seed = "seed";

template <class Nodes>
bool any_seeded(const Nodes& nodes) {
  return std::ranges::any_of(nodes, [](const onnx::NodeProto& node) {
    return std::ranges::any_of(node.attribute(), [](const auto& attribute) {
      return attribute.name() == seed || (attribute.has_g() && any_seeded(attribute.g().node())) ||
             std::ranges::any_of(attribute.graphs(), [](const auto& graph) { return any_seeded(graph.node()); });
    });
  });
}

}  // namespace

bool has_seeded_nodes(const onnx::ModelProto& model) {
  return any_seeded(model.graph().node()) ||
         std::ranges::any_of(model.functions(), [](const auto& function) { return any_seeded(function.node()); });
}

bool has_seeded_nodes(const std::filesystem::path& file) {
  {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return false;
    const std::string_view bytes(reinterpret_cast<const char*>(mapped->bytes().data()), mapped->bytes().size());
    if (bytes.find(seed) == std::string_view::npos) return false;
  }
  const auto model = load_proto(file);
  return model && has_seeded_nodes(*model);
}

}  // namespace culprit
