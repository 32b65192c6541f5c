// Models of Keras in the neutral words.
#include <gmock/gmock.h>

#include "base/as_index.h"
#include "network/keras/read_keras_network.h"
#include "support/keras_samples.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string layer_of(const std::string& kind, const std::string& config, const std::string& nodes = "") {
  const std::string module = kind == "Functional" || kind == "Sequential" ? "keras" : "keras.layers";
  return R"({"module": ")" + module + R"(", "class_name": ")" + kind + R"(", "config": {)" + config + "}" +
         (nodes.empty() ? "" : R"(, "inbound_nodes": )" + nodes) + "}";
}

/// A value in the spelling of Keras 3.
std::string tensor_of(const std::string& layer, int call = 0, int output = 0) {
  return R"({"class_name": "__keras_tensor__", "config": {"shape": [null, 4], "dtype": "float32", "keras_history": [")" +
         layer + "\", " + std::to_string(call) + ", " + std::to_string(output) + "]}}";
}

std::string call_of(const std::string& arguments) { return R"({"args": [)" + arguments + R"(], "kwargs": {}})"; }

std::string functional(const std::string& layers, const std::string& inputs, const std::string& outputs,
                       const std::string& name = "model") {
  return R"({"module": "keras", "class_name": "Functional", "config": {"name": ")" + name + R"(", "layers": [)" +
         layers + R"(], "input_layers": )" + inputs + R"(, "output_layers": )" + outputs + "}}";
}

std::string sequential(const std::string& layers) {
  return R"({"module": "keras", "class_name": "Sequential", "config": {"name": "model", "layers": [)" + layers + "]}}";
}

class KerasNetworks : public ::testing::Test {
 protected:
  Result<Network> read(const std::string& config, const Hdf5Content& weights) {
    write_keras(path(), config, weights);
    return read_written();
  }
  Result<Network> read_written(const KerasOptions& options = {}) {
    const auto file = read_keras_file(path(), options);
    if (!file) return tl::unexpected(file.error());
    return read_keras_network(*file);
  }
  [[nodiscard]] fs::path path() const { return folder_.path() / "model.keras"; }
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "keras-").value();
};

std::vector<std::string> types_in(const Network& network) {
  std::vector<std::string> types;
  for (const NetworkLayer& layer : network.layers) types.push_back(layer.type);
  return types;
}

std::string told_hyper(const NetworkLayer& layer, const std::string& name) {
  const auto found = layer.hyper.find(name);
  return found == layer.hyper.end() ? "none" : to_string(found->second);
}

std::string value_name(const Network& network, int value) { return network.values[as_index(value)].name; }

const Tensor& constant_in(const Network& network, const NetworkLayer& layer, const std::string& role) {
  return *network.values[as_index(parameter_of(layer, role)->value)].constant;
}

TEST_F(KerasNetworks, AreReadInTheWordsOfOnnx) {
  const auto network = read(
      sequential(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 8, 8, 2], "dtype": "float32")") + "," +
                 layer_of("Conv2D", R"("name": "conv", "kernel_size": [3, 3], "strides": [2, 2], "padding": "same",
                          "use_bias": false, "activation": "relu6", "dilation_rate": 1)") +
                 "," + layer_of("BatchNormalization", R"("name": "bn", "axis": -1, "epsilon": 0.01, "scale": false)") +
                 "," + layer_of("MaxPooling2D", R"("name": "pool", "pool_size": 2, "strides": null)") + "," +
                 layer_of("Flatten", R"("name": "flat")") + "," +
                 layer_of("Dense", R"("name": "end", "units": 3, "activation": "softmax")")),
      {{{"layers/conv2d/vars/0", rising_tensor({3, 3, 2, 4})},
        {"layers/batch_normalization/vars/0", rising_tensor({4})},
        {"layers/batch_normalization/vars/1", rising_tensor({4}, 2)},
        {"layers/batch_normalization/vars/2", rising_tensor({4}, 3)},
        {"layers/dense/vars/0", rising_tensor({16, 3})},
        {"layers/dense/vars/1", rising_tensor({3})}}});
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_EQ(network->format, "keras");
  EXPECT_THAT(types_in(*network),
              ElementsAre("Conv", "Clip", "BatchNormalization", "MaxPool", "Flatten", "Gemm", "Softmax"));
  const NetworkLayer& conv = network->layers[0];
  EXPECT_EQ(conv.native_type, "Conv2D");
  EXPECT_TRUE(conv.is_channels_last);
  EXPECT_EQ(told_hyper(conv, "strides"), "[2, 2]");
  EXPECT_EQ(told_hyper(conv, "dilations"), "[1, 1]");
  EXPECT_EQ(told_hyper(conv, "auto_pad"), "SAME_UPPER");
  EXPECT_EQ(parameter_of(conv, "kernel")->axes, "HWIO");
  EXPECT_EQ(network->values[as_index(conv.outputs[0])].is_visible, false) << "the activation gives it";
  EXPECT_EQ(network->layers[1].native, conv.native);
  EXPECT_EQ(told_hyper(network->layers[1], "max"), "6");
  EXPECT_EQ(value_name(*network, network->layers[1].outputs[0]), "conv");
  const NetworkLayer& normalization = network->layers[2];
  EXPECT_EQ(told_hyper(normalization, "epsilon"), "0.01");
  EXPECT_TRUE(constant_in(*network, normalization, "scale").identical(Tensor::of<float>({4}, {1, 1, 1, 1})));
  EXPECT_TRUE(constant_in(*network, normalization, "bias").identical(rising_tensor({4})));
  EXPECT_TRUE(constant_in(*network, normalization, "variance").identical(rising_tensor({4}, 3)));
  EXPECT_EQ(told_hyper(network->layers[3], "strides"), "[2, 2]") << "those of the window";
  EXPECT_EQ(parameter_of(network->layers[5], "kernel")->axes, "IO");
  EXPECT_EQ(value_name(*network, network->inputs.at(0)), "x");
  EXPECT_EQ(value_name(*network, network->outputs.at(0)), "end");
}

