#pragma once
// A rule tells from the sizes at a node's places how many FLOPs one run of it takes. What is not known is NaN, and
// makes the result so. docs/graph_costs.md has the conventions, and one row for each family of rules.

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cost/typed_graph.h"
#include "model/traced_value.h"

namespace culprit::rules {

using Rule = double (*)(const TypedNode&);
using Rules = std::unordered_map<std::string_view, Rule>;

constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// What stands at a place; nothing is known of what is not there.
inline const ValueShape& at(const std::vector<ValueShape>& values, std::size_t i) {
  static const ValueShape none;
  return i < values.size() ? values[i] : none;
}
inline const ValueShape& in(const TypedNode& node, std::size_t i) { return at(node.inputs, i); }
inline const ValueShape& out(const TypedNode& node, std::size_t i = 0) { return at(node.outputs, i); }
inline bool has(const TypedNode& node, std::size_t i) { return in(node, i).is_there(); }
inline double number(const TypedNode& node, std::string_view name, std::int64_t otherwise) {
  return static_cast<double>(integer_of(*node.node, name, otherwise));
}
inline bool is_set(const TypedNode& node, std::string_view name) { return integer_of(*node.node, name, 0) != 0; }
inline std::string text(const TypedNode& node, std::string_view name, const std::string& otherwise) {
  const auto* attribute = attribute_of(*node.node, name);
  return attribute != nullptr && attribute->has_s() ? attribute->s() : otherwise;
}
/// Counts `each` for each element of the first output where the node is so made; else nothing.
inline double for_each_output(const TypedNode& node, bool is_so, double each = 1) {
  return is_so ? each * out(node).count() : 0;
}

void add_products(Rules& rules);       ///< Conv, Gemm, MatMul, Einsum, ... and their quantized and fused kin
void add_element_rules(Rules& rules);  ///< element by element, reductions, what only moves
void add_layers(Rules& rules);         ///< normalizations, softmax, pools, resizing, recurrent layers
void add_attention(Rules& rules);      ///< attention and what transformers are fused into

/// FLOPs of an Einsum: for each combination of its letters a product of all operands, and an addition where a letter is
/// summed over. As it is written: a runtime may do with less for three operands or more.
double einsum_flops(const TypedNode& node);

}  // namespace culprit::rules
