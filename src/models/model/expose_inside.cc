#include "model/expose_inside.h"

#include <algorithm>

#include "model/expose_values.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

bool has_here(const onnx::GraphProto& graph, const std::string& value) {
  const auto is_it = [&](const auto& named) { return named.name() == value; };
  return std::ranges::any_of(graph.input(), is_it) || std::ranges::any_of(graph.initializer(), is_it) ||
         std::ranges::any_of(graph.node(), [&](const auto& node) {
           return std::ranges::find(node.output(), value) != node.output().end();
         });
}

bool has_inside(const onnx::GraphProto& graph, const std::string& value) {
  bool found = false;
  for_each_graph(graph, [&](const onnx::GraphProto& inner) { found = found || has_here(inner, value); });
  return found;
}

void set_doubles(onnx::ValueInfoProto* value, const std::string& name) {
  value->set_name(name);
  value->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto::DOUBLE);
}

onnx::NodeProto make_node(const char* op, std::initializer_list<std::string> inputs, const std::string& output) {
  onnx::NodeProto node;
  node.set_op_type(op);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

onnx::AttributeProto* add_typed_attribute(onnx::NodeProto& node, const char* name,
                                          onnx::AttributeProto::AttributeType type) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return attribute;
}

/// Hands one value out of the bodies that it is in, level by level. New names have a prefix that the model does not
/// use.
class Surface {
 public:
  Surface(onnx::GraphProto& top, std::string prefix) : top_(top), prefix_(std::move(prefix)) {}

  /// The name that the value has as an output of the top graph; "" where no body has it.
  std::string raise(const std::string& value) {
    if (!has_inside(top_, value)) return "";
    const std::string nothing = empty_constant(top_, onnx::TensorProto::DOUBLE, {0});
    return raise(top_, value, nothing);
  }

 private:
  std::string fresh() { return prefix_ + std::to_string(count_++); }

  std::string empty_constant(onnx::GraphProto& graph, onnx::TensorProto::DataType type,
                             const std::vector<std::int64_t>& dims) {
    auto* tensor = graph.add_initializer();
    tensor->set_name(fresh());
    tensor->set_data_type(type);
    for (const std::int64_t size : dims) tensor->add_dims(size);
    if (type == onnx::TensorProto::INT64) tensor->add_int64_data(0);
    return tensor->name();
  }

  /// `otherwise` is what is handed out where this value is not made.
  std::string raise(onnx::GraphProto& graph, const std::string& value, const std::string& otherwise) {
    if (has_here(graph, value)) {
      auto cast = make_node("Cast", {value}, fresh());
      add_typed_attribute(cast, "to", onnx::AttributeProto::INT)->set_i(onnx::TensorProto::DOUBLE);
      *graph.add_node() = cast;
      return cast.output(0);
    }
    for (int i = 0; i < graph.node_size(); ++i) {
      for (auto& attribute : *graph.mutable_node(i)->mutable_attribute()) {
        if (attribute.has_g() && has_inside(attribute.g(), value)) return out_of(graph, i, attribute, value, otherwise);
      }
    }
    return otherwise;
  }

  std::string out_of(onnx::GraphProto& graph, int number, onnx::AttributeProto& body, const std::string& value,
                     const std::string& otherwise) {
    onnx::NodeProto& node = *graph.mutable_node(number);
    if (node.op_type() == "If") return out_of_branch(node, body.name(), value, otherwise);
    if (node.op_type() == "Loop") return out_of_loop(node, *body.mutable_g(), value, otherwise);
    if (node.op_type() == "Scan") return out_of_scan(graph, number, *body.mutable_g(), value, otherwise);
    return otherwise;
  }