TEST_F(KerasNetworks, SharedLayersAndModelsShareTheirWeights) {
  const std::string inner =
      functional(layer_of("InputLayer", R"("name": "i", "batch_shape": [null, 4])", "[]") + "," +
                     layer_of("Dense", R"("name": "d", "units": 4)", "[" + call_of(tensor_of("i")) + "]"),
                 R"(["i", 0, 0])", R"(["d", 0, 0])", "inner");
  const std::string called = inner.substr(0, inner.size() - 1) + R"(, "name": "inner", "inbound_nodes": [)" +
                             call_of(tensor_of("a")) + "," + call_of(tensor_of("b")) + "]}";
  const auto network = read(
      functional(layer_of("InputLayer", R"("name": "b", "batch_shape": [null, 4])", "[]") + "," +
                     layer_of("InputLayer", R"("name": "a", "batch_shape": [null, 4])", "[]") + "," + called + "," +
                     layer_of("Subtract", R"("name": "less")",
                              "[" + call_of("[" + tensor_of("inner", 1) + "," + tensor_of("inner") + "]") + "]"),
                 R"([["a", 0, 0], ["b", 0, 0]])", R"({"second": ["inner", 0, 0], "first": ["less", 0, 0]})"),
      {{{"layers/functional/layers/dense/vars/0", rising_tensor({4, 4})},
        {"layers/functional/layers/dense/vars/1", rising_tensor({4})}}});
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_THAT(types_in(*network), ElementsAre("Gemm", "Gemm", "Sub"));
  EXPECT_EQ(network->layers[0].inputs[1], network->layers[1].inputs[1]);
  EXPECT_EQ(value_name(*network, network->layers[0].inputs[1]), "inner/d/kernel");
  EXPECT_EQ(network->layers[1].name, "inner:1/d");
  EXPECT_THAT(network->layers[2].inputs, ElementsAre(network->layers[1].outputs[0], network->layers[0].outputs[0]));
  EXPECT_EQ(value_name(*network, network->inputs.at(0)), "a");
  EXPECT_THAT(network->outputs, ElementsAre(network->layers[2].outputs[0], network->layers[0].outputs[0]))
      << "in the order of their keys, as Keras has them";
  EXPECT_THAT(network->values[as_index(network->layers[0].outputs[0])].dims, ElementsAre(-1, 4));
}

