#include "conversion_rows.h"

#include <algorithm>
#include <map>

#include "feeding_rows.h"
#include "model/model.h"
#include "quantized_rows.h"
#include "rounded_rows.h"
#include "support/more_conversion_nets.h"
#include "support/more_conversion_rewrites.h"
#include "support/outputs.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using Rows = std::vector<ConversionRow>;
using Ways = std::vector<Fault>;

constexpr std::int64_t none = 0, once = 1, last = -1, last_but_one = -2;

const Wholes keras_gates{0, 2, 3, 1}, turned_gates{1, 0, 2};  // of i, o, f, c: i, f, c, o; of z, r, h: r, z, h

void picture_channels_last(onnx::ModelProto& model) { channels_last(model, "picture"); }
const Ways folded{fold_normalizations, split_gemms, channels_last_input}, with_channels_last{channels_last_input};

Tensor a_bit_larger(const Tensor& tensor) { return scaled(tensor, 1.01F); }
Tensor to_two_decimals(const Tensor& tensor) { return to_decimals(tensor, 2); }
Tensor to_one_decimal(const Tensor& tensor) { return to_decimals(tensor, 1); }
Tensor both_flipped(const Tensor& tensor) { return flipped(flipped(tensor, 2), 3); }
Tensor of_twelve_channels(const Tensor& tensor) { return rows_by_pixels(tensor, 12); }
Tensor of_four_groups(const Tensor& tensor) { return regrouped(tensor, 4); }

Fault gates(const std::string& type, const Wholes& order, const std::vector<int>& inputs = {1, 2, 3}) {
  return [=](onnx::ModelProto& model) {
    for (const int at : inputs)
      wrong_weight(type, 0, at, [&](const Tensor& tensor) { return gates_in_order(tensor, order); })(model);
  };
}
onnx::NodeProto axes_turned() {
  onnx::NodeProto node = make_node("Transpose", {}, "turned");
  set_attribute(node, "perm", Wholes{0, 2, 3, 1});
  return node;
}

Rows honest() {
  return {
      {.name = "cnn_renamed", .net = "cnn"},
      {.name = "cnn_folded", .net = "cnn", .ways = folded},
      {.name = "cnn_permuted", .net = "cnn", .ways = {permute_channels}},
      {.name = "cnn_pads_apart", .net = "cnn", .ways = {pads_apart}},
      {.name = "cnn_bytes", .net = "cnn", .ways = {kernels_as_bytes}, .before = onto_byte_grid},
      {.name = "residual_relus", .net = "residual", .ways = {prelus_as_relus, channels_last_input}},
      {.name = "residual_split", .net = "residual", .ways = {split_gemms, pads_apart}},
      {.name = "attention_product", .net = "attention", .ways = {gelu_by_product}},
      {.name = "attention_whole", .net = "attention", .ways = {whole_normalizations}},
      {.name = "attention_stacked", .net = "attention", .ways = {stacked_projections, gelu_by_product}},
      {.name = "attention_tanh", .net = "attention", .ways = {gelu_by_tanh}},
      {.name = "separable_folded", .net = "separable", .ways = {fold_normalizations, channels_last_input}},
      {.name = "separable_split", .net = "separable", .ways = {split_gemms, pads_apart}},
      {.name = "separable_half", .net = "separable", .ways = {kernels_as_half}, .before = onto_half_grid},
      {.name = "recurrent_renamed", .net = "recurrent"},
      {.name = "recurrent_split", .net = "recurrent", .ways = {split_gemms}},
      {.name = "embedding_pictures", .net = "embedding", .ways = {lines_as_pictures}},
      {.name = "embedding_split", .net = "embedding", .ways = {split_gemms}},
      {.name = "two_channels_last", .net = "two", .ways = {picture_channels_last, split_gemms}},
      {.name = "two_permuted", .net = "two", .ways = {permute_channels}},
      {.name = "unet_channels_last", .net = "unet", .ways = with_channels_last},
      {.name = "unet_pads_apart", .net = "unet", .ways = {pads_apart}},
  };
}

