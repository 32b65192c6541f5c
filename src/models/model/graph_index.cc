#include "model/graph_index.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "model/content_hash.h"
#include "model/graph_walk.h"
#include "model/values_of_node.h"

namespace culprit {
namespace {

void add_graph(Hasher& hasher, const onnx::GraphProto& graph) {
  onnx::GraphProto plain = graph;
  plain.clear_doc_string();
  add_message(hasher, plain);
}

/// Tensors by content, all else as it is written; the order of attributes does not count.
void add_attributes(Hasher& hasher, const onnx::NodeProto& node) {
  std::map<std::string_view, const onnx::AttributeProto*> sorted;
  for (const auto& attribute : node.attribute()) sorted.emplace(attribute.name(), &attribute);
  for (const auto& [name, attribute] : sorted) {
    hasher.add(name);
    if (attribute->has_t()) {
      hasher.add(content_hash(attribute->t()));
    } else if (attribute->has_g()) {
      add_graph(hasher, attribute->g());
    } else {
      onnx::AttributeProto plain = *attribute;
      plain.clear_doc_string();
      plain.clear_type();
      add_message(hasher, plain);
    }
  }
}

using Functions = std::map<std::pair<std::string_view, std::string_view>, Hash128>;

Functions functions_of(const onnx::ModelProto& model) {
  Functions functions;
  for (const auto& function : model.functions()) {
    Hasher hasher;
    add_message(hasher, function);
    functions.emplace(std::pair{domain_of(function.domain()), std::string_view(function.name())}, hasher.finish());
  }
  return functions;
}

bool is_random(const onnx::NodeProto& node) {
  const std::string& op = node.op_type();
  return op.starts_with("Random") || op == "Multinomial" || op == "Bernoulli";
}

const onnx::TensorProto* tensor_of_constant(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.name() == "value" && attribute.has_t()) return &attribute.t();
  }
  return nullptr;
}

class Indexer {
 public:
  Indexer(const onnx::ModelProto& model, const std::vector<std::string>& fed)
      : model_(model), fed_(fed.begin(), fed.end()), functions_(functions_of(model)) {}

  GraphIndex run() {
    const auto& graph = model_.graph();
    for (const auto& input : graph.input()) add(input.name()).type = &input.type();
    for (const auto& tensor : graph.initializer()) add_stored(tensor.name(), content_hash(tensor), &tensor);
    for (const auto& tensor : graph.sparse_initializer()) {
      Hasher hasher;
      add_message(hasher, tensor);
      add_stored(tensor.values().name(), hasher.finish(), nullptr);
    }
    for (const auto& node : graph.node()) add_node(node);
    for (const auto* declared : {&graph.value_info(), &graph.output()}) {
      for (const auto& value : *declared) {
        const int at = index_.find(value.name());
        if (at >= 0 && value.has_type()) value_at(at).type = &value.type();
      }
    }
    for (const auto& output : graph.output()) index_.outputs.push_back(index_.find(output.name()));
    return std::move(index_);
  }

 private:
  GraphIndex::Value& value_at(int at) { return index_.values[static_cast<std::size_t>(at)]; }

  GraphIndex::Value& add(std::string_view name) {
    const auto [at, is_new] = index_.by_name.try_emplace(name, static_cast<int>(index_.values.size()));
    if (is_new) index_.values.emplace_back().name = name;
    return value_at(at->second);
  }

  void add_stored(std::string_view name, const Hash128& content, const onnx::TensorProto* tensor) {
    GraphIndex::Value& value = add(name);
    if (fed_.contains(name)) return;
    value.is_constant = true;
    value.content = content;
    value.stored = tensor;
  }

  Hash128 meaning_of(const onnx::NodeProto& node, const Hash128& kind) {
    Hasher hasher;
    hasher.add(kind);
    add_attributes(hasher, node);
    const auto function = functions_.find({domain_of(node.domain()), node.op_type()});
    if (function != functions_.end()) hasher.add(function->second);
    return hasher.finish();
  }

  void add_node(const onnx::NodeProto& proto) {
    GraphIndex::Node node;
    node.proto = &proto;
    node.kind = Hasher().add(proto.op_type()).add(domain_of(proto.domain())).finish();
    node.meaning = meaning_of(proto, node.kind);
    const int number = static_cast<int>(index_.nodes.size());
    const auto used = used_values(proto);
    bool all_constant = !used.empty() && !is_random(proto);
    for (std::size_t place = 0; place < used.size(); ++place) {
      const int value = used[place].empty() ? -1 : index_.find(used[place]);
      node.uses.push_back(value);
      if (value < 0) {
        all_constant = all_constant && used[place].empty();
        continue;
      }
      value_at(value).uses.push_back({number, static_cast<int>(place)});
      all_constant = all_constant && value_at(value).is_constant;
    }
    const bool is_stored = proto.op_type() == "Constant" && domain_of(proto.domain()).empty();
    for (int place = 0; place < proto.output_size(); ++place) {
      node.makes.push_back(-1);
      if (proto.output(place).empty() || index_.find(proto.output(place)) >= 0)
        continue;  // a name made twice: the first
      GraphIndex::Value& value = add(proto.output(place));
      value.node = number;
      value.place = place;
      value.is_constant = is_stored || all_constant;
      if (is_stored) value.stored = tensor_of_constant(proto);
      if (is_stored) value.content = value.stored != nullptr ? content_hash(*value.stored) : node.meaning;
      node.makes.back() = static_cast<int>(index_.values.size()) - 1;
    }
    index_.nodes.push_back(std::move(node));
  }

  const onnx::ModelProto& model_;
  std::unordered_set<std::string_view> fed_;
  Functions functions_;
  GraphIndex index_;
};

}  // namespace

int GraphIndex::find(std::string_view name) const {
  const auto at = by_name.find(name);
  return at == by_name.end() ? -1 : at->second;
}

GraphIndex index_of(const onnx::ModelProto& model, const std::vector<std::string>& fed) {
  return Indexer(model, fed).run();
}

bool is_computed(const GraphIndex& graph, int value) {
  const int node = graph.values[static_cast<std::size_t>(value)].node;
  return node >= 0 && graph.nodes[static_cast<std::size_t>(node)].proto->op_type() != "Constant";
}

bool is_tensor(const GraphIndex& graph, int value) {
  const auto& entry = graph.values[static_cast<std::size_t>(value)];
  if (entry.type != nullptr && entry.type->value_case() != onnx::TypeProto::VALUE_NOT_SET) {
    return entry.type->has_tensor_type();
  }
  if (entry.node < 0) return true;
  const std::string& op = graph.nodes[static_cast<std::size_t>(entry.node)].proto->op_type();
  return op.find("Sequence") == std::string::npos && !op.starts_with("Optional") && op != "ZipMap" &&
         op != "DictVectorizer";
}

}  // namespace culprit