  std::string out_of_branch(onnx::NodeProto& node, const std::string& branch, const std::string& value,
                            const std::string& otherwise) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (!attribute.has_g()) continue;
      onnx::GraphProto& graph = *attribute.mutable_g();
      const bool is_it = attribute.name() == branch;
      set_doubles(graph.add_output(), same(graph, is_it ? raise(graph, value, otherwise) : otherwise));
    }
    return *node.add_output() = fresh();
  }

  /// An output of a body is made in it.
  std::string same(onnx::GraphProto& graph, const std::string& value) {
    *graph.add_node() = make_node("Identity", {value}, fresh());
    return graph.node(graph.node_size() - 1).output(0);
  }

  std::string out_of_loop(onnx::NodeProto& node, onnx::GraphProto& body, const std::string& value,
                          const std::string& otherwise) {
    const int carried = std::max(body.input_size() - 2, 0);
    while (node.input_size() < body.input_size()) node.add_input("");
    node.add_input(otherwise);
    const std::string before = fresh();
    set_doubles(body.add_input(), before);
    const std::string after = the_first(body, before, raise(body, value, before));
    set_doubles(body.add_output(), after);
    put_last_at(*body.mutable_output(), carried + 1);
    while (node.output_size() < carried) node.add_output("");
    std::string output = fresh();
    node.add_output(output);
    put_last_at(*node.mutable_output(), carried);
    return output;
  }

  template <class Field>
  static void put_last_at(Field& field, int place) {
    for (int i = field.size() - 1; i > place; --i) field.SwapElements(i, i - 1);
  }

  /// What was found before, if anything was.
  std::string the_first(onnx::GraphProto& graph, const std::string& before, const std::string& now) {
    const std::string zero = empty_constant(graph, onnx::TensorProto::INT64, {});
    *graph.add_node() = make_node("Size", {before}, fresh());
    const std::string size = graph.node(graph.node_size() - 1).output(0);
    *graph.add_node() = make_node("Equal", {size, zero}, fresh());
    const std::string is_none = graph.node(graph.node_size() - 1).output(0);
    auto choice = make_node("If", {is_none}, fresh());
    for (const auto& [branch, value] : {std::pair("then_branch", now), std::pair("else_branch", before)}) {
      auto* attribute = add_typed_attribute(choice, branch, onnx::AttributeProto::GRAPH);
      attribute->mutable_g()->set_name(fresh());
      set_doubles(attribute->mutable_g()->add_output(), same(*attribute->mutable_g(), value));
    }
    *graph.add_node() = choice;
    return choice.output(0);
  }

  /// What a Scan carries must keep its shape, so all are given, one behind the other.
  std::string out_of_scan(onnx::GraphProto& graph, int number, onnx::GraphProto& body, const std::string& value,
                          const std::string& otherwise) {
    set_doubles(body.add_output(), same(body, raise(body, value, otherwise)));
    const std::string all = fresh();
    onnx::NodeProto& node = *graph.mutable_node(number);
    while (node.output_size() < body.output_size() - 1) node.add_output("");
    node.add_output(all);
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.name() == "scan_output_axes" || attribute.name() == "scan_output_directions") attribute.add_ints(0);
    }
    const std::string first = empty_constant(graph, onnx::TensorProto::INT64, {});
    *graph.add_node() = make_node("Gather", {all, first}, fresh());
    return graph.node(graph.node_size() - 1).output(0);
  }

  onnx::GraphProto& top_;
  std::string prefix_;
  int count_ = 0;
};

/// One that no value of the model begins with.
std::string unused_prefix(const onnx::GraphProto& graph) {
  std::string prefix = "inside_";
  const auto is_used = [&] {
    bool used = false;
    const auto look = [&](const std::string& name) { used = used || name.starts_with(prefix); };
    for_each_graph(graph, [&](const onnx::GraphProto& inner) {
      for (const auto& input : inner.input()) look(input.name());
      for (const auto& tensor : inner.initializer()) look(tensor.name());
      for (const auto& node : inner.node()) std::ranges::for_each(node.output(), look);
    });
    return used;
  };
  while (is_used()) prefix += "_";
  return prefix;
}

}  // namespace

Exposed expose_inside(const onnx::ModelProto& model, std::span<const std::string> values) {
  std::vector<std::string> above;
  std::ranges::copy_if(values, std::back_inserter(above),
                       [&](const std::string& value) { return has_here(model.graph(), value); });
  Exposed exposed{expose(model, above), {}};
  Surface surface(*exposed.model.mutable_graph(), unused_prefix(model.graph()));
  for (const std::string& value : values) {
    if (std::ranges::find(above, value) != above.end()) {
      exposed.outputs.push_back(value);
      continue;
    }
    exposed.outputs.push_back(surface.raise(value));
    if (!exposed.outputs.back().empty())
      set_doubles(exposed.model.mutable_graph()->add_output(), exposed.outputs.back());
  }
  return exposed;
}

}  // namespace culprit
