#include "quantized_rows.h"

#include "support/conversion_quantized.h"
#include "support/more_conversion_rewrites.h"

namespace culprit::testing {
namespace {

using Rows = std::vector<ConversionRow>;

const StepForm by_channel{.by_channel = true}, with_zero_points{.is_unsigned = true};

Tensor twice(const Tensor& scale) { return scaled(scale, 2); }
Tensor a_third(const Tensor& scale) { return scaled(scale, 1 / 3.0F); }
Tensor thirty_times(const Tensor& scale) { return scaled(scale, 30); }
Tensor moved(const Tensor& zero) { return Tensor::of<std::uint8_t>(zero.shape(), {250}); }

Rows honest_bits() {
  return {
      {.name = "quantized_cnn", .net = "cnn", .ways = {quantized()}},
      {.name = "quantized_cnn_folded", .net = "cnn", .ways = {fold_normalizations, quantized(by_channel)}},
      {.name = "quantized_residual", .net = "residual", .ways = {quantized(by_channel)}},
      {.name = "quantized_residual_unsigned", .net = "residual", .ways = {quantized(with_zero_points)}},
      {.name = "quantized_separable", .net = "separable", .ways = {fold_normalizations, quantized(with_zero_points)}},
      {.name = "quantized_unet", .net = "unet", .ways = {quantized(by_channel)}},
      {.name = "quantized_unet_channels_last", .net = "unet", .ways = {quantized(), channels_last_input}},
      {.name = "quantized_two", .net = "two", .ways = {quantized(with_zero_points)}},
      {.name = "quantized_two_by_channel", .net = "two", .ways = {quantized(by_channel)}},
      {.name = "quantized_separable_by_channel",
       .net = "separable",
       .ways = {fold_normalizations, quantized(by_channel)}},
      {.name = "quantized_residual_relus", .net = "residual", .ways = {quantized(), prelus_as_relus}},
      {.name = "quantized_cnn_channels_last", .net = "cnn", .ways = {quantized(with_zero_points), channels_last_input}},
      {.name = "weights_of_separable_in_steps", .net = "separable", .ways = {weights_in_steps}},
      {.name = "weights_of_embedding_in_half", .net = "embedding", .ways = {weights_in_half}},
      {.name = "weights_of_cnn_in_steps", .net = "cnn", .ways = {fold_normalizations, weights_in_steps}},
      {.name = "weights_of_unet_in_steps", .net = "unet", .ways = {weights_in_steps, channels_last_input}},
      {.name = "weights_of_recurrent_in_half", .net = "recurrent", .ways = {weights_in_half}},
      {.name = "weights_of_attention_in_half", .net = "attention", .ways = {weights_in_half, gelu_by_product}},
  };
}

Rows wrong_weight_grids() {
  return {
      {"scale_twice", "cnn", {quantized(), wrong_grid("Conv", 1, 1, twice)}, {}, {{"quantization", "Conv_4", "scale"}}},
      {"scale_of_a_dense_layer",
       "two",
       {quantized(), wrong_grid("Gemm", 1, 1, a_third)},
       {},
       {{"quantization", "Gemm_9", "scale"}}},
      {"scale_of_one_output",
       "unet",
       {quantized(by_channel), wrong_grid("Conv", 2, 1, [](const Tensor& scale) { return one_times(scale, 4); })},
       {},
       {{"quantization", "Conv_7", "scale"}}},
      {"zero_point_lost",
       "residual",
       {quantized(with_zero_points),
        wrong_grid("Conv", 2, 2, [](const Tensor& zero) { return Tensor::of<std::uint8_t>(zero.shape(), {0}); })},
       {},
       {{"quantization", "Conv_5", "zero_point"}}},
      {"clipped", "unet", {quantized({.shares = {{"Conv_4", 0.4F}}})}, {}, {{"quantization", "Conv_4", "range"}}},
  };
}

Rows wrong_value_grids() {
  return {
      {"steps_too_short",
       "unet",
       {quantized(), wrong_steps("Conv", 2, 1, a_third)},
       {},
       {{"quantization", "MaxPool_6", "range"}}},
      {"steps_too_coarse",
       "cnn",
       {quantized(), wrong_steps("Conv", 0, 1, thirty_times)},
       {},
       {{"quantization", "x", "scale"}}},
      {"steps_elsewhere",
       "two",
       {quantized(), wrong_steps("Conv", 1, 2, moved)},
       {},
       {{"quantization", "MaxPool_3", "zero_point"}}},
  };
}

}  // namespace

std::vector<ConversionRow> quantized_rows() {
  Rows all, weights = wrong_weight_grids(), values = wrong_value_grids();
  for (Rows* wrong : {&weights, &values})
    for (ConversionRow& row : *wrong) row.honest_ways = {row.name == "clipped" ? quantized() : row.ways.front()};
  for (const Rows& some : {honest_bits(), weights, values}) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace culprit::testing
