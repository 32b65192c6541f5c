#include "model/fingerprint.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/content_hash.h"
#include "model/graph_walk.h"
#include "model/type_hash.h"

namespace culprit {
namespace {

using Attributes = google::protobuf::RepeatedPtrField<onnx::AttributeProto>;
using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;
using Opsets = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;
using ValueProtos = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

// Stand where the number of a value would, which is 0 or more.
constexpr std::int64_t absent = -1;           // an optional input or output left out
constexpr std::int64_t new_initializer = -2;  // first use of an initializer; its content follows
constexpr std::int64_t shared_name = -3;      // two nodes of a graph have one name; their places follow

/// A stored tensor, dense or sparse, that has a name in its graph.
struct StoredTensor {
  const onnx::TensorProto* dense = nullptr;
  const onnx::SparseTensorProto* sparse = nullptr;
};

Hash128 hash_of(const StoredTensor& stored) {
  if (stored.dense != nullptr) return content_hash(*stored.dense);
  Hasher hasher;
  hasher.add(content_hash(stored.sparse->values())).add(content_hash(stored.sparse->indices()));
  hasher.add(std::int64_t{stored.sparse->dims_size()});
  for (const auto dim : stored.sparse->dims()) hasher.add(std::int64_t{dim});
  return hasher.finish();
}

struct ScopedValue {
  std::int64_t number = new_initializer;  ///< counted over the whole model in the order of definition or first use
  StoredTensor stored;                    ///< of initializers that are no inputs
  std::optional<Hash128> type;            ///< as declared in the inputs or outputs, or of the stored tensor
};

/// The names that a graph defines, and those around it that it may use. In ONNX an inner name may not hide an outer
/// one.
class NameScope {
 public:
  explicit NameScope(NameScope* outer) : outer_(outer) {}

  /// Null where the name is empty or taken.
  ScopedValue* define(std::string_view name) {
    if (name.empty() || (outer_ != nullptr && outer_->find(name) != nullptr)) return nullptr;
    const auto [at, is_new] = values_.try_emplace(name);
    return is_new ? &at->second : nullptr;
  }
  /// Null where neither this graph nor one around it defines the name so far.
  ScopedValue* find(std::string_view name) {
    for (NameScope* scope = this; scope != nullptr; scope = scope->outer_) {
      const auto at = scope->values_.find(name);
      if (at != scope->values_.end()) return &at->second;
    }
    return nullptr;
  }
  /// Null where this graph itself does not.
  ScopedValue* find_own(std::string_view name) {
    const auto at = values_.find(name);
    return at != values_.end() ? &at->second : nullptr;
  }

 private:
  NameScope* outer_;
  std::unordered_map<std::string_view, ScopedValue> values_;
};

/// Feeds the hash in one walk over the model. Every add_* gives false where the meaning is not defined: a name is
/// defined twice, or is used and not defined before.
class Meaning {
 public:
  bool add_model(const onnx::ModelProto& model);
  [[nodiscard]] Hash128 finish() const { return hasher_.finish(); }

 private:
  using NamedTensors = std::map<std::string_view, StoredTensor>;

  bool add_graph(const onnx::GraphProto& graph, NameScope* outer);
  bool add_inputs(const onnx::GraphProto& graph, bool is_main, NamedTensors& stored, NameScope& scope);
  bool add_outputs(const onnx::GraphProto& graph, bool is_main, NameScope& scope);
  void add_unused(const NamedTensors& stored, NameScope& scope);
  bool add_value_info(const ValueProtos& infos, NameScope& scope);
  bool add_nodes(const Nodes& nodes, NameScope& scope);
  void add_shared_names(const Nodes& nodes);
  bool add_node(const onnx::NodeProto& node, NameScope& scope);
  bool add_edge(std::string_view name, NameScope& scope);
  bool add_attributes(const Attributes& attributes, NameScope& scope);
  bool add_attribute(const onnx::AttributeProto& attribute, NameScope& scope);
  bool add_list_attribute(const onnx::AttributeProto& attribute, NameScope& scope);
  bool add_functions(const onnx::ModelProto& model);
  bool add_function(const onnx::FunctionProto& function);
  void add_opsets(const Opsets& opsets);

