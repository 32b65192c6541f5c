#include "profile/nodes/flat_model.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/as_index.h"
#include "model/content_hash.h"

namespace culprit {
namespace {

constexpr char mark = '\x1f';  // between the number of a graph and a name; no name of a model is changed by it

}  // namespace

class FlatModel::Builder {
 public:
  Builder(FlatModel& made, onnx::GraphProto& flat) : made_(made), flat_(flat) {}

  void add_graph(const onnx::GraphProto& graph, const std::string& attribute) {
    const int number = static_cast<int>(made_.graphs.size());
    made_.graphs.push_back({-1, attribute});
    scopes_.push_back({number, {}});
    for (const auto& input : graph.input()) {
      auto* added = flat_.add_input();
      added->set_name(define(input.name()));
    }
    for (const auto& tensor : graph.initializer())
      *flat_.add_initializer() = stand_in(define(tensor.name()), content_hash(tensor));
    for (const auto& tensor : graph.sparse_initializer()) {
      const std::string name = define(tensor.values().name());
      *flat_.add_initializer() = stand_in(name, Hasher().add(name).finish());
    }
    for (int place = 0; place < graph.node_size(); ++place) add_node(graph.node(place), number, place);
    if (number == 0) {
      for (const auto& output : graph.output()) flat_.add_output()->set_name(use(output.name()));
    }
  }

 private:
  struct Scope {
    int graph;
    std::set<std::string_view> names;
  };

  static std::string scoped(int graph, std::string_view name) {
    return std::to_string(graph) + mark + std::string(name);
  }

  std::string define(const std::string& name) {
    if (name.empty()) return "";
    scopes_.back().names.insert(name);
    return scoped(scopes_.back().graph, name);
  }

  /// What is made nowhere keeps to the top graph, which does not have it either.
  [[nodiscard]] std::string use(const std::string& name) const {
    if (name.empty()) return "";
    for (std::size_t i = scopes_.size(); i-- > 0;)
      if (scopes_[i].names.contains(name)) return scoped(scopes_[i].graph, name);
    return scoped(0, name);
  }

  void add_node(const onnx::NodeProto& node, int graph, int place) {
    onnx::NodeProto flat;
    flat.set_op_type(node.op_type());
    flat.set_domain(node.domain());
    for (const auto& input : node.input()) flat.add_input(use(input));
    std::vector<int> bodies;
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) bodies.push_back(add_body(attribute.g(), attribute.name(), flat));
      for (const auto& body : attribute.graphs()) bodies.push_back(add_body(body, attribute.name(), flat));
      if (!attribute.has_g() && attribute.graphs_size() == 0) add_attribute(attribute, flat);
    }
    for (const auto& output : node.output()) flat.add_output(define(output));
    const int number = static_cast<int>(made_.nodes.size());
    for (const int body : bodies) made_.graphs[as_index(body)].outer = number;
    made_.nodes.push_back({&node, graph, place});
    *flat_.add_node() = std::move(flat);
  }

  /// Tensors by what tells them from others.
  static void add_attribute(const onnx::AttributeProto& attribute, onnx::NodeProto& flat) {
    if (!attribute.has_t()) {
      *flat.add_attribute() = attribute;
      return;
    }
    auto* added = flat.add_attribute();
    added->set_name(attribute.name());
    *added->mutable_t() = stand_in("", content_hash(attribute.t()));
  }

  /// A tensor of two elements instead of one that may be large: equal where they are.
  static onnx::TensorProto stand_in(const std::string& name, const Hash128& content) {
    onnx::TensorProto tensor;
    tensor.set_name(name);
    tensor.set_data_type(onnx::TensorProto::UINT64);
    tensor.add_dims(2);
    tensor.add_uint64_data(content.high);
    tensor.add_uint64_data(content.low);
    return tensor;
  }

  int add_body(const onnx::GraphProto& body, const std::string& attribute, onnx::NodeProto& around) {
    const int number = static_cast<int>(made_.graphs.size());
    add_graph(body, attribute);
    for (const auto& output : body.output()) around.add_input(use(output.name()));
    scopes_.pop_back();
    return number;
  }

  FlatModel& made_;
  onnx::GraphProto& flat_;
  std::vector<Scope> scopes_;
};

FlatModel::FlatModel(const onnx::ModelProto& model) {
  Builder(*this, *flat_.mutable_graph()).add_graph(model.graph(), "");
  index = index_of(flat_);
  for (std::size_t value = 0; value < index.values.size(); ++value)
    by_name_[name_of(static_cast<int>(value))].push_back(static_cast<int>(value));
}

std::string_view FlatModel::name_of(int value) const {
  const std::string_view name = index.values[as_index(value)].name;
  return name.substr(name.find(mark) + 1);
}

int FlatModel::graph_of(int value) const {
  const std::string_view name = index.values[as_index(value)].name;
  int graph = 0;
  std::from_chars(name.data(), name.data() + name.size(), graph);
  return graph;
}

const std::vector<int>& FlatModel::named(std::string_view name) const {
  static const std::vector<int> none;
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? none : found->second;
}

std::vector<std::string> FlatModel::names_of_nodes() const {
  const auto around = [&](int graph) {
    std::string path;
    for (int depth = 0; graph > 0 && depth < 100; ++depth) {
      const int outer = graphs[as_index(graph)].outer;
      const auto& source = *nodes[as_index(outer)].source;
      const bool is_named = !source.name().empty() || source.output_size() == 0;
      std::string longer = is_named ? source.name() : source.output(0);
      longer.append("/").append(graphs[as_index(graph)].attribute).append("/").append(path);
      path = std::move(longer);
      graph = nodes[as_index(outer)].graph;
    }
    return path;
  };
  std::map<std::string, int> own_names, outputs;
  const auto output_of = [](const onnx::NodeProto& node) { return node.output_size() > 0 ? node.output(0) : ""; };
  for (const Node& node : nodes) {
    ++own_names[node.source->name()];
    ++outputs[output_of(*node.source)];
  }
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const Node& node : nodes) {
    const std::string own = node.source->name(), output = output_of(*node.source);
    std::string name = !own.empty() && own_names[own] == 1 ? own : output;
    if (name.empty()) name = own.empty() ? node.source->op_type() : own;
    if (name == output && outputs[output] > 1) name.insert(0, around(node.graph));
    for (int turn = 2; !taken.insert(name).second; ++turn) {  // an output's name may be another node's
      const auto cut = turn == 2 ? name.size() : name.rfind(' ');
      name.resize(std::min(cut, name.size()));
      name.append(" ").append(std::to_string(turn));
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace culprit
