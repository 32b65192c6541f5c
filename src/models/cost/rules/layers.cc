// Layers that are no plain sums of products.

#include <cmath>

#include "cost/rules/rule.h"

namespace culprit::rules {
namespace {

double window_of(const TypedNode& node) {
  const auto* kernel = attribute_of(*node.node, "kernel_shape");
  if (kernel == nullptr || kernel->ints_size() == 0) return not_known;
  double window = 1;
  for (const std::int64_t size : kernel->ints()) window *= size < 1 ? not_known : static_cast<double>(size);
  return window;
}

/// One addition or comparison for each element of the window.
double pool(const TypedNode& node) { return out(node).count() * window_of(node); }
double lp_pool(const TypedNode& node) { return 2 * pool(node); }
double quantized_pool(const TypedNode& node) { return pool(node) + for_each_output(node, true, 2); }
double global_pool(const TypedNode& node) { return in(node, 0).count(); }
double global_lp_pool(const TypedNode& node) { return 2 * in(node, 0).count(); }
double quantized_global_pool(const TypedNode& node) { return global_pool(node) + for_each_output(node, true, 2); }

/// Mean and deviation over a part of the tensor: mean 1, minus it 1, square and add 2, times the inverse deviation 1.
constexpr double centre_and_scale = 5;
/// Without the mean.
constexpr double scale_alone = 3;

/// Stored mean, deviation, scale and bias are one factor and one summand; in training they are computed first.
double batch_normalization(const TypedNode& node) {
  return (is_set(node, "training_mode") ? centre_and_scale + 2 : 2) * in(node, 0).count();
}
double instance_normalization(const TypedNode& node) { return (centre_and_scale + 2) * in(node, 0).count(); }
double plain_normalization(const TypedNode& node) { return centre_and_scale * in(node, 0).count(); }
double layer_normalization(const TypedNode& node) {
  return (centre_and_scale + 1 + (has(node, 2) ? 1 : 0)) * in(node, 0).count();
}
/// The sum of the rows that are picked for the word, its place and perhaps its segment; then as above.
double embedding(const TypedNode& node) {
  const double sums = has(node, 4) ? 2 : 1;
  return (sums + centre_and_scale + 2) * out(node).count();
}
double rms_normalization(const TypedNode& node) { return (scale_alone + 1) * in(node, 0).count(); }
double lp_normalization(const TypedNode& node) { return scale_alone * in(node, 0).count(); }

/// Squares, their sum over `size` channels, times alpha, plus bias, the power, the quotient.
double local_response(const TypedNode& node) {
  const double size = number(node, "size", -1);
  return size < 1 ? not_known : (size + 4) * in(node, 0).count();
}

/// Largest, minus it, exp, sum, quotient (or, for the logarithm, difference).
double softmax(const TypedNode& node) { return 5 * in(node, 0).count(); }
double biased_softmax(const TypedNode& node) { return 6 * in(node, 0).count(); }
double quantized_softmax(const TypedNode& node) { return 9 * in(node, 0).count(); }
double hardmax(const TypedNode& node) { return in(node, 0).count(); }

/// A multiply-add for each neighbour that is looked at: 2 along each axis that is resized for linear, 4 for cubic.
double sampled(const TypedNode& node, double axes, const std::string& mode) {
  if (mode == "nearest") return 0 * out(node).count();
  const bool is_cubic = mode == "cubic" || mode == "bicubic";
  if (!is_cubic && mode != "linear" && mode != "bilinear") return not_known;
  return 2 * std::pow(is_cubic ? 4 : 2, axes) * out(node).count();
}
double resize(const TypedNode& node) {
  if (is_set(node, "antialias") || in(node, 0).rank() != out(node).rank()) return not_known;
  double axes = 0;
  for (int axis = 0; axis < out(node).rank(); ++axis) {
    if (in(node, 0).dim(axis) != out(node).dim(axis)) ++axes;
  }
  return sampled(node, axes, text(node, "mode", "nearest")) + 0 * in(node, 0).count();
}
double grid_sample(const TypedNode& node) {
  return sampled(node, in(node, 0).rank() - 2, text(node, "mode", "linear"));
}
double roi_align(const TypedNode& node) {
  const double samples = number(node, "sampling_ratio", 0);
  return samples < 1 ? not_known : out(node).count() * samples * samples * 8;
}

/// Both products of each step, biases, and `each` FLOPs for each element of the state: activations and products.
double recurrent(const TypedNode& node, double each) {
  const ValueShape &input = in(node, 0), &weight = in(node, 1), &again = in(node, 2);
  if (input.rank() != 3 || weight.rank() != 3 || again.rank() != 3) return not_known;
  const double steps = input.product(0, 2);
  const double states = again.dim(0) * again.dim(2);
  const double bias = has(node, 3) ? in(node, 3).count() : 0;
  return steps * (2 * weight.count() + 2 * again.count() + bias + each * states);
}
/// Five activations; f*c, i*c', their sum, o*h; three peepholes.
double lstm(const TypedNode& node) { return recurrent(node, has(node, 7) ? 15 : 9); }
/// Three activations; r*h, 1-z, (1-z)*n, z*h, their sum.
double gru(const TypedNode& node) { return recurrent(node, 8); }
/// The weights of an LSTM lie the other way round: (directions, inputs, 4 states). For each step what it takes is made
/// bytes (4 each), and both products floats again.
double quantized_lstm(const TypedNode& node) {
  const ValueShape &input = in(node, 0), &weight = in(node, 1), &again = in(node, 2);
  if (input.rank() != 3 || weight.rank() != 3 || again.rank() != 3) return not_known;
  const double directions = again.dim(0), states = directions * again.dim(1), gates = directions * again.dim(2);
  const double bias = has(node, 3) ? in(node, 3).count() : 0;
  const double quantized = 4 * (directions * input.dim(2) + states) + 2 * gates;
  const double products = 2 * weight.count() + 2 * again.count() + bias;
  return input.product(0, 2) * (products + quantized + (has(node, 7) ? 15 : 9) * states);
}
double rnn(const TypedNode& node) { return recurrent(node, 1); }

/// 5 n log2 n for a transform of n complex numbers, half of it for real ones: what FFTW's benchmarks count.
double transform(double n, bool is_real) { return n < 1 ? not_known : (is_real ? 2.5 : 5) * n * std::log2(n); }
double dft(const TypedNode& node) {
  const ValueShape& signal = in(node, 0);
  if (signal.rank() != 3 || has(node, 1) || has(node, 2) || number(node, "axis", 1) != 1) return not_known;
  return signal.dim(0) * transform(signal.dim(1), signal.dim(2) == 1) + 0 * out(node).count();
}
double stft(const TypedNode& node) {
  const ValueShape &signal = in(node, 0), &window = in(node, 2);
  if (!has(node, 2) || out(node).rank() != 4) return not_known;
  const double n = window.count();
  return out(node).product(0, 2) * (n + transform(n, signal.rank() == 2 || signal.dim(-1) == 1));
}

}  // namespace

void add_layers(Rules& rules) {
  const Rules added = {
      {"AveragePool", pool},
      {"MaxPool", pool},
      {"LpPool", lp_pool},
      {"com.microsoft.nchwc.AveragePool", pool},
      {"com.microsoft.nchwc.MaxPool", pool},
      {"com.microsoft.NhwcMaxPool", pool},
      {"com.microsoft.EmbedLayerNormalization", embedding},
      {"com.microsoft.QLinearAveragePool", quantized_pool},
      {"GlobalAveragePool", global_pool},
      {"GlobalMaxPool", global_pool},
      {"GlobalLpPool", global_lp_pool},
      {"com.microsoft.nchwc.GlobalAveragePool", global_pool},
      {"com.microsoft.nchwc.GlobalMaxPool", global_pool},
      {"com.microsoft.QLinearGlobalAveragePool", quantized_global_pool},
      {"BatchNormalization", batch_normalization},
      {"InstanceNormalization", instance_normalization},
      {"GroupNormalization", instance_normalization},
      {"com.microsoft.GroupNorm", instance_normalization},
      {"MeanVarianceNormalization", plain_normalization},
      {"LayerNormalization", layer_normalization},
      {"RMSNormalization", rms_normalization},
      {"SimplifiedLayerNormalization", rms_normalization},
      {"LpNormalization", lp_normalization},
      {"LRN", local_response},
      {"Softmax", softmax},
      {"LogSoftmax", softmax},
      {"com.microsoft.BiasSoftmax", biased_softmax},
      {"com.microsoft.QLinearSoftmax", quantized_softmax},
      {"Hardmax", hardmax},
      {"Resize", resize},
      {"Upsample", resize},
      {"com.microsoft.nchwc.Upsample", resize},
      {"GridSample", grid_sample},
      {"com.microsoft.GridSample", grid_sample},
      {"RoiAlign", roi_align},
      {"LSTM", lstm},
      {"com.microsoft.DynamicQuantizeLSTM", quantized_lstm},
      {"GRU", gru},
      {"RNN", rnn},
      {"DFT", dft},
      {"STFT", stft},
  };
  rules.insert(added.begin(), added.end());
}

}  // namespace culprit::rules
