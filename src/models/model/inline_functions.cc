#include "model/inline_functions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "model/graph_walk.h"
#include "model/rename_values.h"

namespace culprit {
namespace {

using FunctionKey = std::tuple<std::string, std::string, std::string>;

/// How many nodes a model has when all bodies are written where they are called. A few lines of functions that call
/// each other twice can come to billions.
class InlinedSize {
 public:
  explicit InlinedSize(const onnx::ModelProto& model) {
    for (const auto& function : model.functions())
      functions_[{function.domain(), function.name(), function.overload()}].body = &function;
  }

  /// False: a function leads to itself, or more than most_inlined_nodes would come of it.
  bool fits(const onnx::GraphProto& graph) { return of_nodes(graph.node()) <= most_inlined_nodes; }

 private:
  static constexpr std::int64_t too_many = most_inlined_nodes + 1;
  static std::int64_t sum(std::int64_t one, std::int64_t other) { return std::min(one + other, too_many); }

  struct Function {
    const onnx::FunctionProto* body = nullptr;
    std::optional<std::int64_t> size = {};
    bool is_open = false;  ///< its size is being counted
  };

  /// Nodes of graphs inside count as well.
  template <class Nodes>
  std::int64_t of_nodes(const Nodes& nodes) {
    std::int64_t size = 0;
    for (const onnx::NodeProto& node : nodes) {
      size = sum(size, of_node(node));
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) size = sum(size, of_nodes(attribute.g().node()));
        for (const auto& inner : attribute.graphs()) size = sum(size, of_nodes(inner.node()));
      }
    }
    return size;
  }

  std::int64_t of_node(const onnx::NodeProto& node) {
    const auto found = functions_.find({node.domain(), node.op_type(), node.overload()});
    return found == functions_.end() ? 1 : of_function(found->second);
  }

  std::int64_t of_function(Function& function) {
    if (function.is_open) return too_many;
    if (function.size) return *function.size;
    function.is_open = true;
    function.size = of_nodes(function.body->node());
    function.is_open = false;
    return *function.size;
  }

  std::map<FunctionKey, Function> functions_;
};

/// Does it mean the same operators as the model? Domains that the model lacks are taken.
bool take_versions(const onnx::FunctionProto& function, onnx::ModelProto& model) {
  for (const auto& wanted : function.opset_import()) {
    auto& opsets = *model.mutable_opset_import();
    const auto has = std::ranges::find(opsets, wanted.domain(), &onnx::OperatorSetIdProto::domain);
    if (has == opsets.end())
      *opsets.Add() = wanted;
    else if (has->version() != wanted.version())
      return false;
  }
  return true;
}

/// Visits the names of all values of a graph and of the graphs inside.
template <class Visit>
void for_each_value_name(const onnx::GraphProto& graph, const Visit& visit) {
  for_each_graph(graph, [&](const onnx::GraphProto& one) {
    for (const auto& input : one.input()) visit(input.name());
    for (const auto& tensor : one.initializer()) visit(tensor.name());
    for (const auto& tensor : one.sparse_initializer()) visit(tensor.values().name());
    for (const auto& node : one.node())
      for (const std::string& output : node.output()) visit(output);
  });
}

using CallAttributes = std::map<std::string, onnx::AttributeProto>;

/// What the call gives for the attributes of a function, else their defaults.
CallAttributes attributes_of(const onnx::FunctionProto& function, const onnx::NodeProto& call) {
  CallAttributes given;
  for (const auto& attribute : call.attribute()) given.emplace(attribute.name(), attribute);
  for (const auto& attribute : function.attribute_proto()) given.emplace(attribute.name(), attribute);
  return given;
}

/// An attribute of a body that is one of the function's gets its value, or goes.
template <class Nodes>
void give_attributes(Nodes& nodes, const CallAttributes& given) {
  for (onnx::NodeProto& node : nodes) {
    auto& attributes = *node.mutable_attribute();
    for (int i = attributes.size() - 1; i >= 0; --i) {
      onnx::AttributeProto& attribute = attributes[i];
      if (attribute.has_g()) give_attributes(*attribute.mutable_g()->mutable_node(), given);
      for (auto& inner : *attribute.mutable_graphs()) give_attributes(*inner.mutable_node(), given);
      if (attribute.ref_attr_name().empty()) continue;
      const auto found = given.find(attribute.ref_attr_name());
      if (found == given.end()) {
        attributes.DeleteSubrange(i, 1);
        continue;
      }
      const std::string name = attribute.name();
      attribute = found->second;
      attribute.set_name(name);
    }
  }
}

