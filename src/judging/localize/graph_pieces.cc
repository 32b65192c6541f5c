#include "localize/graph_pieces.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "localize/graph_cut.h"

namespace culprit {
namespace {

constexpr std::size_t name_shown = 100;                   // characters of a name that are shown
constexpr int nowhere = std::numeric_limits<int>::max();  // behind all nodes

std::string quoted(const std::string& name) { return "'" + printable(name, name_shown) + "'"; }

/// What a change of the graph alone cannot explain; "" where there is nothing.
std::string differs_outside(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  const auto same = [](const auto& a, const auto& b) { return a.SerializeAsString() == b.SerializeAsString(); };
  const auto fed = [](const onnx::GraphProto& graph) {
    std::unordered_set<std::string> stored;
    for (const auto& tensor : graph.initializer()) stored.insert(tensor.name());
    std::vector<std::string> inputs;
    for (const auto& input : graph.input()) {
      if (!stored.contains(input.name())) inputs.push_back(input.SerializeAsString());
    }
    return inputs;
  };
  if (fed(before.graph()) != fed(after.graph())) return "inputs";
  if (!std::ranges::equal(before.graph().output(), after.graph().output(), same)) return "outputs";
  if (!std::ranges::equal(before.opset_import(), after.opset_import(), same)) return "opsets";
  if (!std::ranges::equal(before.functions(), after.functions(), same)) return "functions";
  if (!std::ranges::equal(before.graph().sparse_initializer(), after.graph().sparse_initializer(), same))
    return "sparse initializers";
  return "";
}

/// Puts nodes and initializers together: what is wanted, and what is read by it, in an order in which each node comes
/// behind those that it reads.
class Assembly {
 public:
  explicit Assembly(onnx::GraphProto& graph) : graph_(graph) {}

  /// Comes in any case, and in this order as far as that is sorted.
  void want(onnx::NodeProto node) { wanted_.push_back(put(std::move(node))); }
  void want(const onnx::TensorProto& tensor) { *graph_.add_initializer() = tensor; }
  /// Comes where it is read.
  void offer(const Definition& definition) {
    if (definition.node != nullptr) put(*definition.node);
    if (definition.initializer != nullptr) offered_.emplace(definition.initializer->name(), definition.initializer);
  }

  void assemble(const onnx::GraphProto& outputs_of) {
    for (const std::size_t number : wanted_) emit(number);
    for (const auto& output : outputs_of.output()) bring(output.name());
  }

 private:
  std::size_t put(onnx::NodeProto node) {
    for (const auto& name : node.output()) {
      if (!name.empty()) makers_.emplace(name, nodes_.size());
    }
    nodes_.push_back(std::move(node));
    is_emitted_.push_back(false);
    return nodes_.size() - 1;
  }

  void emit(std::size_t number) {
    if (is_emitted_[number]) return;
    is_emitted_[number] = true;  // before what it reads, so that a circle ends
    for_each_read(nodes_[number], [&](const std::string& name) { bring(name); });
    *graph_.add_node() = nodes_[number];
  }

  void bring(const std::string& name) {
    if (const auto at = makers_.find(name); at != makers_.end()) emit(at->second);
    if (const auto at = offered_.find(name); at != offered_.end()) {
      *graph_.add_initializer() = *at->second;
      offered_.erase(at);
    }
  }

  onnx::GraphProto& graph_;
  std::vector<onnx::NodeProto> nodes_;
  std::vector<bool> is_emitted_;
  std::vector<std::size_t> wanted_;
  std::unordered_map<std::string, std::size_t> makers_;
  std::unordered_map<std::string, const onnx::TensorProto*> offered_;
};

}  // namespace

class GraphPieces::Cut {
 public:
  Cut(const onnx::ModelProto& before, const onnx::ModelProto& after) : before_(before), after_(after) {
    cut_ = cut(before_.graph(), after_.graph());
    for (int i = 0; i < before_.graph().node_size(); ++i) places_.emplace(&before_.graph().node(i), i);
    find_replaced();
    find_exchanged();
    find_dropped();
    std::ranges::stable_sort(found_, {}, &Found::place);
    for (const Found& found : found_) pieces_.push_back(found.piece);
  }

