#include "network/network.h"

#include <gmock/gmock.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "network/onnx/read_onnx_network.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Network of_text(const char* text) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, text);
  if (!status.IsOK()) throw std::runtime_error(status.ErrorMessage());
  auto network = read_onnx_network(model);
  if (!network) throw std::runtime_error(network.error().text());
  return *network;
}

std::vector<float> floats(const Tensor& tensor) {
  const auto values = tensor.as<float>();
  return {values.begin(), values.end()};
}

TEST(Network, DequantizesAlongTheAxis) {
  NetworkValue value;
  value.name = "w";
  value.constant = Tensor::of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  value.quantization = Quantization{{0.5, 2}, {0, 1}, 0};
  EXPECT_THAT(floats(real_constant(value).value()), ElementsAre(0.5, 1, 1.5, 6, 8, 10));
  value.quantization = Quantization{{1, 2, 3}, {}, 1};
  EXPECT_THAT(floats(real_constant(value).value()), ElementsAre(1, 4, 9, 4, 10, 18));
  value.quantization = Quantization{{0.5}, {2}, 0};
  EXPECT_THAT(floats(real_constant(value).value()), ElementsAre(-0.5, 0, 0.5, 1, 1.5, 2));
  value.quantization.reset();
  EXPECT_EQ(real_constant(value)->dtype(), DType::i8);
}

TEST(Network, ScalesThatDoNotFitAreNamed) {
  NetworkValue value;
  value.name = "w";
  value.constant = Tensor::of<std::int8_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  for (const Quantization& bad : {Quantization{{1, 2}, {}, 1}, Quantization{{1, 2}, {}, 5},
                                  Quantization{{1, 2}, {}, -1}, Quantization{{1, 2}, {0}, 0}}) {
    value.quantization = bad;
    const auto real = real_constant(value);
    ASSERT_FALSE(real);
    EXPECT_THAT(real.error().message, HasSubstr("the scales of w do not fit its shape [2,3]"));
  }
}

TEST(OnnxNetwork, ALayerHasItsParametersAndWhatItsOperatorPresets) {
  const auto network = of_text(R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[1,2,4,4] x) => (float[1,2,4,4] y) <float[2,1,1,1] w = {1, 2}, float[2] b = {0, 1}> {
      c = Conv<group = 2, pads = [1, 1, 1, 1]>(x, w, b)
      y = Relu(c)
    })");
  ASSERT_EQ(network.layers.size(), 2U);
  const NetworkLayer& conv = network.layers[0];
  EXPECT_EQ(conv.type, "Conv");
  EXPECT_EQ(conv.name, "c");
  ASSERT_EQ(conv.parameters.size(), 2U);
  EXPECT_EQ(parameter_of(conv, "kernel")->axes, "OIHW");
  EXPECT_EQ(parameter_of(conv, "bias")->at, 2U);
  EXPECT_EQ(parameter_of(conv, "slope"), nullptr);
  EXPECT_EQ(to_string(conv.hyper.at("group")), "2");
  EXPECT_EQ(to_string(conv.hyper.at("pads")), "[1, 1, 1, 1]");
  EXPECT_EQ(to_string(conv.hyper.at("auto_pad")), "NOTSET");  // nobody said so
  EXPECT_EQ(network.values[static_cast<std::size_t>(conv.outputs[0])].made_by, 0);
  EXPECT_THAT(users_of(network)[static_cast<std::size_t>(conv.outputs[0])], ElementsAre(1));
  EXPECT_THAT(network.values[static_cast<std::size_t>(network.inputs[0])].dims, ElementsAre(1, 2, 4, 4));
}

TEST(OnnxNetwork, SmallConstantsAreHyperParametersWhereTheOperatorTakesThemAsInputs) {
  const auto network = of_text(R"(<ir_version: 8, opset_import: ["": 18]>
    g (float[2,3] x) => (float[] y) <int64[2] s = {3, 2}, float low = {-1.5}> {
      a = Reshape(x, s)
      axes = Constant<value = int64[1] {1}>()
      m = ReduceMean<keepdims = 0>(a, axes)
      y = Clip(m, low)
    })");
  ASSERT_EQ(network.layers.size(), 3U);  // the constant is none
  EXPECT_EQ(to_string(network.layers[0].hyper.at("shape")), "[3, 2]");
  EXPECT_EQ(to_string(network.layers[1].hyper.at("axes")), "[1]");
  EXPECT_EQ(to_string(network.layers[1].hyper.at("keepdims")), "0");
  EXPECT_EQ(to_string(network.layers[2].hyper.at("min")), "-1.5");
  for (const NetworkLayer& layer : network.layers) EXPECT_TRUE(layer.parameters.empty());
}

TEST(OnnxNetwork, GemmSaysHowItsKernelLies) {
  const auto axes = [](const char* turned) {
    const auto network = of_text((std::string(R"(<ir_version: 8, opset_import: ["": 17]>
      g (float[1,2] x) => (float[1,2] y) <float[2,2] w = {1, 2, 3, 4}> { y = Gemm<transB = )") +
                                  turned + ">(x, w) }")
                                     .c_str());
    return parameter_of(network.layers[0], "kernel")->axes;
  };
  EXPECT_EQ(axes("0"), "IO");
  EXPECT_EQ(axes("1"), "OI");
}

TEST(OnnxNetwork, WhatNothingMakesIsNamed) {
  onnx::ModelProto model;
  onnx::OnnxParser::Parse(model, R"(<ir_version: 8, opset_import: ["": 17]>
    g (float[2] x) => (float[2] y) { y = Relu(z) })");
  const auto input = read_onnx_network(model);
  ASSERT_FALSE(input);
  EXPECT_THAT(input.error().message, HasSubstr("nothing makes its input z"));
  model.mutable_graph()->mutable_node(0)->set_input(0, "x");
  model.mutable_graph()->mutable_output(0)->set_name("w");
  EXPECT_THAT(read_onnx_network(model).error().message, HasSubstr("nothing makes the output w"));
}

}  // namespace
}  // namespace culprit
