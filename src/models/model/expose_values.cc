#include "model/expose_values.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "base/text.h"
#include "model/graph_walk.h"
#include "model/rounding_ops.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

/// How a value follows from numbers that rounding may move. In this order: what follows from several is as the last.
enum class ExposedNature { exact, smooth, stepped };

constexpr std::array<std::string_view, 28> that_step = {
    "ArgMax", "ArgMin",         "Bernoulli",     "Bucketize",      "CastLike", "Ceil",    "DynamicQuantizeLinear",
    "Equal",  "Floor",          "Greater",       "GreaterOrEqual", "Hardmax",  "IsInf",   "IsNaN",
    "Less",   "LessOrEqual",    "MatMulInteger", "MaxUnpool",      "Mod",      "NonZero", "NonMaxSuppression",
    "OneHot", "QuantizeLinear", "RoiAlign",      "Round",          "Sign",     "TopK",    "Unique"};

bool is_float_type(std::int32_t type) { return is_float(dtype_from_onnx(type).value_or(DType::undefined)); }

bool is_number_type(std::int32_t type) {
  const DType known = dtype_from_onnx(type).value_or(DType::undefined);
  return is_float(known) || is_integer(known);
}

bool has_subgraph(const onnx::NodeProto& node) {
  return std::ranges::any_of(node.attribute(), [](const auto& a) { return a.has_g() || a.graphs_size() > 0; });
}

bool casts_to_no_float(const onnx::NodeProto& node) {
  if (node.op_type() != "Cast") return false;
  const auto* to = attribute_of(node, "to");
  return to == nullptr || !is_float_type(static_cast<std::int32_t>(to->i()));
}

/// Does it jump where its inputs move a little?
bool makes_steps(const onnx::NodeProto& node) {
  return is_one_of(node.op_type(), that_step) || node.op_type().starts_with("QLinear") || casts_to_no_float(node) ||
         has_subgraph(node);
}

/// A Constant of floats may be folded otherwise; one of integers may not.
ExposedNature nature_of_constant(const onnx::NodeProto& node) {
  const bool floats = std::ranges::any_of(node.attribute(), [](const onnx::AttributeProto& attribute) {
    if (attribute.has_t()) return is_float_type(attribute.t().data_type());
    return attribute.has_f() || attribute.floats_size() > 0 || attribute.has_sparse_tensor();
  });
  return floats ? ExposedNature::smooth : ExposedNature::exact;
}

class ExposedNatures {
 public:
  explicit ExposedNatures(const onnx::GraphProto& graph) {
    for (const auto& input : graph.input()) {
      natures_[input.name()] = is_number_type(input.type().tensor_type().elem_type()) &&
                                       !is_float_type(input.type().tensor_type().elem_type())
                                   ? ExposedNature::exact
                                   : ExposedNature::smooth;
    }
    for (const auto& tensor : graph.initializer()) {
      natures_[tensor.name()] = is_float_type(tensor.data_type()) ? ExposedNature::smooth : ExposedNature::exact;
    }
    for (const auto& tensor : graph.sparse_initializer()) natures_[tensor.values().name()] = ExposedNature::smooth;
    for (const auto& node : graph.node()) {
      const ExposedNature nature = nature_of(node);
      for (const auto& output : node.output()) natures_[output] = nature;
    }
  }

  [[nodiscard]] ExposedNature of(const std::string& value) const {
    const auto at = natures_.find(value);
    return at == natures_.end() ? ExposedNature::exact : at->second;
  }

 private:
  [[nodiscard]] ExposedNature nature_of(const onnx::NodeProto& node) const {
    if (node.op_type() == "Constant") return nature_of_constant(node);
    if (is_made_of_shapes(node.op_type())) return ExposedNature::exact;
    ExposedNature nature =
        has_subgraph(node) ? ExposedNature::stepped : ExposedNature::exact;  // what it captures is not looked at
    for (const auto& input : node.input()) nature = std::max(nature, of(input));
    return nature == ExposedNature::smooth && makes_steps(node) ? ExposedNature::stepped : nature;
  }

  std::unordered_map<std::string, ExposedNature> natures_;
};

/// The types that are declared for values inside the graph.
std::unordered_map<std::string_view, const onnx::ValueInfoProto*> declared_values(const onnx::GraphProto& graph) {
  std::unordered_map<std::string_view, const onnx::ValueInfoProto*> declared;
  for (const auto& value : graph.value_info()) declared[value.name()] = &value;
  return declared;
}

/// False only where a declaration says that it is something else.
bool may_be_numbers(const onnx::ValueInfoProto* declared) {
  if (declared == nullptr || declared->type().value_case() == onnx::TypeProto::VALUE_NOT_SET) return true;
  if (!declared->type().has_tensor_type()) return false;
  const std::int32_t type = declared->type().tensor_type().elem_type();
  return type == onnx::TensorProto::UNDEFINED || is_number_type(type);
}