class Inlining {
 public:
  explicit Inlining(const onnx::ModelProto& model) {
    for (const auto& function : model.functions())
      functions_.emplace(FunctionKey{function.domain(), function.name(), function.overload()}, function);
    for_each_value_name(model.graph(), [&](const std::string& name) { values_.insert(name); });
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      for (const auto& node : graph.node()) nodes_.insert(node.name());
    });
  }

  void write_out(onnx::GraphProto& graph) {
    auto given = std::exchange(*graph.mutable_node(), {});
    for (onnx::NodeProto& node : given) add(std::move(node), graph);
  }

 private:
  void add(onnx::NodeProto node, onnx::GraphProto& graph) {
    const auto called = functions_.find({node.domain(), node.op_type(), node.overload()});
    if (called == functions_.end()) {
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) write_out(*attribute.mutable_g());
        for (auto& inner : *attribute.mutable_graphs()) write_out(inner);
      }
      *graph.add_node() = std::move(node);
      return;
    }
    onnx::GraphProto body = body_of(called->second, node);
    for (onnx::NodeProto& one : *body.mutable_node()) add(std::move(one), graph);
  }

  [[nodiscard]] static std::string fresh(std::string name, std::set<std::string>& taken) {
    while (!taken.insert(name).second) name += "_";
    return name;
  }

  /// The body has the caller's names for what goes in and out, and names of its own for what is inside.
  onnx::GraphProto body_of(const onnx::FunctionProto& function, const onnx::NodeProto& call) {
    onnx::GraphProto body;
    *body.mutable_node() = function.node();
    give_attributes(*body.mutable_node(), attributes_of(function, call));
    const std::string inside = (call.name().empty() ? function.name() : call.name()) + "/";
    NewNames names;
    const auto name_once = [&](const std::string& name) {
      if (!name.empty() && !names.contains(name)) names[name] = fresh(inside + name, values_);
    };
    for_each_value_name(body, name_once);
    for (int i = 0; i < function.input_size(); ++i)
      names[function.input(i)] = i < call.input_size() ? call.input(i) : "";
    for (int i = 0; i < std::min(function.output_size(), call.output_size()); ++i)
      give_output(function, i, call.output(i), names, body);
    rename_values(body, names);
    for (auto& node : *body.mutable_node())
      if (!node.name().empty()) node.set_name(fresh(inside + node.name(), nodes_));
    return body;
  }

  /// An output that is an input of the function, or another output of it, is copied.
  static void give_output(const onnx::FunctionProto& function, int place, const std::string& given, NewNames& names,
                          onnx::GraphProto& body) {
    if (given.empty()) return;
    const std::string& own = function.output(place);
    const auto outputs_before = function.output().begin() + place;
    const bool is_another = std::find(function.output().begin(), outputs_before, own) != outputs_before ||
                            std::ranges::find(function.input(), own) != function.input().end();
    if (!is_another) {
      names[own] = given;
      return;
    }
    onnx::NodeProto& copy = *body.add_node();
    copy.set_op_type("Identity");
    copy.add_input(own);
    copy.add_output(given);
  }

  std::map<FunctionKey, onnx::FunctionProto> functions_;
  std::set<std::string> values_, nodes_;  // names: no two nodes may have the same
};

}  // namespace

bool inline_functions(onnx::ModelProto& model) {
  if (model.functions_size() == 0 || model.functions_size() > most_inlined_functions) return false;
  if (!InlinedSize(model).fits(model.graph())) return false;
  onnx::ModelProto shell;  // what the bodies need of the model
  *shell.mutable_opset_import() = model.opset_import();
  for (const auto& function : model.functions())
    if (!take_versions(function, shell)) return false;
  Inlining(model).write_out(*model.mutable_graph());
  *model.mutable_opset_import() = shell.opset_import();
  model.clear_functions();
  return true;
}

}  // namespace culprit
