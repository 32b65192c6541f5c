// Sums of products. A multiply-add is 2 FLOPs, also of integers; padding is counted as if it were data (so do the
// papers of the networks, and all counters that we know).

#include "cost/rules/rule.h"

namespace culprit::rules {
namespace {

constexpr double requantize = 2;  ///< a scale and a zero point
constexpr double quantize = 4;    ///< least, largest, scale, zero point

/// Each output element is a sum over the window and the input channels of its group: the weight is (M, C/group, k...).
double convolution(const TypedNode& node, std::size_t weight) {
  const ValueShape& kernel = in(node, weight);
  if (kernel.rank() < 3) return not_known;
  return out(node).count() * 2 * kernel.product(1);
}

double conv(const TypedNode& node) { return convolution(node, 1) + for_each_output(node, has(node, 2)); }

/// A sum that is added (the fourth input) and an activation count as the nodes that they were.
double fused_conv(const TypedNode& node) {
  const bool is_activated = !text(node, "activation", "").empty();
  return conv(node) + for_each_output(node, has(node, 3)) + for_each_output(node, is_activated);
}

double conv_integer(const TypedNode& node) { return convolution(node, 1); }

double qlinear_conv(const TypedNode& node) {
  return convolution(node, 3) + for_each_output(node, has(node, 8)) + for_each_output(node, true, requantize);
}

/// Each input element goes into the whole window of each output channel of its group: the weight is (C, M/group, k...).
double conv_transpose(const TypedNode& node) {
  const ValueShape& kernel = in(node, 1);
  if (kernel.rank() < 3) return not_known;
  return in(node, 0).count() * 2 * kernel.product(1) + for_each_output(node, has(node, 2));
}

/// alpha and beta are free: runtimes fold them in.
double gemm_of(const TypedNode& node, std::size_t addend) {
  if (in(node, 0).rank() != 2) return not_known;
  const double depth = in(node, 0).dim(is_set(node, "transA") ? 0 : 1);
  return out(node).count() * 2 * depth + for_each_output(node, has(node, addend));
}

double gemm(const TypedNode& node) { return gemm_of(node, 2); }
/// Without a scale of the result it is made a float.
double qgemm(const TypedNode& node) {
  return gemm_of(node, 6) + for_each_output(node, true, has(node, 7) ? requantize : 1);
}
double fused_gemm(const TypedNode& node) {
  return gemm(node) + for_each_output(node, !text(node, "activation", "").empty());
}

/// Batches are in the output, broadcast ones as often as they are used.
double matmul(const TypedNode& node) { return out(node).count() * 2 * in(node, 0).dim(-1); }

double fused_matmul(const TypedNode& node) {
  if (is_set(node, "transBatchA")) return not_known;
  const bool is_vector = in(node, 0).rank() == 1;
  return out(node).count() * 2 * in(node, 0).dim(is_set(node, "transA") && !is_vector ? -2 : -1);
}

double qlinear_matmul(const TypedNode& node) { return matmul(node) + for_each_output(node, true, requantize); }

double matmul_integer_to_float(const TypedNode& node) {
  return matmul(node) + for_each_output(node, true) + for_each_output(node, has(node, 6));
}

double dynamic_quantize_matmul(const TypedNode& node) {
  return quantize * in(node, 0).count() + matmul(node) + for_each_output(node, true) +
         for_each_output(node, has(node, 4));
}

/// The weights are made into floats first: a zero point and a scale for each.
double matmul_n_bits(const TypedNode& node) {
  const double depth = number(node, "K", -1), width = number(node, "N", -1);
  if (depth < 0 || width < 0 || in(node, 0).dim(-1) != depth) return not_known;
  return 2 * in(node, 0).count() * width + 2 * depth * width + for_each_output(node, has(node, 5));
}

}  // namespace

void add_products(Rules& rules) {
  const Rules added = {
      {"Conv", conv},
      {"com.microsoft.FusedConv", fused_conv},
      {"com.microsoft.NhwcFusedConv", fused_conv},
      {"com.microsoft.nchwc.Conv", fused_conv},
      {"ConvInteger", conv_integer},
      {"QLinearConv", qlinear_conv},
      {"com.microsoft.QLinearConv", qlinear_conv},
      {"ConvTranspose", conv_transpose},
      {"Gemm", gemm},
      {"com.microsoft.FusedGemm", fused_gemm},
      {"com.microsoft.QGemm", qgemm},
      {"MatMul", matmul},
      {"com.microsoft.FusedMatMul", fused_matmul},
      {"com.microsoft.TransposeMatMul", fused_matmul},
      {"MatMulInteger", matmul},
      {"QLinearMatMul", qlinear_matmul},
      {"com.microsoft.MatMulIntegerToFloat", matmul_integer_to_float},
      {"com.microsoft.DynamicQuantizeMatMul", dynamic_quantize_matmul},
      {"com.microsoft.MatMulNBits", matmul_n_bits},
      {"Einsum", einsum_flops},
  };
  rules.insert(added.begin(), added.end());
}

}  // namespace culprit::rules
