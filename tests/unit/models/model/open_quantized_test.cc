#include "model/open_quantized.h"

#include <gmock/gmock.h>
#include <onnx/checker.h>

#include "model/perturb_quantized.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;

onnx::ModelProto quantized_net(const std::string& graph) {
  return parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]> )" + graph);
}

std::vector<std::string> operators_in(const onnx::ModelProto& model) {
  std::vector<std::string> operators;
  for (const auto& node : model.graph().node()) operators.push_back(node.op_type());
  return operators;
}

const std::string scales = "float s = {0.5}, uint8 z = {3}, ";

TEST(OpenQuantized, AConvolutionOfWholeNumbersThatIsScaledAndQuantized) {
  auto net = quantized_net("g (uint8[1,2,4,4] x) => (uint8[1,3,4,4] y) <" + scales +
                           "int8[3,2,1,1] w = {1, 2, 3, 4, 5, 6}, float[3] ws = {1, 2, 3}, int8[3] wz = {0, 0, 0}, "
                           "int32[3] b = {1, 2, 3}> { y = QLinearConv<group = 1>(x, s, z, w, ws, wz, s, z, b) }");
  EXPECT_TRUE(quantizes(net));
  EXPECT_EQ(open_quantized(net), 1);
  EXPECT_THAT(operators_in(net), ElementsAre("Constant", "Reshape", "Constant", "Reshape", "Cast", "Cast", "Sub",
                                             "Cast", "Cast", "Sub", "Cast", "Conv", "Mul", "Mul", "QuantizeLinear"));
  EXPECT_EQ(net.graph().node().rbegin()->output(0), "y");
  EXPECT_EQ(net.graph().node(11).attribute(0).name(), "group");
  EXPECT_NO_THROW(onnx::checker::check_model(net));
}

TEST(OpenQuantized, OperatorsOfTheRuntimeToo) {
  auto net = quantized_net("g (uint8[2] x) => (uint8[4] y) <" + scales + "float t = {0.25}> " + R"({
    a = com.microsoft.QLinearAdd(x, s, z, x, s, z, t, z)
    b = com.microsoft.QLinearSigmoid(a, t, z, t, z)
    y = com.microsoft.QLinearConcat<axis = 0>(t, z, a, t, z, b, t, z) })");
  EXPECT_EQ(open_quantized(net), 3);
  EXPECT_EQ(perturb_steps(net, 1), 3) << "a part of a step is moved before each";
  EXPECT_EQ(net.graph().node().rbegin()->input(2), "z") << "scale and zero point of what comes out";
}

TEST(OpenQuantized, BeforeTheirStepsAreMoved) {
  auto net = quantized_net("g (uint8[2,2] x) => (uint8[2,2] y) <" + scales +
                           "int8[2,2] w = {1, 2, 3, 4}, int8 wz = {0}> { y = QLinearMatMul(x, s, z, w, s, wz, s, z) }");
  EXPECT_EQ(perturb_steps(net, 1), 1);
  EXPECT_EQ(net.graph().node().rbegin()[1].op_type(), "PartOfAStep");
  EXPECT_EQ(net.graph().node().rbegin()[0].op_type(), "QuantizeLinear");
}

TEST(OpenQuantized, WhatCannotBeSaidInFloatsStays) {
  auto by_row = quantized_net("g (uint8[2,2] x) => (uint8[2,2] y) <" + scales +
                              "float[2] rows = {1, 2}, int8[2,2] w = {1, 2, 3, 4}, int8 wz = {0}> "
                              "{ y = QLinearMatMul(x, rows, z, w, s, wz, s, z) }");
  EXPECT_EQ(open_quantized(by_row), 0);
  auto last =
      quantized_net("g (uint8[1,2,2,3] x) => (uint8[1,1,1,3] y) <" + scales +
                    "float t = {1}> { y = com.microsoft.QLinearGlobalAveragePool<channels_last = 1>(x, s, z, t, "
                    "z) }");
  EXPECT_EQ(open_quantized(last), 0);
  EXPECT_THAT(operators_in(last), ElementsAre("QLinearGlobalAveragePool"));
}

}  // namespace
}  // namespace culprit