  void add(std::int64_t number) { hasher_.add(number); }
  void add(std::string_view text) { hasher_.add(text); }
  void add_float(float value) { hasher_.add(std::int64_t{std::bit_cast<std::uint32_t>(value)}); }

  Hasher hasher_;
  std::int64_t values_ = 0;
};

bool Meaning::add_model(const onnx::ModelProto& model) {
  add(model.ir_version());
  add_opsets(model.opset_import());
  if (!add_functions(model)) return false;
  add(std::int64_t{model.training_info_size()});
  for (const auto& training : model.training_info()) add_message(hasher_, training);
  return add_graph(model.graph(), nullptr);
}

void Meaning::add_opsets(const Opsets& opsets) {
  std::vector<std::pair<std::string_view, std::int64_t>> sorted;
  for (const auto& opset : opsets) sorted.emplace_back(domain_of(opset.domain()), opset.version());
  std::sort(sorted.begin(), sorted.end());
  add(static_cast<std::int64_t>(sorted.size()));
  for (const auto& [domain, version] : sorted) {
    add(domain);
    add(version);
  }
}

/// All stored tensors by name; false where a name comes twice.
bool collect(const onnx::GraphProto& graph, std::map<std::string_view, StoredTensor>& stored) {
  for (const auto& tensor : graph.initializer()) {
    if (!stored.try_emplace(tensor.name(), StoredTensor{&tensor, nullptr}).second) return false;
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    if (!stored.try_emplace(tensor.values().name(), StoredTensor{nullptr, &tensor}).second) return false;
  }
  return true;
}

bool Meaning::add_graph(const onnx::GraphProto& graph, NameScope* outer) {
  const bool is_main = outer == nullptr;
  NameScope scope(outer);
  NamedTensors stored;
  if (!collect(graph, stored) || !add_inputs(graph, is_main, stored, scope)) return false;
  for (const auto& [name, tensor] : stored) {
    ScopedValue* value = scope.define(name);
    if (value == nullptr) return false;
    value->stored = tensor;
    if (tensor.dense != nullptr) value->type = type_hash_of_tensor(*tensor.dense);
  }
  if (!add_nodes(graph.node(), scope) || !add_outputs(graph, is_main, scope)) return false;
  add_unused(stored, scope);
  return add_value_info(graph.value_info(), scope);
}

/// Takes the defaults of inputs out of `stored`.
bool Meaning::add_inputs(const onnx::GraphProto& graph, bool is_main, NamedTensors& stored, NameScope& scope) {
  add(std::int64_t{graph.input_size()});
  for (const auto& input : graph.input()) {
    ScopedValue* value = scope.define(input.name());
    if (value == nullptr) return false;
    value->number = values_++;
    value->type = type_hash(input.type());
    if (is_main) add(input.name());
    hasher_.add(*value->type);
    const auto initial = stored.find(input.name());
    add(std::int64_t{initial != stored.end()});
    if (initial != stored.end()) {
      hasher_.add(hash_of(initial->second));
      stored.erase(initial);
    }
  }
  return true;
}

bool Meaning::add_outputs(const onnx::GraphProto& graph, bool is_main, NameScope& scope) {
  add(std::int64_t{graph.output_size()});
  for (const auto& output : graph.output()) {
    const Hash128 type = type_hash(output.type());
    if (is_main) add(output.name());
    hasher_.add(type);
    if (!add_edge(output.name(), scope)) return false;
    if (ScopedValue* value = scope.find_own(output.name()); value != nullptr) value->type = type;
  }
  return true;
}

/// Initializers that nothing uses have no position; they count by content, in any order.
void Meaning::add_unused(const NamedTensors& stored, NameScope& scope) {
  std::vector<Hash128> unused;
  for (const auto& [name, tensor] : stored) {
    if (scope.find(name)->number == new_initializer) unused.push_back(hash_of(tensor));
  }
  std::sort(unused.begin(), unused.end());
  add(static_cast<std::int64_t>(unused.size()));
  for (const auto& hash : unused) hasher_.add(hash);
}

/// Entries that repeat what is declared elsewhere say nothing, nor do those about names that do not exist (ONNX and its
/// runtimes pass over them).
bool Meaning::add_value_info(const ValueProtos& infos, NameScope& scope) {
  std::map<std::int64_t, Hash128> types;
  for (const auto& info : infos) {
    const ScopedValue* value = scope.find(info.name());
    if (value == nullptr || value->number == new_initializer) continue;
    const Hash128 type = type_hash(info.type());
    if (value->type == type) continue;
    if (!types.emplace(value->number, type).second) return false;
  }
  add(static_cast<std::int64_t>(types.size()));
  for (const auto& [number, type] : types) {
    add(number);
    hasher_.add(type);
  }
  return true;
}

bool Meaning::add_nodes(const Nodes& nodes, NameScope& scope) {
  add(std::int64_t{nodes.size()});
  add_shared_names(nodes);
  return std::all_of(nodes.begin(), nodes.end(), [&](const auto& node) { return add_node(node, scope); });
}

/// Adds nothing where all names differ.
void Meaning::add_shared_names(const Nodes& nodes) {
  std::unordered_map<std::string_view, std::int64_t> first;
  for (std::int64_t place = 0; const auto& node : nodes) {
    const auto [at, is_new] = first.try_emplace(node.name(), place);
    if (!node.name().empty() && !is_new) hasher_.add(shared_name).add(at->second).add(place);
    ++place;
  }
}

bool Meaning::add_node(const onnx::NodeProto& node, NameScope& scope) {
  add(domain_of(node.domain()));
  add(node.op_type());
  add(node.overload());
  add(std::int64_t{node.input_size()});
  for (const auto& input : node.input()) {
    if (!add_edge(input, scope)) return false;
  }
  if (!add_attributes(node.attribute(), scope)) return false;
  add(std::int64_t{node.output_size()});
  for (const auto& output : node.output()) {
    add(std::int64_t{output.empty()});
    if (output.empty()) continue;
    ScopedValue* value = scope.define(output);
    if (value == nullptr) return false;
    value->number = values_++;
  }
  return true;
}

bool Meaning::add_edge(std::string_view name, NameScope& scope) {
  if (name.empty()) {
    add(absent);
    return true;
  }
  ScopedValue* value = scope.find(name);
  if (value == nullptr) return false;
  add(value->number);
  if (value->number == new_initializer) {
    hasher_.add(hash_of(value->stored));
    value->number = values_++;
  }
  return true;
}

bool Meaning::add_attributes(const Attributes& attributes, NameScope& scope) {
  std::vector<const onnx::AttributeProto*> sorted;
  for (const auto& attribute : attributes) sorted.push_back(&attribute);
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->name() < b->name(); });
  add(static_cast<std::int64_t>(sorted.size()));
  return std::all_of(sorted.begin(), sorted.end(),
                     [&](const auto* attribute) { return add_attribute(*attribute, scope); });
}

