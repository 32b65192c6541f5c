#include "model/node_diff.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/text.h"
#include "tensor/dtype.h"

namespace culprit {
namespace {

constexpr std::size_t most_of_name = 60;   // characters of one name
constexpr std::size_t most_of_line = 200;  // of a node
constexpr int elements_shown = 8;          // of a list that are shown

template <class Values, class Show>
std::string listed(const Values& values, const Show& show) {
  std::vector<std::string> shown;
  for (const auto& value : values) {
    if (static_cast<int>(shown.size()) == elements_shown) {
      shown.push_back(fmt::format("... {} in all", values.size()));
      break;
    }
    shown.push_back(show(value));
  }
  return "[" + join(shown, ", ") + "]";
}

std::string named(const std::string& name) { return printable(name, most_of_name); }
std::string quoted(const std::string& text) { return "\"" + printable(text, most_of_name) + "\""; }
std::string number(double value) { return fmt::format("{:g}", value); }

std::string attribute_value_of(const onnx::AttributeProto& attribute) {
  using Kind = onnx::AttributeProto;
  switch (attribute.type()) {
    case Kind::FLOAT:
      return number(attribute.f());
    case Kind::INT:
      return std::to_string(attribute.i());
    case Kind::STRING:
      return quoted(attribute.s());
    case Kind::TENSOR:
      return type_text(attribute.t());
    case Kind::GRAPH:
      return fmt::format("graph of {} nodes", attribute.g().node_size());
    case Kind::FLOATS:
      return listed(attribute.floats(), [](float value) { return number(static_cast<double>(value)); });
    case Kind::INTS:
      return listed(attribute.ints(), [](std::int64_t value) { return std::to_string(value); });
    case Kind::STRINGS:
      return listed(attribute.strings(), [](const std::string& value) { return quoted(value); });
    default:
      return "...";
  }
}

std::string names_of(const google::protobuf::RepeatedPtrField<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(named(name));
  return join(shown, ", ");
}

/// What a node is, but for its name, docs and the graphs inside.
std::string identity_of(const onnx::NodeProto& node) {
  onnx::NodeProto bare = node;
  bare.clear_name();
  bare.clear_doc_string();
  bare.clear_metadata_props();
  for (auto& attribute : *bare.mutable_attribute()) {
    attribute.clear_doc_string();
    attribute.clear_g();
    attribute.clear_graphs();
  }
  std::sort(bare.mutable_attribute()->begin(), bare.mutable_attribute()->end(),
            [](const auto& one, const auto& other) { return one.name() < other.name(); });
  return bare.SerializeAsString();
}

class Differ {
 public:
  Differ(std::size_t most, std::string around) : most_(most), around_(std::move(around)) {}

  void compare(const onnx::GraphProto& before, const onnx::GraphProto& after, const std::string& where) {
    std::map<std::string, std::vector<const onnx::NodeProto*>> left;
    for (const auto& node : before.node()) left[identity_of(node)].push_back(&node);
    std::vector<std::pair<const onnx::NodeProto*, const onnx::NodeProto*>> kept;
    std::vector<const onnx::NodeProto*> added;
    for (const auto& node : after.node()) {
      const auto at = left.find(identity_of(node));
      if (at == left.end() || at->second.empty()) {
        added.push_back(&node);
        continue;
      }
      kept.emplace_back(at->second.front(), &node);
      at->second.erase(at->second.begin());
    }
    for (const auto& [one, other] : kept) {
      const bool is_it = !around_.empty() && one->output_size() > 0 && one->output(0) == around_;
      if (is_it && diff_.lines.size() < most_) ++diff_.stay;
      if (is_it) say("  " + where + text_of(*one));
    }
    for (const auto& node : before.node()) {
      const auto& rest = left[identity_of(node)];
      if (std::ranges::find(rest, &node) != rest.end()) say("- " + where + text_of(node));
    }
    for (const onnx::NodeProto* node : added) say("+ " + where + text_of(*node));
    compare_initializers(before, after, where);
    for (const auto& [one, other] : kept) compare_inside(*one, *other, where);
  }

  NodeDiff result() { return std::move(diff_); }

 private:
  void say(std::string line) {
    if (diff_.lines.size() < most_) {
      diff_.lines.push_back(std::move(line));
    } else {
      ++diff_.more;
    }
  }

  void compare_initializers(const onnx::GraphProto& before, const onnx::GraphProto& after, const std::string& where) {
    std::map<std::string_view, const onnx::TensorProto*> had, has;
    for (const auto& tensor : before.initializer()) had.emplace(tensor.name(), &tensor);
    for (const auto& tensor : after.initializer()) has.emplace(tensor.name(), &tensor);
    for (const auto& [name, tensor] : had) {
      if (!has.contains(name)) say("- " + where + declared(*tensor));
    }
    for (const auto& [name, tensor] : has) {
      const auto at = had.find(name);
      if (at == had.end()) {
        say("+ " + where + declared(*tensor));
      } else if (type_text(*at->second) != type_text(*tensor)) {
        say("~ " + where + declared(*tensor) + ", was " + type_text(*at->second));
      } else if (at->second->SerializeAsString() != tensor->SerializeAsString()) {
        say("~ " + where + declared(*tensor) + ", other values");
      }
    }
  }

  static std::string declared(const onnx::TensorProto& tensor) {
    return named(tensor.name()) + ": " + type_text(tensor);
  }

  void compare_inside(const onnx::NodeProto& before, const onnx::NodeProto& after, const std::string& where) {
    const std::string of = after.output().empty() ? after.op_type() : after.output(0);
    for (const auto& attribute : after.attribute()) {
      const auto same = std::ranges::find(before.attribute(), attribute.name(), &onnx::AttributeProto::name);
      if (same == before.attribute().end() || !attribute.has_g() || !same->has_g()) continue;
      compare(same->g(), attribute.g(), where + named(attribute.name()) + " of " + named(of) + ": ");
    }
  }

  std::size_t most_;
  std::string around_;
  NodeDiff diff_;
};

}  // namespace

std::string type_text(const onnx::TensorProto& tensor) {
  const auto type = dtype_from_onnx(tensor.data_type());
  std::string text = type ? std::string(name_of(*type)) : fmt::format("type {}", tensor.data_type());
  std::vector<std::string> dims;
  for (const std::int64_t dim : tensor.dims()) dims.push_back(std::to_string(dim));
  return text + "[" + join(dims, ",") + "]";
}

std::string text_of(const onnx::NodeProto& node) {
  const bool is_onnx = node.domain().empty() || node.domain() == "ai.onnx";
  std::string text = names_of(node.output()) + " = " + (is_onnx ? "" : named(node.domain()) + ".") +
                     named(node.op_type()) + "(" + names_of(node.input()) + ")";
  std::vector<std::string> attributes;
  for (const auto& attribute : node.attribute()) {
    attributes.push_back(named(attribute.name()) + ": " + attribute_value_of(attribute));
  }
  std::ranges::sort(attributes);
  if (!attributes.empty()) text += " {" + join(attributes, ", ") + "}";
  return printable(text, most_of_line);
}

NodeDiff node_diff(const onnx::ModelProto& before, const onnx::ModelProto& after, std::size_t most,
                   const std::string& around) {
  Differ differ(most, around);
  differ.compare(before.graph(), after.graph(), "");
  return differ.result();
}

}  // namespace culprit