TEST_F(KerasNetworks, Keras2SaysWhoTakesWhatInItsOwnWay) {
  write_keras_h5(path(),
                 R"({"class_name": "Functional", "config": {"name": "model", "layers": [
        {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 4], "name": "x"}, "name": "x", "inbound_nodes": []},
        {"class_name": "Sequential", "config": {"name": "inner", "layers": [
           {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 4], "name": "i"}},
           {"class_name": "Dense", "config": {"name": "d", "units": 4, "activation": "hard_sigmoid"}}]},
         "name": "inner", "inbound_nodes": [[["x", 0, 0, {}]], [["inner", 1, 0, {}]]]},
        {"class_name": "TFOpLambda", "config": {"name": "twice", "function": "math.multiply"}, "name": "twice",
         "inbound_nodes": [["inner", 2, 0, {"y": 2.0, "name": null}]]},
        {"class_name": "TFOpLambda", "config": {"name": "sum", "function": "__operators__.add"}, "name": "sum",
         "inbound_nodes": [["twice", 0, 0, {"y": ["x", 0, 0], "name": null}]]}],
        "input_layers": [["x", 0, 0]], "output_layers": [["sum", 0, 0]]}})",
                 {{"inner", {"d/kernel:0", "d/bias:0"}}},
                 {{"d/kernel:0", rising_tensor({4, 4})}, {"d/bias:0", rising_tensor({4})}});
  const auto network = read_written();
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_THAT(types_in(*network), ElementsAre("Gemm", "HardSigmoid", "Gemm", "HardSigmoid", "Mul", "Add"));
  EXPECT_EQ(told_hyper(network->layers[1], "alpha"), "0.2");
  EXPECT_EQ(network->layers[2].inputs[0], network->layers[1].outputs[0]);
  EXPECT_TRUE(network->values[as_index(network->layers[4].inputs[1])].constant->identical(Tensor::of<float>({}, {2})));
  EXPECT_THAT(network->layers[5].inputs, ElementsAre(network->layers[4].outputs[0], network->inputs[0]));
}

TEST_F(KerasNetworks, RecurrentWeightsAreInTheOrderOfOnnx) {
  const auto network =
      read(sequential(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 5, 2])") + "," +
                      layer_of("LSTM", R"("name": "lstm", "units": 1)")),
           {{{"layers/lstm/cell/vars/0", Tensor::of<float>({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8})},  // i, f, c, o
             {"layers/lstm/cell/vars/1", Tensor::of<float>({1, 4}, {10, 20, 30, 40})},
             {"layers/lstm/cell/vars/2", Tensor::of<float>({4}, {-1, -2, -3, -4})}}});
  ASSERT_TRUE(network) << network.error().text();
  ASSERT_THAT(types_in(*network), ElementsAre("LSTM"));
  const NetworkLayer& lstm = network->layers[0];
  EXPECT_TRUE(constant_in(*network, lstm, "kernel").identical(Tensor::of<float>({1, 4, 2}, {1, 5, 4, 8, 2, 6, 3, 7})));
  EXPECT_TRUE(constant_in(*network, lstm, "recurrence").identical(Tensor::of<float>({1, 4, 1}, {10, 40, 20, 30})));
  EXPECT_TRUE(constant_in(*network, lstm, "bias").identical(Tensor::of<float>({1, 8}, {-1, -4, -2, -3, 0, 0, 0, 0})));
}

TEST_F(KerasNetworks, NumbersOfTheConfigurationBecomeConstants) {
  const auto network =
      read(sequential(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 4, 4, 2])") + "," +
                      layer_of("Rescaling", R"("name": "scaled", "scale": 0.5, "offset": -1.0)") + "," +
                      layer_of("Normalization", R"("name": "fitted", "axis": [3], "mean": null)") + "," +
                      layer_of("ZeroPadding2D", R"("name": "pad", "padding": [[1, 2], [3, 4]])") + "," +
                      layer_of("DepthwiseConv2D", R"("name": "each", "strides": [1, 1], "use_bias": false)") + "," +
                      layer_of("ReLU", R"("name": "end", "max_value": 6.0, "negative_slope": 0.0, "threshold": 0.0)")),
           {{{"layers/normalization/vars/0", rising_tensor({2})},
             {"layers/normalization/vars/1", Tensor::of<float>({2}, {4, 9})},
             {"layers/depthwise_conv2d/vars/0", rising_tensor({3, 3, 2, 2})}}});
  ASSERT_TRUE(network) << network.error().text();
  ASSERT_THAT(types_in(*network), ElementsAre("Mul", "Add", "Sub", "Div", "Pad", "Conv", "Clip"));
  const auto operand = [&](std::size_t layer) -> const Tensor& {
    return *network->values[as_index(network->layers[layer].inputs[1])].constant;
  };
  EXPECT_TRUE(operand(0).identical(Tensor::of<float>({}, {0.5F})));
  EXPECT_TRUE(operand(1).identical(Tensor::of<float>({}, {-1})));
  EXPECT_TRUE(operand(3).identical(Tensor::of<float>({2}, {2, 3})));
  EXPECT_EQ(told_hyper(network->layers[4], "pads"), "[0, 1, 3, 0, 0, 2, 4, 0]");
  const NetworkLayer& each = network->layers[5];
  EXPECT_EQ(parameter_of(each, "kernel")->axes, "HWIO");
  EXPECT_THAT(constant_in(*network, each, "kernel").shape(), ElementsAre(3, 3, 1, 4));
  EXPECT_EQ(told_hyper(each, "group"), "2");
}