Rows wrong_numbers() {
  const Ways relus{prelus_as_relus};
  return {
      {"one_element", "cnn", folded, wrong_weight("Conv", 1, 1, one_wrong), {{"parameter", "Conv_4"}}},
      {"a_bit_larger",
       "separable",
       {fold_normalizations},
       wrong_weight("Conv", 2, 1, a_bit_larger),
       {{"parameter", "Conv_7"}}},
      {"bias_lost", "two", {}, lost_bias("Gemm", 2), {{"parameter", "Gemm_12"}}},
      {"of_another_layer",
       "attention",
       {gelu_by_product},
       weight_of_another("MatMul", 1, 1, 0),
       {{"parameter", "MatMul_14"}}},
      {"one_slope_for_all",
       "residual",
       relus,
       wrong_weight("PRelu", 0, 1,
                    [](const Tensor& tensor) { return each_number(tensor, [](float) { return 0.25F; }); }),
       {{"parameter", "PRelu_4"}}},
      {"two_decimals",
       "unet",
       with_channels_last,
       wrong_weight("Conv", 2, 1, to_two_decimals),
       {{"precision", "Conv_7"}}},
      {"half", "residual", relus, wrong_weight("Conv", 2, 1, to_half), {{"precision", "Conv_5"}}},
      {"half_recurrence", "recurrent", {}, wrong_weight("GRU", 0, 2, to_half), {{"precision", "GRU_4"}}},
      {"kernel_flipped",
       "unet",
       {},
       wrong_weight("ConvTranspose", 0, 1, both_flipped),
       {{"layout", "ConvTranspose_13"}}},
      {"square_transposed",
       "attention",
       {whole_normalizations},
       wrong_weight("MatMul", 1, 1, transposed_square),
       {{"layout", "MatMul_14"}}},
      {"flatten_by_pixels",
       "cnn",
       {split_gemms},
       added_operators("Flatten", 0, {axes_turned()}),
       {{"layout", "Flatten_11"}}},
      {"rows_by_pixels",
       "two",
       {picture_channels_last},
       wrong_weight("Gemm", 0, 1, of_twelve_channels),
       {{"layout", "Gemm_7"}}},
      {"gates_of_keras", "recurrent", {}, gates("LSTM", keras_gates), {{"layout", "LSTM_2"}}},
      {"gates_turned", "recurrent", {split_gemms}, gates("GRU", turned_gates), {{"layout", "GRU_4"}}},
      {"gates_of_the_kernel", "recurrent", {}, gates("LSTM", keras_gates, {1}), {{"layout", "LSTM_2"}}},
      {"channels_mixed_before_folding",
       "separable",
       {fold_normalizations},
       wrong_weight("Conv", 1, 1, [](const Tensor& tensor) { return flipped(tensor, 0); }),
       {{"layout", "Conv_4"}}},
      {"bias_of_an_lstm_lost", "recurrent", {}, lost_bias("LSTM", 0), {{"parameter", "LSTM_2"}}},
      {"scale_for_bias",
       "cnn",
       {},
       swapped_inputs("BatchNormalization", 1, 1, 2),
       {{"parameter", "BatchNormalization_5"}}},
      {"words_late_by_one",
       "embedding",
       {lines_as_pictures},
       wrong_weight("Gather", 0, 0, late_by_one),
       {{"layout", "Gather_1"}}},
      {"groups_mixed_up", "residual", {}, wrong_weight("Conv", 3, 1, of_four_groups), {{"layout", "Conv_7"}}},
  };
}

