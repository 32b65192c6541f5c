// A node's output is replaced by an input of it of the same type and shape; in bodies by any.

#include <algorithm>
#include <map>

#include "reduce/cut_out.h"
#include "reduce/deltas/bodies.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

struct Bypass {
  std::vector<int> path;  ///< node, then attribute, node, ... into bodies
  std::string from, to;   ///< what the node makes, and what stands in for it
};

struct BypassForm {
  std::int64_t type = 0;
  Shape shape;
  bool operator==(const BypassForm&) const = default;
};

/// Types and shapes of the values of the top graph, as far as they are known.
class BypassForms {
 public:
  explicit BypassForms(const View& view) {
    for (const auto& tensor : view.model.graph().initializer()) {
      forms_[tensor.name()] = {tensor.data_type(), Shape(tensor.dims().begin(), tensor.dims().end())};
    }
    if (!view.samples.empty()) {
      for (const auto& input : view.samples.front()) {
        if (input.part.empty()) add(input.name, input.value);
      }
    }
    if (!view.values.empty()) {
      for (const auto& [name, value] : view.values.front()) add(name, value);
    }
  }
  [[nodiscard]] bool equal(const std::string& one, const std::string& other) const {
    const auto a = forms_.find(one), b = forms_.find(other);
    return a != forms_.end() && b != forms_.end() && a->second == b->second;
  }

 private:
  void add(const std::string& name, const Tensor& tensor) {
    forms_[name] = {static_cast<std::int64_t>(tensor.dtype()), tensor.shape()};
  }
  std::map<std::string, BypassForm> forms_;
};

bool is_output(const onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::find(graph.output(), name, &onnx::ValueInfoProto::name) != graph.output().end();
}

/// An output is bypassed only by what a node makes. In bodies types are not known, and left to the checker.
void collect(const onnx::GraphProto& graph, const BypassForms* forms, std::vector<int> path,
             std::vector<Bypass>& found) {
  for (int i = 0; i < graph.node_size(); ++i) {
    const auto& node = graph.node(i);
    path.push_back(i);
    for (const auto& output : node.output()) {
      for (const auto& input : node.input()) {
        if (output.empty() || input.empty() || (forms != nullptr && !forms->equal(output, input))) continue;
        if (is_output(graph, output) && (!is_made(graph, input) || is_output(graph, input))) continue;
        found.push_back({path, output, input});
      }
    }
    for (int a = 0; a < node.attribute_size(); ++a) {
      if (!node.attribute(a).has_g()) continue;
      path.push_back(a);
      collect(node.attribute(a).g(), nullptr, path, found);
      path.pop_back();
    }
    path.pop_back();
  }
}

std::vector<Bypass> bypasses_of(const View& view) {
  const BypassForms forms(view);
  std::vector<Bypass> found;
  collect(view.model.graph(), &forms, {}, found);
  return found;
}

/// Everywhere in the graph and in the graphs inside; the node itself makes something else then.
void replace_uses(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& input : *node.mutable_input()) {
      if (input == from) input = to;
    }
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) replace_uses(*attribute.mutable_g(), from, to);
    }
  }
  for (auto& output : *graph.mutable_output()) {
    if (output.name() == from) output.set_name(to);
  }
}

std::optional<Case> bypassed(const View& view, std::size_t first, std::size_t last) {
  const std::vector<Bypass> all = bypasses_of(view);
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  std::map<std::string, std::string> done;  // a value may be stood in for by another that is gone as well
  for (std::size_t i = first; i < last; ++i) {
    std::string to = all[i].to;
    while (done.contains(to)) to = done[to];
    if (done.contains(all[i].from) || to == all[i].from) continue;
    done[all[i].from] = to;
    replace_uses(graph_at(*made->mutable_graph(), all[i].path), all[i].from, to);
  }
  std::vector<Inputs> samples = view.samples;
  sweep_all(*made, samples);
  return Case{std::move(made), std::move(samples)};
}

}  // namespace

Delta bypass_nodes() {
  return {Delta::Way::halving, false, [](const View& view) { return bypasses_of(view).size(); }, bypassed,
          [](const onnx::ModelProto& model) { return inner_edges(model.graph()); }};
}

}  // namespace culprit