bool Meaning::add_attribute(const onnx::AttributeProto& attribute, NameScope& scope) {
  add(attribute.name());
  add(attribute.ref_attr_name());
  add(std::int64_t{attribute.type()});
  switch (attribute.type()) {
    case onnx::AttributeProto::FLOAT:
      add_float(attribute.f());
      return true;
    case onnx::AttributeProto::INT:
      add(attribute.i());
      return true;
    case onnx::AttributeProto::STRING:
      add(attribute.s());
      return true;
    case onnx::AttributeProto::TENSOR:
      hasher_.add(content_hash(attribute.t()));
      return true;
    case onnx::AttributeProto::GRAPH:
      return add_graph(attribute.g(), &scope);
    case onnx::AttributeProto::SPARSE_TENSOR:
      hasher_.add(hash_of({nullptr, &attribute.sparse_tensor()}));
      return true;
    case onnx::AttributeProto::TYPE_PROTO:
      hasher_.add(type_hash(attribute.tp()));
      return true;
    default:
      return add_list_attribute(attribute, scope);
  }
}

bool Meaning::add_list_attribute(const onnx::AttributeProto& attribute, NameScope& scope) {
  const auto add_all = [&](const auto& list, const auto& add_one) {
    add(std::int64_t{list.size()});
    return std::all_of(list.begin(), list.end(), [&](const auto& item) { return add_one(item), true; });
  };
  switch (attribute.type()) {
    case onnx::AttributeProto::FLOATS:
      return add_all(attribute.floats(), [&](float value) { add_float(value); });
    case onnx::AttributeProto::INTS:
      return add_all(attribute.ints(), [&](std::int64_t value) { add(value); });
    case onnx::AttributeProto::STRINGS:
      return add_all(attribute.strings(), [&](const std::string& value) { add(value); });
    case onnx::AttributeProto::TENSORS:
      return add_all(attribute.tensors(), [&](const onnx::TensorProto& one) { hasher_.add(content_hash(one)); });
    case onnx::AttributeProto::GRAPHS:
      add(std::int64_t{attribute.graphs_size()});
      return std::all_of(attribute.graphs().begin(), attribute.graphs().end(),
                         [&](const auto& graph) { return add_graph(graph, &scope); });
    case onnx::AttributeProto::SPARSE_TENSORS:
      return add_all(attribute.sparse_tensors(), [&](const onnx::SparseTensorProto& one) {
        hasher_.add(hash_of({nullptr, &one}));
      });
    case onnx::AttributeProto::TYPE_PROTOS:
      return add_all(attribute.type_protos(), [&](const onnx::TypeProto& one) { hasher_.add(type_hash(one)); });
    default:  // IR 1 had no types; a reference to a function's attribute may have none
      onnx::AttributeProto copy = attribute;
      copy.clear_doc_string();
      add_message(hasher_, copy);
      return true;
  }
}