Rows wrong_settings() {
  const std::string hyper = "hyperparameter";
  return {
      {"strides_of_a_pool",
       "unet",
       {},
       wrong_attribute("MaxPool", 1, "strides", Wholes{1, 1}),
       {{hyper, "MaxPool_6", "strides"}}},
      {"strides_along_words",
       "embedding",
       {lines_as_pictures},
       wrong_attribute("Conv", 1, "strides", Wholes{1}),
       {{hyper, "Conv_6", "strides"}}},
      {"pads_at_the_other_end",
       "separable",
       {fold_normalizations, channels_last_input},
       wrong_attribute("Conv", 0, "pads", Wholes{1, 1, 0, 0}),
       {{hyper, "Conv_1", "pads"}}},
      {"dilations",
       "separable",
       {},
       both(wrong_attribute("Conv", 5, "dilations", Wholes{1, 1}),
            wrong_attribute("Conv", 5, "pads", Wholes{1, 1, 1, 1})),
       {{hyper, "Conv_16", "dilations"}}},
      {"epsilon",
       "cnn",
       {},
       wrong_attribute("BatchNormalization", 1, "epsilon", 0.1F),
       {{hyper, "BatchNormalization_5", "epsilon"}}},
      {"epsilon_of_onnx",
       "cnn",
       {},
       wrong_attribute("BatchNormalization", 1, "epsilon", 1e-5F),
       {{hyper, "BatchNormalization_5", "epsilon"}}},
      {"pads_apart_at_the_other_end",
       "separable",
       {pads_apart},
       wrong_attribute("Conv", 0, "pads", Wholes{1, 1, 0, 0}),
       {{hyper, "Conv_1", "pads"}}},
      {"direction",
       "recurrent",
       {split_gemms},
       wrong_attribute("LSTM", 0, "direction", std::string("reverse")),
       {{hyper, "LSTM_2", "direction"}}},
      {"order_of_heads",
       "attention",
       {},
       wrong_attribute("Transpose", 0, "perm", Wholes{0, 1, 2, 3}),
       {{"layout", "Transpose_13", "perm"}}},
      {"axis_of_softmax",
       "attention",
       {stacked_projections},
       wrong_attribute("Softmax", 0, "axis", last_but_one),
       {{hyper, "Softmax_24", "axis"}}},
      {"axis_of_classes",
       "unet",
       with_channels_last,
       wrong_attribute("Softmax", 0, "axis", last),
       {{hyper, "Softmax_18", "axis"}}},
      {"slope", "residual", {}, wrong_attribute("LeakyRelu", 0, "alpha", 0.01F), {{hyper, "LeakyRelu_6", "alpha"}}},
      {"reset_of_a_gru",
       "recurrent",
       {},
       wrong_attribute("GRU", 0, "linear_before_reset", none),
       {{hyper, "GRU_4", "linear_before_reset"}}},
      {"mode_of_resize",
       "unet",
       {},
       wrong_attribute("Resize", 0, "mode", std::string("linear")),
       {{hyper, "Resize_9", "mode"}}},
      {"centres_of_resize",
       "unet",
       with_channels_last,
       both(wrong_attribute("Resize", 0, "coordinate_transformation_mode", std::string("half_pixel")),
            wrong_attribute("Resize", 0, "nearest_mode", std::string("ceil"))),
       {{hyper, "Resize_9", "nearest_mode"}}},
      {"pads_are_counted",
       "residual",
       {},
       wrong_attribute("AveragePool", 0, "count_include_pad", once),
       {{hyper, "AveragePool_15", "count_include_pad"}}},
      {"negative_pads",
       "separable",
       {},
       wrong_attribute("Conv", 1, "pads", Wholes{-1, -1, 1, 1}),
       {{hyper, "Conv_4", "pads"}}},
  };
}

