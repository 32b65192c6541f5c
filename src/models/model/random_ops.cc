#include "model/random_ops.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

constexpr std::array<std::string_view, 6> random_ops = {"RandomNormal",      "RandomNormalLike", "RandomUniform",
                                                        "RandomUniformLike", "Bernoulli",        "Multinomial"};
constexpr std::array<std::string_view, 5> of_shapes = {"Shape", "Size", "EyeLike", "RandomNormalLike",
                                                       "RandomUniformLike"};  // ask only for the shape of the input

bool is_standard(const onnx::NodeProto& node) { return domain_of(node.domain()).empty(); }

bool is_standard_one_of(const onnx::NodeProto& node, const auto& ops) {
  return is_standard(node) && std::ranges::find(ops, node.op_type()) != ops.end();
}

/// What a graph or a function knows of its values, and of those around it.
struct Values {
  const Values* outer = nullptr;
  std::unordered_map<std::string_view, const onnx::NodeProto*> makers = {};
  std::unordered_map<std::string_view, const onnx::TensorProto*> stored = {};
  std::unordered_set<std::string_view> inputs = {};  // what is stored for them is only a default

  /// The graph that a value of this name comes from; null where nobody has one.
  [[nodiscard]] const Values* home_of(std::string_view name) const {
    for (const Values* at = this; at != nullptr; at = at->outer) {
      if (at->makers.contains(name) || at->stored.contains(name) || at->inputs.contains(name)) return at;
    }
    return nullptr;
  }

  /// The number of a constant that is one.
  [[nodiscard]] std::optional<double> number_of(const std::string& name) const {
    const Values* home = home_of(name);
    if (home == nullptr || home->inputs.contains(name)) return std::nullopt;
    if (const auto at = home->stored.find(name); at != home->stored.end()) return value_of(*at->second, name).number;
    const onnx::NodeProto& maker = *home->makers.at(name);
    const auto constant = is_standard(maker) ? constant_of(maker) : std::nullopt;
    return constant ? constant->number : std::nullopt;
  }
};

enum class Draws { no, maybe, surely };

Draws dropout_draws(const onnx::NodeProto& node, const Values& values) {
  if (node.input_size() < 3 || node.input(2).empty()) return Draws::no;
  const auto trains = values.number_of(node.input(2));
  const auto ratio = node.input(1).empty() ? std::optional(0.5) : values.number_of(node.input(1));
  if ((trains && *trains == 0) || (ratio && *ratio == 0)) return Draws::no;
  return trains && ratio ? Draws::surely : Draws::maybe;
}

float attribute_or(const onnx::NodeProto& node, std::string_view name, float otherwise) {
  const auto* attribute = attribute_of(node, name);
  return attribute != nullptr ? attribute->f() : otherwise;
}

Draws draws(const onnx::NodeProto& node, const Values& values) {
  if (!is_standard(node) || attribute_of(node, "seed") != nullptr) return Draws::no;
  if (node.op_type() == "Dropout") return dropout_draws(node, values);
  if (!is_standard_one_of(node, random_ops)) return Draws::no;
  const bool is_fixed = node.op_type().starts_with("RandomNormal")
                            ? attribute_or(node, "scale", 1) == 0
                            : node.op_type().starts_with("RandomUniform") &&
                                  attribute_or(node, "low", 0) == attribute_or(node, "high", 1);
  return is_fixed ? Draws::no : Draws::surely;
}

std::string random_op_text(const onnx::NodeProto& node) {
  const std::string name = node.name().empty() && node.output_size() > 0 ? node.output(0) : node.name();
  return node.op_type() + " '" + printable(name, 60) + "'" + (node.op_type() == "Dropout" ? " in training mode" : "");
}

std::vector<const onnx::GraphProto*> graphs_in(const onnx::NodeProto& node) {
  std::vector<const onnx::GraphProto*> graphs;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) graphs.push_back(&attribute.g());
    for (const auto& graph : attribute.graphs()) graphs.push_back(&graph);
  }
  return graphs;
}

class RandomOps {
 public:
  explicit RandomOps(const onnx::ModelProto& model) : model_(model) {
    for (const auto& function : model.functions())
      functions_.emplace(std::pair(domain_of(function.domain()), std::string_view(function.name())), &function);
  }

  std::vector<std::string> all() {
    list(model_.graph().node(), values_of(model_.graph(), nullptr));
    for (const auto& function : model_.functions()) list(function.node(), values_of(function));
    return std::move(found_);
  }