  [[nodiscard]] const std::vector<GraphPiece>& pieces() const { return pieces_; }

  [[nodiscard]] onnx::ModelProto with(const Subset& pieces) const {
    Choice choice;
    for (const std::size_t piece : pieces) {
      const Found& found = found_.at(piece);
      if (found.exchange != nullptr) choice.exchanged.insert(found.exchange);
      if (found.dropped != nullptr) choice.dropped.insert(found.dropped);
      if (found.exchange == nullptr && found.dropped == nullptr) choice.replaced.insert(found.names);
    }
    onnx::ModelProto model = before_;
    auto& graph = *model.mutable_graph();
    graph.clear_node();
    graph.clear_initializer();
    Assembly assembly(graph);
    put_together(choice, assembly);
    assembly.assemble(before_.graph());
    declare(choice, graph);
    return model;
  }

 private:
  using Names = std::pair<std::string, std::string>;

  struct Found {
    GraphPiece piece;
    int place = nowhere;
    Names names = {};                     // of a replacement
    const Exchange* exchange = nullptr;   // or this
    const Definition* dropped = nullptr;  // or this
  };

  struct Choice {
    std::set<Names> replaced;
    std::set<const Exchange*> exchanged;
    std::set<const Definition*> dropped;
  };

  static std::string first_output(const onnx::NodeProto* node) {
    return node == nullptr || node->output_size() == 0 ? "" : node->output(0);
  }

  void find_replaced() {
    for (const auto& [names, node] : cut_.replaced) {
      const std::string what = quoted(names.first) + " is replaced by " + quoted(names.second);
      found_.push_back({{what, first_output(node)}, places_.at(node), names});
    }
  }

  void find_exchanged() {
    for (const Exchange& exchange : cut_.exchanged) {
      Found found{{}, nowhere, {}, &exchange};
      const auto node =
          std::ranges::find_if(exchange.before, [](const Definition& one) { return one.node != nullptr; });
      const Definition& first = node == exchange.before.end() ? exchange.before.front() : *node;
      const std::string name = quoted(first.names().empty() ? "" : first.names().front());
      found.piece.what = first.node != nullptr ? name + " is computed in another way" : name + " has other values";
      const onnx::NodeProto* place = first.node;
      for (const auto& other : before_.graph().node()) {
        if (place == nullptr && reads(other, first.initializer->name())) place = &other;
      }
      if (place != nullptr) found.place = places_.at(place);
      found.piece.output = first_output(place);
      found_.push_back(std::move(found));
    }
  }

  static bool reads(const onnx::NodeProto& node, const std::string& name) {
    bool found = false;
    for_each_read(node, [&](const std::string& read) { found = found || read == name; });
    return found;
  }

  /// What is gone, though something that stays reads it.
  void find_dropped() {
    std::unordered_map<std::string, const onnx::NodeProto*> readers;
    for (const auto& node : after_.graph().node())
      for_each_read(node, [&](const std::string& name) { readers.emplace(name, &node); });
    for (const Definition& definition : cut_.removed) {
      for (const std::string& name : definition.names()) {
        const auto reader = readers.find(name);
        if (reader == readers.end()) continue;
        const std::string what = quoted(name) + " is taken away, though it is read";
        found_.push_back({{what, first_output(reader->second)}, nowhere, {}, nullptr, &definition});
        break;
      }
    }
  }

  void put_together(const Choice& choice, Assembly& assembly) const {
    std::map<const onnx::NodeProto*, const Exchange*> exchanged;  // those that go
    for (const Exchange& exchange : cut_.exchanged) {
      for (const Definition& definition : exchange.before) {
        const bool goes = choice.exchanged.contains(&exchange);
        if (definition.node != nullptr && goes) exchanged.emplace(definition.node, &exchange);
        if (definition.initializer != nullptr && !goes) assembly.want(*definition.initializer);
      }
    }
    std::set<const onnx::NodeProto*> removed;
    for (const Definition& definition : cut_.removed) {
      if (definition.node != nullptr) removed.insert(definition.node);
      if (!choice.dropped.contains(&definition)) assembly.offer(definition);
    }
    for (const Definition& definition : cut_.added) assembly.offer(definition);
    std::set<const Exchange*> done;
    for (const auto& node : before_.graph().node()) {
      if (const auto same = cut_.same.find(&node); same != cut_.same.end()) {
        assembly.want(with_reads(node, *same->second, choice));
      } else if (const auto at = exchanged.find(&node); at != exchanged.end()) {
        if (done.insert(at->second).second) put_after(*at->second, assembly);
      } else if (!removed.contains(&node)) {
        assembly.want(node);
      }
    }
    for (const Exchange* exchange : choice.exchanged) {
      if (done.insert(exchange).second) put_after(*exchange, assembly);
    }
    put_kept_initializers(assembly);
  }

