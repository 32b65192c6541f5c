#include "model/lost_types.h"

#include <onnx/onnx_pb.h>

#include <unordered_map>

#include "base/text.h"
#include "model/graph_walk.h"

namespace culprit {
namespace {

constexpr std::size_t names_shown = 4;

using Types = std::unordered_map<std::string, const onnx::TypeProto*>;

Types types_that_are_no_tensors(const onnx::ModelProto& model) {
  Types types;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto* values : {&graph.input(), &graph.output()}) {
      for (const auto& value : *values) {
        const auto kind = value.type().value_case();
        if (kind == onnx::TypeProto::VALUE_NOT_SET || kind == onnx::TypeProto::kTensorType) continue;
        types.emplace(value.name(), &value.type());
      }
    }
  });
  return types;
}

template <class Values>
void put_back(const Types& types, const std::string& side, Values& values, std::vector<std::string>& lost) {
  for (auto& value : values) {
    const auto known = types.find(value.name());
    if (known == types.end() || value.type().value_case() != onnx::TypeProto::VALUE_NOT_SET) continue;
    *value.mutable_type() = *known->second;
    lost.push_back(side + " '" + printable(value.name(), 60) + "'");
  }
}

void put_back(const Types& types, onnx::GraphProto& graph, std::vector<std::string>& lost) {
  put_back(types, "input", *graph.mutable_input(), lost);
  put_back(types, "output", *graph.mutable_output(), lost);
  std::vector<std::string> inside;
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) put_back(types, *attribute.mutable_g(), inside);
      for (auto& inner : *attribute.mutable_graphs()) put_back(types, inner, inside);
    }
  }
}

void leave_out(onnx::GraphProto& graph) {
  for (auto* values : {graph.mutable_input(), graph.mutable_output()}) {
    for (auto& value : *values) {
      if (!value.type().has_tensor_type()) value.clear_type();
    }
  }
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) leave_out(*attribute.mutable_g());
      for (auto& inner : *attribute.mutable_graphs()) leave_out(inner);
    }
  }
}

}  // namespace

std::vector<std::string> put_back_types(const onnx::ModelProto& original, onnx::ModelProto& variant) {
  std::vector<std::string> lost;
  const Types types = types_that_are_no_tensors(original);
  if (!types.empty()) put_back(types, *variant.mutable_graph(), lost);
  return lost;
}

void leave_out_types(onnx::ModelProto& variant) { leave_out(*variant.mutable_graph()); }

std::string lost_types_text(const std::vector<std::string>& lost) {
  std::vector<std::string> shown = lost;
  if (shown.size() > names_shown) shown.resize(names_shown);
  const std::string more =
      lost.size() > shown.size() ? " and " + std::to_string(lost.size() - shown.size()) + " more" : "";
  return "the optimizer's export leaves out the type of " + join(shown, ", ") + more;
}

Warning types_lost_warning(const std::vector<std::string>& lost) {
  return {types_lost, lost_types_text(lost) + "; it was put back in every variant, so that the passes could be judged"};
}

}  // namespace culprit
