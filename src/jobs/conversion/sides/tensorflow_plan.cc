#include "conversion/sides/tensorflow_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "base/as_index.h"
#include "base/file.h"
#include "base/text.h"
#include "network/tensorflow/tensor_value.h"
#include "network/tensorflow/tensorflow_model.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit {
namespace {

using tensorflow::Graph;
using tensorflow::Node;

/// In old loops constants wait for the loop to begin.
bool has_old_loops(const Graph& graph) {
  return std::ranges::any_of(graph.nodes(), [](const Node& node) {
    return node.op() == "Switch" || node.op() == "Merge" || node.op() == "Enter";
  });
}

void drop_waiting(Node& node) {
  for (int at = node.inputs_size() - 1; at >= 0 && node.inputs(at).starts_with('^'); --at)
    node.mutable_inputs()->RemoveLast();
}

void replace_inputs(Node& node, const std::string& tensor, const std::string& by) {
  std::ranges::replace(*node.mutable_inputs(), tensor, by);
}

}  // namespace

std::string whole_tensor_name(std::string_view tensor) {
  return std::string(tensor) + (tensor.find(':') == std::string_view::npos ? ":0" : "");
}

TensorflowBase tensorflow_base(Graph graph, const Network& network) {
  TensorflowBase base;
  if (!has_old_loops(graph))
    for (Node& node : *graph.mutable_nodes()) drop_waiting(node);
  base.layers.assign(as_index(graph.nodes_size()), -1);
  for (std::size_t layer = 0; layer < network.layers.size(); ++layer) {
    const auto native = static_cast<int>(network.layers[layer].native);
    base.layers[as_index(native)] = static_cast<int>(layer);
    const auto& inputs = network.layers[layer].inputs;
    for (std::size_t at = 0; at < inputs.size(); ++at)
      if (inputs[at] >= 0)
        graph.mutable_nodes(native)->set_inputs(static_cast<int>(at), network.values[as_index(inputs[at])].name);
  }
  for (int i = 0; i < graph.nodes_size(); ++i) {
    base.numbers[graph.nodes(i).name()] = i;
    for (const std::string& input : graph.nodes(i).inputs()) base.users[input].push_back(i);
  }
  base.shell = graph;
  base.shell.clear_nodes();
  base.graph = std::move(graph);
  return base;
}

Node& TensorflowPlan::changed(int number) {
  const auto found = changed_.find(number);
  return found != changed_.end() ? found->second : changed_.emplace(number, base_.graph.nodes(number)).first->second;
}

Node& TensorflowPlan::node_of(int layer) { return changed(static_cast<int>(network_.layers[as_index(layer)].native)); }

Node& TensorflowPlan::add_node(const std::string& operation, DType type) {
  std::string name;
  do {
    name = fmt::format("culprit_edit_{}", number_++);
  } while (base_.numbers.contains(name));
  Node& node = added_[name];
  node.set_name(name);
  node.set_op(operation);
  if (type != DType::undefined)
    (*node.mutable_attributes())["T"].set_type(tensorflow_type_of(type).value_or(tensorflow_float));
  return node;
}

Result<std::string> TensorflowPlan::add_constant(const Tensor& tensor) {
  const auto bytes = tensorflow_tensor(tensor);
  if (!bytes) return tl::unexpected(bytes.error());
  Node& node = add_node("Const", DType::undefined);
  (*node.mutable_attributes())["dtype"].set_type(tensorflow_type_of(tensor.dtype()).value());
  (*node.mutable_attributes())["value"].set_tensor(*bytes);
  return whole_tensor_name(node.name());
}

std::string TensorflowPlan::add_placeholder(DType type) {
  Node& node = add_node("Placeholder", DType::undefined);
  (*node.mutable_attributes())["dtype"].set_type(tensorflow_type_of(type).value_or(tensorflow_float));
  return whole_tensor_name(node.name());
}

void TensorflowPlan::replace_uses(const std::string& tensor, const std::string& by, const Node* but) {
  if (const auto users = base_.users.find(tensor); users != base_.users.end())
    for (const int user : users->second) replace_inputs(changed(user), tensor, by);
  for (auto& [number, node] : changed_)
    if (&node != but) replace_inputs(node, tensor, by);
  for (auto& [name, node] : added_)
    if (&node != but) replace_inputs(node, tensor, by);
}

TensorflowPlan::NeededNode TensorflowPlan::find(std::string_view name) const {
  const std::string key(name);
  if (const auto added = added_.find(key); added != added_.end()) return {&added->second, -1};
  const auto number = base_.numbers.find(key);
  if (number == base_.numbers.end()) return {};
  const auto changed = changed_.find(number->second);
  return {changed == changed_.end() ? &base_.graph.nodes(number->second) : &changed->second,
          base_.layers[as_index(number->second)]};
}

std::vector<TensorflowPlan::NeededNode> TensorflowPlan::needed_for(const std::vector<std::string>& tensors,
                                                                   const std::set<std::string>& given) const {
  std::vector<NeededNode> needed;
  std::set<const Node*> seen;
  std::vector<std::string> waiting = tensors;
  while (!waiting.empty()) {
    const std::string tensor = std::move(waiting.back());
    waiting.pop_back();
    const NeededNode found = find(node_of_tensor(tensor));
    if (found.node == nullptr || seen.contains(found.node)) continue;
    if (given.contains(whole_tensor_name(tensor)) && found.node->op() != "Placeholder") continue;
    seen.insert(found.node);
    needed.push_back(found);
    waiting.insert(waiting.end(), found.node->inputs().begin(), found.node->inputs().end());
  }
  return needed;
}

Result<void> TensorflowPlan::write(const std::vector<NeededNode>& nodes, const std::filesystem::path& file) const {
  Graph made = base_.shell;
  for (const NeededNode& needed : nodes) *made.add_nodes() = *needed.node;
  if (made.ByteSizeLong() > INT_MAX)
    return fail(ErrorKind::unsupported, "a graph of TensorFlow of more than 2 GiB is no file");
  return write_file_atomic(file, made.SerializeAsString());
}

}  // namespace culprit