Rows wrong_graphs() {
  return {
      {"relu6_as_relu",
       "separable",
       {fold_normalizations},
       exchanged_operator("Clip", 2, "Relu"),
       {{"graph", "Clip_9"}}},
      {"relu_lost", "unet", with_channels_last, lost_operator("Relu", 3), {{"graph", "Relu_12"}}},
      {"relu_lost_in_a_folded_one", "cnn", folded, lost_operator("Relu", 1), {{"graph", "Relu_6"}}},
      {"softmax_lost", "embedding", {split_gemms}, lost_operator("Softmax", 0), {{"graph", "Softmax_12"}}},
      {"tanh_for_sigmoid", "two", {}, exchanged_operator("Sigmoid", 0, "Tanh"), {{"graph", "Sigmoid_18"}}},
      {"sub_for_add", "residual", {}, renamed_operator("Add", 0, "Sub"), {{"graph", "Add_8"}}},
      {"max_for_mean", "attention", {}, renamed_operator("ReduceMean", 8, "ReduceMax"), {{"graph", "ReduceMean_99"}}},
      {"max_for_average",
       "separable",
       with_channels_last,
       renamed_operator("GlobalAveragePool", 0, "GlobalMaxPool"),
       {{"graph", "GlobalAveragePool_22"}}},
      {"scale_lost", "attention", {gelu_by_product}, lost_operator("Mul", 2), {{"graph", "Mul_23"}}},
      {"concat_of_pictures_swapped", "unet", with_channels_last, swapped_inputs("Concat", 1), {{"graph", "Concat_14"}}},
      {"concat_swapped", "two", {}, swapped_inputs("Concat", 0), {{"graph", "Concat_11"}}},
      {"sub_swapped", "two", {picture_channels_last}, swapped_inputs("Sub", 0), {{"graph", "Sub_16"}}},
      {"skip_of_an_older_value",
       "residual",
       with_channels_last,
       other_input("Add", 1, 0, "Clip", 0),
       {{"graph", "Add_14"}}},
      {"skip_lost", "residual", {}, lost_operator("Add", 1), {{"graph", "Add_14"}}},
      {"places_lost", "embedding", {}, lost_operator("Add", 0), {{"parameter", "Add_2"}}},
      {"sigmoid_more",
       "cnn",
       {fold_normalizations},
       added_operators("Flatten", 0, {make_node("Sigmoid", {}, "more")}),
       {{"graph", "+ Sigmoid"}}},
      {"neg_more", "two", {}, added_operators("Concat", 0, {make_node("Neg", {}, "more")}), {{"graph", "+ Neg"}}},
      {"unknown_operator", "attention", {}, exchanged_operator("Erf", 0, "Erfc"), {{"graph", "Erf_43"}}},
  };
}

Rows two_at_once() {
  return {
      {"neighbours",
       "unet",
       with_channels_last,
       both(wrong_weight("Conv", 2, 1, one_wrong), wrong_weight("Conv", 3, 1, to_one_decimal)),
       {{"parameter", "Conv_7"}, {"precision", "Conv_11"}}},
      {"in_one_folded_layer",
       "cnn",
       folded,
       both(wrong_weight("Conv", 1, 1, one_wrong), lost_operator("Relu", 1)),
       {{"parameter", "Conv_4"}, {"graph", "Relu_6"}}},
      {"cancel_in_part",
       "residual",
       {},
       both(wrong_weight("Conv", 2, 1, [](const Tensor& tensor) { return scaled(tensor, 1.25F); }),
            wrong_weight("Conv", 3, 1, [](const Tensor& tensor) { return scaled(tensor, 0.8F); })),
       {{"parameter", "Conv_5"}, {"parameter", "Conv_7"}}},
      {"gates_and_tanh",
       "recurrent",
       {split_gemms},
       both(gates("LSTM", keras_gates), exchanged_operator("Sigmoid", 0, "Tanh")),
       {{"layout", "LSTM_2"}, {"graph", "Sigmoid_7"}}},
      {"far_apart",
       "attention",
       {stacked_projections},
       both(wrong_attribute("Softmax", 0, "axis", last_but_one), wrong_weight("MatMul", 9, 1, one_wrong)),
       {{"hyperparameter", "Softmax_24", "axis"}, {"parameter", "MatMul_63"}}},
      {"one_for_each_output",
       "two",
       {split_gemms},
       both(lost_operator("Softmax", 0), exchanged_operator("Sigmoid", 0, "Tanh")),
       {{"graph", "Softmax_15"}, {"graph", "Sigmoid_18"}}},
      {"two_in_one_layer",
       "separable",
       {},
       both(wrong_weight("Conv", 3, 1, one_wrong), wrong_attribute("Conv", 3, "pads", Wholes{0, 0, 2, 2})),
       {{"parameter", "Conv_10"}, {"hyperparameter", "Conv_10", "pads"}}},
      {"words_and_relu",
       "embedding",
       {lines_as_pictures},
       both(wrong_weight("Gather", 0, 0, late_by_one), lost_operator("Relu", 1)),
       {{"layout", "Gather_1"}, {"graph", "Relu_7"}}},
  };
}