/// Sequences, optionals and maps cannot come out of a run; these make them.
bool makes_tensors(const onnx::NodeProto& node) {
  return node.op_type().find("Sequence") == std::string::npos && !node.op_type().starts_with("Optional") &&
         node.op_type() != "ZipMap" && node.op_type() != "DictVectorizer";
}

/// Attributes without what says nothing about the meaning: order, documentation, the type tag. Graphs are left out:
/// what they consume is counted by itself.
Hash128 attribute_hash(const onnx::NodeProto& node) {
  std::map<std::string, std::string> parts;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g() || attribute.graphs_size() > 0) continue;
    onnx::AttributeProto plain = attribute;
    plain.clear_doc_string();
    plain.clear_type();
    if (plain.has_t()) plain.mutable_t()->clear_name();
    parts[attribute.name()] = plain.SerializeAsString();
  }
  Hasher hasher;
  for (const auto& [name, bytes] : parts) hasher.add(name).add(bytes);
  return hasher.finish();
}

/// One use of a value; equal for equal uses.
Hash128 use_of(const onnx::NodeProto& node, const Hash128& attributes, int place) {
  Hasher hasher;
  hasher.add(node.op_type()).add(domain_of(node.domain())).add(attributes).add(static_cast<std::int64_t>(place));
  for (const auto& output : node.output()) hasher.add(output);
  return hasher.finish();
}

using Uses = std::unordered_map<std::string, std::multiset<Hash128>>;

void add_uses(const onnx::GraphProto& graph, Uses& uses) {
  for (const auto& node : graph.node()) {
    const Hash128 attributes = attribute_hash(node);
    for (int place = 0; place < node.input_size(); ++place) {
      if (!node.input(place).empty()) uses[node.input(place)].insert(use_of(node, attributes, place));
    }
  }
  for (const auto& output : graph.output()) uses[output.name()].insert(hash128("an output of the graph"));
}

/// Names are unique in a valid model, so what a subgraph uses and does not make comes from outside.
Uses all_uses(const onnx::GraphProto& graph) {
  Uses uses;
  for_each_graph(graph, [&](const onnx::GraphProto& inner) { add_uses(inner, uses); });
  return uses;
}

std::unordered_set<std::string_view> made_in(const onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> made;
  for (const auto& node : graph.node()) made.insert(node.output().begin(), node.output().end());
  return made;
}

}  // namespace

std::vector<std::string> inner_values(const onnx::ModelProto& model) {
  const auto& graph = model.graph();
  const ExposedNatures natures(graph);
  const auto declared = declared_values(graph);
  std::unordered_set<std::string_view> seen;
  for (const auto& output : graph.output()) seen.insert(output.name());
  std::vector<std::string> values;
  for (const auto& node : graph.node()) {
    if (!makes_tensors(node) || node.op_type() == "Constant") continue;
    for (const auto& output : node.output()) {
      if (output.empty() || natures.of(output) == ExposedNature::stepped || !seen.insert(output).second) continue;
      const auto known = declared.find(output);
      if (may_be_numbers(known == declared.end() ? nullptr : known->second)) values.push_back(output);
    }
  }
  return values;
}

std::vector<std::string> spread(const std::vector<std::string>& values, std::size_t most) {
  if (values.size() <= most) return values;
  std::vector<std::string> chosen;
  for (std::size_t i = 1; i <= most; ++i) chosen.push_back(values[i * values.size() / most - 1]);
  return chosen;
}

std::vector<std::string> comparable_values(const onnx::ModelProto& original, const onnx::ModelProto& variant,
                                           std::span<const std::string> values) {
  const Uses before = all_uses(original.graph());
  const Uses after = all_uses(variant.graph());
  const auto made_before = made_in(original.graph());
  const auto made_after = made_in(variant.graph());
  std::vector<std::string> comparable;
  for (const std::string& value : values) {
    if (!made_before.contains(value) || !made_after.contains(value)) continue;
    const auto was = before.find(value);
    const auto is = after.find(value);
    if (was != before.end() && is != after.end() && was->second == is->second) comparable.push_back(value);
  }
  return comparable;
}

onnx::ModelProto expose(const onnx::ModelProto& model, std::span<const std::string> values) {
  onnx::ModelProto exposed = model;
  const auto declared = declared_values(model.graph());
  for (const std::string& value : values) {
    auto* output = exposed.mutable_graph()->add_output();
    const auto known = declared.find(value);
    if (known != declared.end()) *output = *known->second;
    output->set_name(value);
  }
  return exposed;
}

}  // namespace culprit
