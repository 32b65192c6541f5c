#include "network/tensorflow/refused_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/text.h"
#include "network/graph_def.pb.h"
#include "network/tensorflow/tensorflow_model.h"

namespace culprit {
namespace {

using tensorflow::Attribute;
using tensorflow::Function;
using tensorflow::MetaGraph;
using tensorflow::Node;

constexpr std::size_t most_named = 10;

/// Anywhere in the name. Data sets read files, call Python (GeneratorDataset), or ask servers.
constexpr std::array outside_words{"PyFunc",     "File",       "Dataset", "Reader", "Iterator", "SummaryWriter", "Rpc",
                                   "Checkpoint", "CustomCall", "TPU",     "Nccl",   "TRT",      "XlaHost"};
constexpr std::array outside_beginnings{"Write", "Debug", "Print", "Collective", "DTensor", "CreateSummary"};
constexpr std::array outside_names{"ImmutableConst",
                                   "RemoteCall",
                                   "DumpTensor",
                                   "LoadAndRemapMatrix",
                                   "GenerateVocabRemapping",
                                   "FixedUnigramCandidateSampler",
                                   "Skipgram",
                                   "NegTrain",
                                   "CalibrationStatisticsSaver",
                                   "RecordInput",
                                   "DistributedSave",
                                   "ImportEvent",
                                   "WorkerHeartbeat",
                                   "Send",
                                   "Recv",
                                   "_Send",
                                   "_Recv",
                                   "_HostSend",
                                   "_HostRecv",
                                   "XlaLaunch",
                                   "XlaCallModule",
                                   "SleepOp",
                                   "SleepIdentityOp"};
/// They only put names together.
constexpr std::array harmless_names{"ShardedFilename", "ShardedFilespec"};
constexpr std::array checkpoint_names{"Save",      "SaveV2",       "SaveSlices",        "Restore",
                                      "RestoreV2", "RestoreSlice", "MergeV2Checkpoints"};

bool is_restore(const std::string& op) { return op.starts_with("Restore"); }

/// What runs when tensors are computed: nodes of the graph, each with what it needs, and whole bodies of functions.
class ReachedOperators {
 public:
  explicit ReachedOperators(const MetaGraph& graph) {
    for (const Node& node : graph.graph().nodes()) nodes_.emplace(node.name(), &node);
    for (const Function& function : graph.graph().library().functions())
      functions_.emplace(function.signature().name(), &function);
  }

  void from(std::string_view tensor) {
    std::vector<std::string_view> waiting{tensor};
    while (!waiting.empty() || !bodies_.empty()) {
      if (waiting.empty()) {
        const Function* body = bodies_.back();
        bodies_.pop_back();
        for (const Node& node : body->nodes()) take(node);
        continue;
      }
      const auto found = nodes_.find(node_of_tensor(waiting.back()));
      waiting.pop_back();
      if (found == nodes_.end() || !seen_.insert(found->second).second) continue;
      take(*found->second);
      waiting.insert(waiting.end(), found->second->inputs().begin(), found->second->inputs().end());
    }
  }
  [[nodiscard]] const std::vector<const Node*>& all() const { return all_; }

 private:
  void take(const Node& node) {
    all_.push_back(&node);
    call(node.op());
    for (const auto& [name, attribute] : node.attributes()) call(attribute);
  }

  /// Functions in the attributes of functions, too.
  void call(const Attribute& attribute) {
    if (attribute.has_function()) call(attribute.function());
    for (const auto& function : attribute.list().functions()) call(function);
  }
  void call(const tensorflow::CalledFunction& function) {
    call(function.name());
    for (const auto& [name, attribute] : function.attributes()) call(attribute);
  }
  void call(const std::string& name) {
    const auto found = functions_.find(name);
    if (found != functions_.end() && seen_.insert(found->second).second) bodies_.push_back(found->second);
  }

  std::map<std::string_view, const Node*> nodes_;
  std::map<std::string_view, const Function*> functions_;
  std::set<const void*> seen_;
  std::vector<const Function*> bodies_;
  std::vector<const Node*> all_;
};

class Refusals {
 public:
  void add(const Node& node) {
    if (words_.size() < most_named && named_.insert(&node).second)
      words_.push_back(fmt::format("{} (node '{}')", printable(node.op(), 80), printable(node.name(), 120)));
  }
  template <class Nodes>
  void add_outside(const Nodes& nodes) {
    for (const Node& node : nodes)
      if (risk_of_operator(node.op()) == OperatorRisk::outside) add(node);
  }
  [[nodiscard]] std::vector<std::string> words() && { return std::move(words_); }

 private:
  std::set<const Node*> named_;
  std::vector<std::string> words_;
};

/// What a SavedModel runs when it is loaded, beside its saver. Source: loader.cc of TensorFlow (GetInitOp).
std::vector<std::string> init_nodes(const MetaGraph& graph) {
  std::vector<std::string> names;
  for (const auto& [name, signature] : graph.signatures())
    if (name == "__saved_model_init_op")
      for (const auto& [key, info] : signature.outputs()) names.push_back(info.tensor());
  for (const auto& [name, collection] : graph.collections())
    if (name == "saved_model_main_op" || name == "legacy_init_op" || name == "saved_model_initializers")
      names.insert(names.end(), collection.nodes().names().begin(), collection.nodes().names().end());
  return names;
}

}  // namespace

OperatorRisk risk_of_operator(std::string_view name) {
  if (std::ranges::find(harmless_names, name) != harmless_names.end()) return OperatorRisk::none;
  const auto in_name = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
  const auto begins = [&](std::string_view word) { return name.starts_with(word); };
  if (std::ranges::find(checkpoint_names, name) != checkpoint_names.end()) return OperatorRisk::checkpoint;
  if (std::ranges::any_of(outside_words, in_name) || std::ranges::any_of(outside_beginnings, begins) ||
      std::ranges::find(outside_names, name) != outside_names.end())
    return OperatorRisk::outside;
  return OperatorRisk::none;
}

std::vector<std::string> find_refused_operators(const MetaGraph& graph, std::span<const std::string> fetched) {
  Refusals refusals;
  refusals.add_outside(graph.graph().nodes());
  for (const Function& function : graph.graph().library().functions()) refusals.add_outside(function.nodes());

  ReachedOperators run(graph);
  for (const std::string& tensor : fetched) run.from(tensor);
  for (const std::string& node : init_nodes(graph)) run.from(node);
  for (const Node* node : run.all())
    if (risk_of_operator(node->op()) == OperatorRisk::checkpoint) refusals.add(*node);

  ReachedOperators loaded(graph);  // with its own path given to it
  loaded.from(graph.saver().restore_op());
  for (const Node* node : loaded.all())
    if (risk_of_operator(node->op()) == OperatorRisk::checkpoint && !is_restore(node->op())) refusals.add(*node);
  return std::move(refusals).words();
}

}  // namespace culprit