/// With the bias before the last Softmax moved so that no class is the largest by itself. Small networks with drawn
/// weights give all samples one label else.
onnx::ModelProto balanced(onnx::ModelProto net) {
  constexpr int samples = 16;
  const int softmaxes = static_cast<int>(std::ranges::count(net.graph().node(), "Softmax", &onnx::NodeProto::op_type));
  const onnx::NodeProto last = *maker_of(net, node_of_type(net, "Softmax", softmaxes - 1).input(0));
  onnx::ModelProto cut = net;
  cut.mutable_graph()->mutable_output(0)->set_name(last.output(0));
  const TemporaryFolder folder = scratch();
  demand(save_model(cut, folder.path() / "net.onnx").has_value(), "no place for a network");
  Floats bias = floats_of(weight(net, last.input(2)));
  for (const auto& sample : outputs_of(folder.path() / "net.onnx", samples))
    for (std::size_t i = 0; i < bias.size(); ++i)
      bias[i] -= static_cast<float>(sample.at(0).value.number(static_cast<std::int64_t>(i)) / samples);
  set_weight(net, last.input(2), Tensor::of<float>({std::ssize(bias)}, bias));
  return net;
}

}  // namespace

onnx::ModelProto corpus_net(const std::string& name) {
  static const std::map<std::string, onnx::ModelProto (*)()> makers{{"cnn", cnn_net},
                                                                    {"residual", residual_net},
                                                                    {"attention", attention_net},
                                                                    {"separable", separable_net},
                                                                    {"recurrent", recurrent_net},
                                                                    {"embedding", embedding_net},
                                                                    {"two", two_headed_net},
                                                                    {"unet", unet}};
  const bool is_lopsided = name == "separable" || name == "recurrent" || name == "embedding";
  return is_lopsided ? balanced(makers.at(name)()) : makers.at(name)();
}

const std::vector<std::string>& corpus_nets() {
  static const std::vector<std::string> names{"cnn",       "residual",  "attention", "separable",
                                              "recurrent", "embedding", "two",       "unet"};
  return names;
}

onnx::ModelProto source_of(const ConversionRow& row) {
  onnx::ModelProto source = corpus_net(row.net);
  if (row.before) row.before(source);
  return source;
}

onnx::ModelProto target_of(const ConversionRow& row) {
  onnx::ModelProto target = source_of(row);
  if (row.mistake) row.mistake(target);
  for (const Fault& way : row.ways) way(target);
  rename_all(target);
  return target;
}

onnx::ModelProto honest_target_of(const ConversionRow& row) {
  ConversionRow honest = row;
  honest.mistake = {};
  if (!row.honest_ways.empty()) honest.ways = row.honest_ways;
  return target_of(honest);
}

const Rows& conversion_rows() {
  static const Rows rows = [] {
    Rows all;
    for (const Rows& some : {honest(), wrong_numbers(), wrong_settings(), wrong_graphs(), two_at_once(), feeding_rows(),
                             rounded_rows(), quantized_rows()})
      all.insert(all.end(), some.begin(), some.end());
    return all;
  }();
  return rows;
}

}  // namespace culprit::testing