  static void put_after(const Exchange& exchange, Assembly& assembly) {
    for (const Definition& definition : exchange.after) {
      if (definition.node != nullptr) assembly.want(*definition.node);
      if (definition.initializer != nullptr) assembly.want(*definition.initializer);
    }
  }

  void put_kept_initializers(Assembly& assembly) const {
    std::set<const onnx::TensorProto*> others;
    const auto note = [&](const Definition& definition) { others.insert(definition.initializer); };
    for (const Exchange& exchange : cut_.exchanged) std::ranges::for_each(exchange.before, note);
    std::ranges::for_each(cut_.removed, note);
    for (const auto& tensor : before_.graph().initializer()) {
      if (!others.contains(&tensor)) assembly.want(tensor);
    }
  }

  static onnx::NodeProto with_reads(const onnx::NodeProto& node, const onnx::NodeProto& counterpart,
                                    const Choice& choice) {
    onnx::NodeProto made = node;
    if (choice.replaced.empty()) return made;
    for_each_pair(made, counterpart, [&](onnx::NodeProto& one, const onnx::NodeProto& other) {
      for (int slot = 0; slot < one.input_size(); ++slot) {
        if (choice.replaced.contains({one.input(slot), other.input(slot)})) one.set_input(slot, other.input(slot));
      }
    });
    return made;
  }

  /// Types of what is there, and no inputs for initializers that are gone.
  void declare(const Choice& choice, onnx::GraphProto& graph) const {
    std::unordered_set<std::string> there, stored_before;
    for (const auto& tensor : before_.graph().initializer()) stored_before.insert(tensor.name());
    for (const auto& tensor : graph.initializer()) there.insert(tensor.name());
    graph.clear_input();
    for (const auto& input : before_.graph().input()) {
      if (!stored_before.contains(input.name()) || there.contains(input.name())) *graph.add_input() = input;
    }
    std::unordered_set<std::string> moved;  // may have another type now
    for (const Exchange* exchange : choice.exchanged) {
      for (const Definition& definition : exchange->after) {
        for (const std::string& name : definition.names()) moved.insert(name);
      }
    }
    graph.clear_value_info();
    for (const auto& value : before_.graph().value_info()) {
      if (!moved.contains(value.name())) *graph.add_value_info() = value;
    }
  }

  onnx::ModelProto before_, after_;
  GraphCut cut_;
  std::map<const onnx::NodeProto*, int> places_;  // of the nodes before
  std::vector<Found> found_;
  std::vector<GraphPiece> pieces_;
};

Result<GraphPieces> GraphPieces::split(const onnx::ModelProto& before, const onnx::ModelProto& after) {
  const std::string other = differs_outside(before, after);
  if (!other.empty()) return fail(ErrorKind::unsupported, "it changes the model's " + other + " as well");
  return GraphPieces(std::make_unique<Cut>(before, after));
}

GraphPieces::GraphPieces(std::unique_ptr<Cut> cut) : cut_(std::move(cut)) {}
GraphPieces::GraphPieces(GraphPieces&&) noexcept = default;
GraphPieces& GraphPieces::operator=(GraphPieces&&) noexcept = default;
GraphPieces::~GraphPieces() = default;

const std::vector<GraphPiece>& GraphPieces::pieces() const { return cut_->pieces(); }
onnx::ModelProto GraphPieces::with(const Subset& pieces) const { return cut_->with(pieces); }

}  // namespace culprit
