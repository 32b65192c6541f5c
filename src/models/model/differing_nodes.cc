#include "model/differing_nodes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/hash.h"
#include "model/content_hash.h"
#include "model/graph_walk.h"

namespace culprit {
namespace {

constexpr std::int64_t most_elements = 16;  // of a constant that tells nodes apart

struct Signed {
  Hash128 signature;
  const onnx::NodeProto* node;
};

bool is_small(const onnx::TensorProto& tensor) {
  std::int64_t elements = 1;
  for (const std::int64_t size : tensor.dims()) {
    if (size < 0 || size > most_elements) return false;
    elements *= std::max<std::int64_t>(size, 1);
    if (elements > most_elements) return false;
  }
  return true;
}

class NodeSignatures {
 public:
  explicit NodeSignatures(const onnx::ModelProto& model) {
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      for (const auto& stored : graph.initializer()) {
        if (is_small(stored)) constants_.emplace(stored.name(), content_hash(stored));
      }
      for (const auto& node : graph.node()) {
        if (node.op_type() == "Constant" && node.output_size() == 1) add_constant(node);
      }
    });
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      for (const auto& node : graph.node()) {
        if (node.op_type() != "Constant") all.push_back({of(node), &node});
      }
    });
  }

  std::vector<Signed> all;

 private:
  void add_constant(const onnx::NodeProto& node) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_t() && is_small(attribute.t()))
        constants_.emplace(node.output(0), content_hash(attribute.t()));
      else if (!attribute.has_t())
        constants_.emplace(node.output(0), hash_of(attribute));
    }
  }

  static Hash128 hash_of(const onnx::AttributeProto& attribute) {
    onnx::AttributeProto bare = attribute;
    bare.clear_doc_string();
    if (bare.has_t()) {
      bare.mutable_t()->clear_name();
      bare.mutable_t()->clear_doc_string();
    }
    bare.clear_g();  // the nodes of a body are looked at by themselves
    bare.clear_graphs();
    return hash128(bare.SerializeAsString());
  }

  [[nodiscard]] Hash128 of(const onnx::NodeProto& node) const {
    std::map<std::string, Hash128> attributes;
    for (const auto& attribute : node.attribute()) attributes.emplace(attribute.name(), hash_of(attribute));
    Hasher hasher;
    hasher.add(node.op_type()).add(domain_of(node.domain())).add(std::int64_t{node.input_size()});
    for (const auto& [name, hash] : attributes) hasher.add(name).add(hash);
    for (const std::string& input : node.input()) {
      const auto known = constants_.find(input);
      hasher.add(known == constants_.end() ? Hash128{} : known->second);
    }
    return hasher.finish();
  }

  std::unordered_map<std::string, Hash128> constants_;
};

std::vector<const onnx::NodeProto*> only_in(const std::vector<Signed>& one, const std::map<Hash128, int>& balance,
                                            int sign) {
  std::vector<const onnx::NodeProto*> nodes;
  for (const Signed& each : one) {
    if (balance.at(each.signature) * sign > 0) nodes.push_back(each.node);
  }
  return nodes;
}

}  // namespace

DifferingNodes differing_nodes(const onnx::ModelProto& a, const onnx::ModelProto& b) {
  const NodeSignatures in_a(a), in_b(b);
  std::map<Hash128, int> balance;
  for (const Signed& each : in_a.all) ++balance[each.signature];
  for (const Signed& each : in_b.all) --balance[each.signature];
  return {only_in(in_a.all, balance, 1), only_in(in_b.all, balance, -1)};
}

}  // namespace culprit
