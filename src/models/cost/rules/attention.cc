// Attention: the scores of each query with each key, their softmax, and what it picks of the values. Masks are counted
// as if nothing were masked.

#include "cost/rules/rule.h"

namespace culprit::rules {
namespace {

/// The scores are scaled (1) and go through a softmax (5).
constexpr double each_score = 6;

double attend(double queries, double keys, double heads, double query_elements, double result_elements) {
  return 2 * query_elements * keys + each_score * queries * heads * keys + 2 * result_elements * keys;
}

/// com.microsoft.Attention: first the projection of the input to queries, keys and values in one product.
double packed_attention(const TypedNode& node, std::size_t past) {
  const ValueShape &input = in(node, 0), &weight = in(node, 1);
  const double heads = number(node, "num_heads", -1);
  if (input.rank() != 3 || weight.rank() != 2 || heads < 1) return not_known;
  const double tokens = input.product(0, 2);
  const double projection = 2 * tokens * weight.count() + (has(node, 2) ? tokens * weight.dim(1) : 0);
  const double keys = input.dim(1) + (has(node, past) ? in(node, past).dim(3) : 0);
  const double values = out(node).dim(2);
  const double query = (weight.dim(1) - values) / 2;
  return projection + attend(tokens, keys, heads, tokens * query, tokens * values);
}
double attention(const TypedNode& node) { return packed_attention(node, 4); }
double quantized_attention(const TypedNode& node) { return packed_attention(node, 8) + 0 * out(node).count(); }

double multi_head_attention(const TypedNode& node) {
  const ValueShape &query = in(node, 0), &key = in(node, 1);
  const double heads = number(node, "num_heads", -1);
  const bool has_past = has(node, 6) || has(node, 7);
  if (query.rank() != 3 || key.rank() != 3 || in(node, 2).rank() != 3 || heads < 1 || has_past) return not_known;
  const double bias = has(node, 3) ? query.count() + key.count() + in(node, 2).count() : 0;
  return bias + attend(query.product(0, 2), key.dim(1), heads, query.count(), out(node).count());
}

/// ONNX's own (from opset 23 on): (batch, heads, sequence, size), or heads and size in one axis.
double onnx_attention(const TypedNode& node) {
  const ValueShape &query = in(node, 0), &key = in(node, 1);
  const bool is_split = query.rank() == 4;
  if ((!is_split && query.rank() != 3) || key.rank() != query.rank()) return not_known;
  const double heads = is_split ? query.dim(1) : number(node, "q_num_heads", -1);
  if (!(heads >= 1)) return not_known;
  const double keys = key.dim(-2) + (has(node, 4) ? in(node, 4).dim(2) : 0);
  return attend(query.dim(0) * query.dim(-2), keys, heads, query.count(), out(node).count());
}

/// The sum with what was skipped is a part of it, and so is a bias.
double skip_layer_normalization(const TypedNode& node) {
  return (5 + 1 + 1 + (has(node, 3) ? 1 : 0) + (has(node, 4) ? 1 : 0)) * in(node, 0).count();
}
double skip_rms_normalization(const TypedNode& node) {
  return (3 + 1 + 1 + (has(node, 3) ? 1 : 0)) * in(node, 0).count();
}

}  // namespace

void add_attention(Rules& rules) {
  const Rules added = {
      {"Attention", onnx_attention},
      {"com.microsoft.Attention", attention},
      {"com.microsoft.QAttention", quantized_attention},
      {"com.microsoft.MultiHeadAttention", multi_head_attention},
      {"com.microsoft.SkipLayerNormalization", skip_layer_normalization},
      {"com.microsoft.SkipSimplifiedLayerNormalization", skip_rms_normalization},
  };
  rules.insert(added.begin(), added.end());
}

}  // namespace culprit::rules
