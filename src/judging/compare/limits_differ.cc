#include "compare/limits_differ.h"

#include <onnx/defs/schema.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/as_index.h"
#include "base/text.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr double longest_slice = 1e6;

bool has_limits(const onnx::NodeProto& node) {
  if (node.domain() == "ai.onnx.ml")
    return is_one_of(node.op_type(), {"LabelEncoder", "CategoryMapper", "OneHotEncoder", "Binarizer"});
  return domain_of(node.domain()).empty() && is_one_of(node.op_type(), {"Equal",
                                                                        "Greater",
                                                                        "GreaterOrEqual",
                                                                        "Less",
                                                                        "LessOrEqual",
                                                                        "Clip",
                                                                        "Min",
                                                                        "Max",
                                                                        "Mod",
                                                                        "Shrink",
                                                                        "ThresholdedRelu",
                                                                        "LeakyRelu",
                                                                        "Elu",
                                                                        "NonMaxSuppression",
                                                                        "StringNormalizer",
                                                                        "TfIdfVectorizer",
                                                                        "ScatterElements",
                                                                        "ScatterND",
                                                                        "ArgMax",
                                                                        "ArgMin",
                                                                        "IsInf",
                                                                        "Gather",
                                                                        "Slice"});
}

/// What is stored inside the model; nothing where it is no constant, or a large one.
std::optional<Tensor> constant(const GraphIndex& graph, const GraphIndex::Node& node, std::size_t place) {
  const int value = place < node.uses.size() ? node.uses[place] : -1;
  const auto* stored = value < 0 ? nullptr : graph.values[as_index(value)].stored;
  if (stored == nullptr) return std::nullopt;
  auto tensor = from_proto(*stored);
  return tensor ? std::optional(std::move(*tensor)) : std::nullopt;
}

/// By their elements, so that [2] and 2 are one constant.
bool are_equal(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.count() == b.count() && std::ranges::equal(a.strings(), b.strings()) &&
         std::ranges::equal(a.bytes(), b.bytes());
}

Hash128 content(const GraphIndex& graph, const GraphIndex::Node& node, std::size_t place) {
  const int value = place < node.uses.size() ? node.uses[place] : -1;
  return value < 0 ? Hash128{} : graph.values[as_index(value)].content;
}

bool has_open_sizes(const onnx::GraphProto& graph) {
  return std::ranges::any_of(graph.input(), [](const auto& input) {
    const auto& dims = input.type().tensor_type().shape().dim();
    return std::ranges::any_of(dims, [](const auto& dim) { return !dim.has_dim_value(); });
  });
}

class LimitsOfNodes {
 public:
  LimitsOfNodes(const ComparedGraphs& graphs, int node_a, int node_b)
      : graphs_(graphs), a_(graphs.index_a.nodes[as_index(node_a)]), b_(graphs.index_b.nodes[as_index(node_b)]) {}

  [[nodiscard]] bool differ() const {
    if (a_.kind != b_.kind || !has_limits(*a_.proto)) return false;
    if (a_.proto->op_type() == "Slice")
      return has_open_sizes(graphs_.a.proto.graph()) && (ends_differ() || tables_differ());
    return attributes_differ() || constants_differ();
  }

 private:
  [[nodiscard]] bool constants_differ() const {
    for (std::size_t place = 0; place < std::max(a_.uses.size(), b_.uses.size()); ++place) {
      if (differ_at(place)) return true;
    }
    return false;
  }

  [[nodiscard]] bool differ_at(std::size_t place) const {
    const Hash128 content_a = content(graphs_.index_a, a_, place), content_b = content(graphs_.index_b, b_, place);
    if (content_a == content_b || content_a == Hash128{} || content_b == Hash128{}) return false;
    const auto one = constant(graphs_.index_a, a_, place), other = constant(graphs_.index_b, b_, place);
    return !one || !other || !are_equal(*one, *other);
  }

  /// What is cut is stored: rows behind the end are there, and nobody sees them.
  [[nodiscard]] bool tables_differ() const {
    return constant(graphs_.index_a, a_, 0) && constant(graphs_.index_b, b_, 0) && differ_at(0);
  }

  /// The starts and ends, as far as they cut something off.
  [[nodiscard]] bool ends_differ() const {
    const auto numbers = [](const GraphIndex& graph, const GraphIndex::Node& node, std::size_t place) {
      std::vector<double> ends;
      const auto* given = attribute_of(*node.proto, place == 1 ? "starts" : "ends");
      if (given != nullptr) ends.assign(given->ints().begin(), given->ints().end());
      const auto tensor = constant(graph, node, place);
      for (std::int64_t i = 0; tensor && i < tensor->count(); ++i) ends.push_back(tensor->number(i));
      return ends;
    };
    for (const std::size_t place : {std::size_t{1}, std::size_t{2}}) {
      const auto one = numbers(graphs_.index_a, a_, place), other = numbers(graphs_.index_b, b_, place);
      if (one.size() != other.size()) continue;
      for (std::size_t i = 0; i < one.size(); ++i) {
        const bool are_near = std::max(std::abs(one[i]), std::abs(other[i])) <= longest_slice;
        if (are_near && one[i] != other[i] && (one[i] < 0) == (other[i] < 0)) return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool attributes_differ() const {
    std::set<std::string> names;
    for (const auto* node : {a_.proto, b_.proto}) {
      for (const auto& attribute : node->attribute()) names.insert(attribute.name());
    }
    names.erase("axis");  // may be counted from either end
    return std::ranges::any_of(
        names, [&](const std::string& name) { return value(*a_.proto, name) != value(*b_.proto, name); });
  }

  /// As it is written, or by default; "" where it has none.
  [[nodiscard]] static std::string value(const onnx::NodeProto& node, const std::string& name) {
    onnx::AttributeProto bare;
    if (const auto* given = attribute_of(node, name)) {
      bare = *given;
    } else {
      const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), node.domain());
      if (schema != nullptr && schema->attributes().contains(name)) bare = schema->attributes().at(name).default_value;
    }
    bare.clear_doc_string();
    bare.clear_name();
    bare.clear_type();
    return bare.SerializeAsString();
  }

  const ComparedGraphs& graphs_;
  const GraphIndex::Node& a_;
  const GraphIndex::Node& b_;
};

}  // namespace

bool limits_differ(const ComparedGraphs& graphs, int node_a, int node_b) {
  return LimitsOfNodes(graphs, node_a, node_b).differ();
}

}  // namespace culprit