bool Meaning::add_functions(const onnx::ModelProto& model) {
  using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
  std::map<Key, const onnx::FunctionProto*> functions;
  for (const auto& function : model.functions()) {
    const Key key(domain_of(function.domain()), function.name(), function.overload());
    if (!functions.emplace(key, &function).second) return false;
  }
  add(static_cast<std::int64_t>(functions.size()));
  return std::all_of(functions.begin(), functions.end(),
                     [&](const auto& entry) { return add_function(*entry.second); });
}

bool Meaning::add_function(const onnx::FunctionProto& function) {
  add(domain_of(function.domain()));
  add(function.name());
  add(function.overload());
  add_opsets(function.opset_import());
  std::vector<std::string_view> attributes(function.attribute().begin(), function.attribute().end());
  std::sort(attributes.begin(), attributes.end());
  add(static_cast<std::int64_t>(attributes.size()));
  for (const auto& attribute : attributes) add(attribute);

  NameScope scope(nullptr);
  if (!add_attributes(function.attribute_proto(), scope)) return false;
  add(std::int64_t{function.input_size()});
  for (const auto& input : function.input()) {
    ScopedValue* value = scope.define(input);
    if (value == nullptr) return false;
    value->number = values_++;
  }
  if (!add_nodes(function.node(), scope)) return false;
  add(std::int64_t{function.output_size()});
  for (const auto& output : function.output()) {
    if (!add_edge(output, scope)) return false;
  }
  return add_value_info(function.value_info(), scope);
}

}  // namespace

Hash128 fingerprint(const onnx::ModelProto& model) {
  Meaning meaning;
  if (meaning.add_model(model)) return meaning.finish();
  Hasher bytes;
  bytes.add(std::string_view("bytes"));
  add_message(bytes, model);
  return bytes.finish();
}

}  // namespace culprit