  std::vector<std::string> behind_outputs() {
    const Values& values = values_of(model_.graph(), nullptr);
    for (const auto& output : model_.graph().output()) want(values, output.name());
    while (!wanted_.empty()) {
      const auto [home, name] = wanted_.back();
      wanted_.pop_back();
      if (const auto maker = home->makers.find(name); maker != home->makers.end()) follow(*maker->second, *home, name);
    }
    return std::move(found_);
  }

 private:
  template <class Nodes>
  void list(const Nodes& nodes, const Values& values) {
    for (const onnx::NodeProto& node : nodes) {
      if (draws(node, values) != Draws::no) found_.push_back(random_op_text(node));
      for (const auto* graph : graphs_in(node)) list(graph->node(), values_of(*graph, &values));
    }
  }

  void want(const Values& values, std::string_view name) {
    const Values* home = name.empty() ? nullptr : values.home_of(name);
    if (home != nullptr && seen_.emplace(home, name).second) wanted_.emplace_back(home, name);
  }

  /// Back from an output of a node to what it is made of.
  void follow(const onnx::NodeProto& node, const Values& values, std::string_view output) {
    const auto place = static_cast<int>(std::ranges::find(node.output(), output) - node.output().begin());
    const Draws draw = draws(node, values);
    if (draw == Draws::surely && named_.insert(&node).second) found_.push_back(random_op_text(node));
    const auto function = functions_.find({domain_of(node.domain()), node.op_type()});
    if (function != functions_.end() && place < function->second->output_size())
      want(values_of(*function->second), function->second->output(place));
    follow_graphs(node, values, place);
    if (is_standard_one_of(node, of_shapes)) return;
    const bool is_still = is_standard(node) && node.op_type() == "Dropout" && draw == Draws::no;
    for (int slot = 0; slot < node.input_size(); ++slot) {
      const bool only_type = is_standard(node) && node.op_type() == "CastLike" && slot == 1;
      if (only_type || (is_still && (slot > 0 || place > 0))) continue;  // a mask that is true throughout
      want(values, node.input(slot));
    }
  }

  void follow_graphs(const onnx::NodeProto& node, const Values& values, int place) {
    const bool is_if = is_standard(node) && node.op_type() == "If" && node.input_size() == 1;
    const auto taken = is_if ? values.number_of(node.input(0)) : std::nullopt;
    for (const auto& attribute : node.attribute()) {
      if (taken && attribute.name() == (*taken != 0 ? "else_branch" : "then_branch")) continue;
      if (is_if && attribute.has_g() && place < attribute.g().output_size()) {
        want(values_of(attribute.g(), &values), attribute.g().output(place).name());
        continue;
      }
      if (!attribute.has_g()) continue;
      const Values& inside = values_of(attribute.g(), &values);
      for (const auto& made : attribute.g().output()) want(inside, made.name());
    }
  }

  const Values& values_of(const onnx::GraphProto& graph, const Values* outer) {
    auto& values = known_[&graph];
    if (values != nullptr) return *values;
    values = std::make_unique<Values>();
    values->outer = outer;
    for (const auto& input : graph.input()) values->inputs.insert(input.name());
    for (const auto& stored : graph.initializer()) values->stored.emplace(stored.name(), &stored);
    add_makers(graph.node(), *values);
    return *values;
  }

  const Values& values_of(const onnx::FunctionProto& function) {
    auto& values = known_[&function];
    if (values != nullptr) return *values;
    values = std::make_unique<Values>();
    for (const auto& input : function.input()) values->inputs.insert(input);
    add_makers(function.node(), *values);
    return *values;
  }

  template <class Nodes>
  static void add_makers(const Nodes& nodes, Values& values) {
    for (const onnx::NodeProto& node : nodes) {
      for (const auto& output : node.output()) {
        if (!output.empty()) values.makers.emplace(output, &node);
      }
    }
  }

  const onnx::ModelProto& model_;
  std::map<std::pair<std::string_view, std::string_view>, const onnx::FunctionProto*> functions_;
  std::map<const void*, std::unique_ptr<Values>> known_;  // by graph or function
  std::set<std::pair<const Values*, std::string_view>> seen_;
  std::vector<std::pair<const Values*, std::string_view>> wanted_;
  std::set<const onnx::NodeProto*> named_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> unseeded_random_ops(const onnx::ModelProto& model) { return RandomOps(model).all(); }

std::vector<std::string> random_ops_behind_outputs(const onnx::ModelProto& model) {
  return RandomOps(model).behind_outputs();
}

}  // namespace culprit