TEST_F(KerasNetworks, AnAttentionIsFourProducts) {
  const auto network = read(
      functional(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 5, 6])", "[]") + "," +
                     layer_of("MultiHeadAttention", R"("name": "a", "num_heads": 2, "key_dim": 3, "use_bias": false)",
                              "[" + call_of(tensor_of("x") + "," + tensor_of("x")) + "]"),
                 R"(["x", 0, 0])", R"(["a", 0, 0])"),
      {{{"layers/multi_head_attention/query_dense/vars/0", rising_tensor({6, 2, 3})},
        {"layers/multi_head_attention/key_dense/vars/0", rising_tensor({6, 2, 3})},
        {"layers/multi_head_attention/_value_dense/vars/0", rising_tensor({6, 2, 3})},
        {"layers/multi_head_attention/output_dense/vars/0", rising_tensor({2, 3, 6})}}});
  ASSERT_TRUE(network) << network.error().text();
  ASSERT_THAT(types_in(*network), ElementsAre("Gemm", "Gemm", "Gemm", "Attention", "Gemm"));
  EXPECT_EQ(network->layers[1].name, "a/key");
  EXPECT_THAT(constant_in(*network, network->layers[0], "kernel").shape(), ElementsAre(6, 6));
  EXPECT_EQ(value_name(*network, network->outputs.at(0)), "a");
}

TEST_F(KerasNetworks, WhatHasNoWordKeepsItsOwn) {
  const auto network = read(sequential(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 4])") + "," +
                                       layer_of("UnitNormalization", R"("name": "unit", "axis": [-1])") + "," +
                                       layer_of("LocallyConnected1D", R"("name": "own", "filters": 7)")),
                            {{{"layers/locally_connected1d/vars/0", rising_tensor({2, 3})}}});
  ASSERT_TRUE(network) << network.error().text();
  EXPECT_THAT(types_in(*network), ElementsAre("UnitNormalization", "LocallyConnected1D"));
  EXPECT_EQ(told_hyper(network->layers[1], "filters"), "7");
  EXPECT_EQ(network->layers[1].parameters.at(0).role, "operand");
  EXPECT_EQ(value_name(*network, network->layers[1].parameters.at(0).value), "own/vars/0");
}

TEST_F(KerasNetworks, CirclesAndWrongShapesAreErrors) {
  const std::string input = layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 4])", "[]") + ",";
  const std::string circle = layer_of("ReLU", R"("name": "one")", "[" + call_of(tensor_of("other")) + "]") + "," +
                             layer_of("ReLU", R"("name": "other")", "[" + call_of(tensor_of("one")) + "]");
  const auto round = read(functional(input + circle, R"(["x", 0, 0])", R"(["one", 0, 0])"), {});
  ASSERT_FALSE(round);
  EXPECT_THAT(round.error().message, HasSubstr("takes what follows from itself"));
  const auto wrong = read(sequential(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 4])") + "," +
                                     layer_of("Dense", R"("name": "end", "use_bias": false)")),
                          {{{"layers/dense/vars/0", rising_tensor({4})}}});
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message, HasSubstr("the layer end (Dense) has a weight kernel of the shape [4]"));
  const auto beyond =
      read(functional(input + layer_of("ReLU", R"("name": "one")", "[" + call_of(tensor_of("x", 0, 3)) + "]"),
                      R"(["x", 0, 0])", R"(["one", 0, 0])"),
           {});
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message, HasSubstr("has no result 3"));
}

/// A model that calls the one inside of it ten times, eight deep: 10^8 layers.
TEST_F(KerasNetworks, ModelsInModelsEnd) {
  std::string inside = layer_of("ReLU", R"("name": "m")", "");
  std::string calls = "[" + call_of(tensor_of("x")) + "]";
  inside.replace(inside.size() - 1, 1, R"(, "inbound_nodes": )" + calls + "}");
  for (int depth = 0; depth < 8; ++depth) {
    const std::string model =
        functional(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 4])", "[]") + "," + inside,
                   R"(["x", 0, 0])", R"(["m", 0, 0])", "m");
    calls = call_of(tensor_of("x"));
    for (int call = 0; call < 9; ++call) calls += "," + call_of(tensor_of("m", call));
    inside = model.substr(0, model.size() - 1) + R"(, "name": "m", "inbound_nodes": [)" + calls + "]}";
  }
  const auto network =
      read(functional(layer_of("InputLayer", R"("name": "x", "batch_shape": [null, 4])", "[]") + "," + inside,
                      R"(["x", 0, 0])", R"(["m", 9, 0])"),
           {});
  ASSERT_FALSE(network);
  EXPECT_THAT(network.error().message, HasSubstr("more than a million values"));
}

}  // namespace
}  // namespace culprit
