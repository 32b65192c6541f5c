#include "network/tensorflow/tensorflow_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <map>
#include <set>

#include "base/text.h"
#include "network/graph_def.pb.h"
#include "network/tensorflow/refused_operators.h"

namespace culprit {
namespace {

using tensorflow::Graph;
using tensorflow::MetaGraph;
using tensorflow::Node;

constexpr const char* serving = "serving_default";
constexpr const char* init_signature = "__saved_model_init_op";
/// They give no value that anybody could want.
constexpr std::array silent_operators{"NoOp", "Assert", "Placeholder", "Const", "PrintV2", "Print"};

Result<void> read_message(google::protobuf::MessageLite& message, std::string_view bytes, const char* what) {
  if (bytes.size() <= INT_MAX && message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return {};
  return fail(ErrorKind::bad_input, fmt::format("these {} bytes are no {} of TensorFlow", bytes.size(), what),
              "name a frozen graph (.pb), or the folder of a SavedModel");
}

/// nullptr where none can be chosen.
MetaGraph* chosen(tensorflow::SavedModel& model) {
  for (MetaGraph& graph : *model.mutable_graphs())
    if (std::ranges::find(graph.facts().tags(), "serve") != graph.facts().tags().end()) return &graph;
  return model.graphs_size() == 1 ? model.mutable_graphs(0) : nullptr;
}

std::optional<std::vector<std::int64_t>> dims_of(const tensorflow::TensorShape& shape) {
  if (shape.unknown_rank()) return std::nullopt;
  std::vector<std::int64_t> dims;
  for (const auto& dim : shape.dim()) dims.push_back(dim.size());
  return dims;
}

template <class Infos>
Result<std::vector<TensorflowValue>> values_of(const Infos& infos) {
  std::vector<TensorflowValue> values;
  for (const auto& [name, info] : infos) {
    if (info.tensor().empty())
      return fail(ErrorKind::unsupported,
                  fmt::format("the value '{}' of its signature is sparse or made of parts", printable(name)),
                  "only models whose inputs and outputs are tensors can be run");
    values.push_back({name, info.tensor(), info.type(), dims_of(info.shape())});
  }
  std::ranges::sort(values, {}, &TensorflowValue::name);  // a map of protobuf has no order
  return values;
}

const tensorflow::Signature* chosen_signature(const MetaGraph& graph) {
  if (const auto found = graph.signatures().find(serving); found != graph.signatures().end()) return &found->second;
  const tensorflow::Signature* only = nullptr;
  for (const auto& [name, signature] : graph.signatures()) {
    if (name == init_signature) continue;
    if (only != nullptr) return nullptr;
    only = &signature;
  }
  return only;
}

Result<TensorflowInterface> interface_of_signature(const MetaGraph& graph) {
  const tensorflow::Signature* signature = chosen_signature(graph);
  if (signature == nullptr) {
    std::set<std::string> names;
    for (const auto& [name, ignored] : graph.signatures()) names.insert(printable(name, 60));
    const std::vector<std::string> listed(names.begin(), names.end());
    return fail(ErrorKind::unsupported,
                fmt::format("it is not clear what to run: the SavedModel has no signature '{}'{}", serving,
                            listed.empty() ? ", nor any other" : "; there are " + join(listed, ", ")),
                "save it with signatures={'serving_default': ...}");
  }
  auto inputs = values_of(signature->inputs());
  if (!inputs) return tl::unexpected(inputs.error());
  auto outputs = values_of(signature->outputs());
  if (!outputs) return tl::unexpected(outputs.error());
  return TensorflowInterface{std::move(*inputs), std::move(*outputs)};
}

TensorflowValue input_of(const Node& node) {
  TensorflowValue value{node.name() + ":0", node.name() + ":0"};
  if (const auto type = node.attributes().find("dtype"); type != node.attributes().end())
    value.type = type->second.type();
  if (const auto shape = node.attributes().find("shape"); shape != node.attributes().end())
    value.shape = dims_of(shape->second.shape());
  return value;
}

/// Constants, and what hands them on.
std::set<std::string_view> constant_nodes(const Graph& graph) {
  constexpr int most_hands = 8;
  std::set<std::string_view> found;
  for (int hand = 0; hand < most_hands; ++hand) {
    const std::size_t before = found.size();
    for (const Node& node : graph.nodes())
      if (node.op() == "Const" ||
          (node.op() == "Identity" && !node.inputs().empty() && found.contains(node_of_tensor(node.inputs()[0]))))
        found.insert(node.name());
    if (found.size() == before) break;
  }
  return found;
}

/// What a frozen variable leaves behind where nobody reads it but bodies of loops, which have the constant itself.
bool is_frozen_reading(const Node& node, const std::set<std::string_view>& constants) {
  const std::string_view name = node.name();
  const auto last = name.substr(name.rfind('/') + 1);  // all of it where there is none
  return node.op() == "Identity" && last.starts_with("ReadVariableOp") && !node.inputs().empty() &&
         constants.contains(node_of_tensor(node.inputs()[0]));
}

TensorflowInterface interface_of_nodes(const Graph& graph) {
  const std::set<std::string_view> constants = constant_nodes(graph);
  std::set<std::string_view> used;
  for (const Node& node : graph.nodes())
    for (const std::string& input : node.inputs())
      if (!input.starts_with('^')) used.insert(node_of_tensor(input));
  TensorflowInterface found;
  for (const Node& node : graph.nodes()) {
    if (node.op() == "Placeholder") found.inputs.push_back(input_of(node));
    if (!used.contains(node.name()) && !is_frozen_reading(node, constants) &&
        std::ranges::find(silent_operators, node.op()) == silent_operators.end())
      found.outputs.push_back({node.name() + ":0", node.name() + ":0"});
  }
  return found;
}

}  // namespace

std::string_view node_of_tensor(std::string_view tensor) {
  if (tensor.starts_with('^')) tensor.remove_prefix(1);
  return tensor.substr(0, tensor.find(':'));
}

std::optional<int> index_of_tensor(std::string_view tensor) {
  const auto colon = tensor.find(':');
  if (colon == std::string_view::npos) return 0;
  int index = 0;
  const auto [stopped, error] = std::from_chars(tensor.data() + colon + 1, tensor.data() + tensor.size(), index);
  if (error != std::errc() || stopped != tensor.data() + tensor.size() || index < 0) return std::nullopt;
  return index;
}

TensorflowModel::TensorflowModel(std::shared_ptr<const MetaGraph> graph, bool is_saved)
    : graph_(std::move(graph)),
      is_saved_(is_saved),
      tags_(graph_->facts().tags().begin(), graph_->facts().tags().end()) {}

Result<TensorflowModel> TensorflowModel::of_graph(std::string_view bytes) {
  auto graph = std::make_shared<MetaGraph>();
  if (auto ok = read_message(*graph->mutable_graph(), bytes, "GraphDef"); !ok) return tl::unexpected(ok.error());
  const bool is_graph =
      graph->graph().nodes_size() > 0 && std::ranges::all_of(graph->graph().nodes(), [](const Node& node) {
        return !node.name().empty() && !node.op().empty();
      });
  if (!is_graph)
    return fail(ErrorKind::bad_input, fmt::format("these {} bytes are no graph of TensorFlow's nodes", bytes.size()),
                "name a frozen graph (.pb), or the folder of a SavedModel");
  return TensorflowModel(std::move(graph), false);
}

Result<TensorflowModel> TensorflowModel::of_saved_model(std::string_view bytes) {
  tensorflow::SavedModel model;
  if (auto ok = read_message(model, bytes, "SavedModel"); !ok) return tl::unexpected(ok.error());
  MetaGraph* graph = chosen(model);
  if (graph == nullptr)
    return fail(ErrorKind::unsupported,
                fmt::format("the SavedModel has {} graphs, and none with the tag 'serve'", model.graphs_size()),
                "save one for serving");
  return TensorflowModel(std::make_shared<const MetaGraph>(std::move(*graph)), true);
}

Result<TensorflowInterface> TensorflowModel::interface() const {
  return is_saved_ ? interface_of_signature(*graph_) : interface_of_nodes(graph_->graph());
}

std::vector<std::string> TensorflowModel::refused_operators(std::span<const std::string> fetched) const {
  return find_refused_operators(*graph_, fetched);
}

const Graph& TensorflowModel::graph() const { return graph_->graph(); }

std::int64_t TensorflowModel::node_count() const {
  std::int64_t count = graph_->graph().nodes_size();
  for (const auto& function : graph_->graph().library().functions()) count += function.nodes_size();
  return count;
}

bool TensorflowModel::has_node(std::string_view name) const {
  return std::ranges::any_of(graph_->graph().nodes(), [&](const Node& node) { return node.name() == name; });
}

}  // namespace culprit
