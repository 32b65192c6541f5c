#include "model/perturb_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tensor/tensor_proto.h"
#include "tensor/ulp.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

const std::string head = R"(<ir_version: 8, opset_import: ["" : 17]> )";

void collect(const onnx::GraphProto& graph, std::map<std::string, Tensor>& found) {
  for (const auto& tensor : graph.initializer()) found[tensor.name()] = from_proto(tensor).value();
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) collect(attribute.g(), found);
      if (attribute.has_t()) found[node.output(0)] = from_proto(attribute.t()).value();
    }
  }
}

std::map<std::string, Tensor> tensors(const onnx::ModelProto& model) {
  std::map<std::string, Tensor> found;
  collect(model.graph(), found);
  return found;
}

/// Names of the tensors that are not what they were.
std::vector<std::string> moved(const std::string& text, unsigned ulps = 1) {
  onnx::ModelProto model = parse_model(head + text);
  const auto before = tensors(model);
  const auto expected = movable_weights(model);
  EXPECT_EQ(perturb_weights(model, 1, ulps), expected);
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors(model)) {
    if (!tensor.identical(before.at(name))) names.push_back(name);
  }
  EXPECT_EQ(static_cast<std::int64_t>(names.size()), expected);
  return names;
}

TEST(Perturb, MovesEveryElementOfFloatWeightsBySoManySteps) {
  onnx::ModelProto model = parse_model(head + R"(g (float[3] x) => (float[3] y)
    <float[3] w = {1.1, -2.3, 0}> { y = Mul(x, w) })");
  EXPECT_EQ(perturb_weights(model, 1, 4), 1);
  const Tensor w = tensors(model).at("w");
  EXPECT_EQ(ulp_distance(w.as<float>()[0], 1.1F), 4);
  EXPECT_EQ(ulp_distance(w.as<float>()[1], -2.3F), 4);
  EXPECT_EQ(w.as<float>()[2], 0);
  EXPECT_EQ(model.graph().initializer(0).name(), "w");
}

TEST(Perturb, FollowsFromTheSeedAndTheNameAlone) {
  const std::string w = "float[4] w = {1.1, 2.3, 3.1, 4.7}";
  const auto draw = [&](const std::string& initializers, std::uint64_t seed) {
    onnx::ModelProto model =
        parse_model(head + "g (float[4] x) => (float[4] y) <" + initializers + "> { y = Mul(x, w) }");
    perturb_weights(model, seed);
    return tensors(model).at("w");
  };
  EXPECT_TRUE(draw(w, 1).identical(draw(w, 1)));
  EXPECT_TRUE(draw(w, 1).identical(draw("float[2] other = {5, 6}, " + w, 1)));
  EXPECT_FALSE(draw(w, 1).identical(draw(w, 2)));
}

TEST(Perturb, LeavesSingleElementsAndOtherTypesAlone) {
  EXPECT_THAT(moved(R"(g (float[2] x) => (float[2] y)
    <float one = {0.5}, float[1] single = {0.5}, int64[2] shape = {1, 2}, float[2] w = {1.1, 2.3}>
    { a = Mul(x, one)  b = Mul(a, single)  c = Reshape(b, shape)  y = Mul(c, w) })"),
              ElementsAre("w"));
}

TEST(Perturb, LeavesAloneWhatSteers) {
  EXPECT_THAT(moved(R"(g (float[1,1,2,2] x) => (float y)
    <float[2] exponent = {2.1, 3.1}, float[4] scales = {1, 1, 2.3, 2.3}, float[2] limit = {1.1, 2.1},
     float[2] threshold = {0.5, 0.6}, float[2] step = {0.1, 0.2}, float[2] w = {1.1, 2.3}>
    { a = Pow(x, exponent)  b = Resize(a, , scales)  c = Greater(b, threshold)  d = Equal(limit, b)
      q = DequantizeLinear(b, step)  y = Mul(q, w) })"),
              ElementsAre("w"));
}

TEST(Perturb, TheScalesOfQuantizedOperatorsSteerInAnyDomain) {
  EXPECT_THAT(moved(R"(g (uint8[2] x) => (uint8[2] y) <float[2] s = {1.1, 2.1}, float[2] w = {1.1, 2.3}>
    { a = Mul(w, w)  y = com.microsoft.QLinearAdd(x, s, x, x, s, x, s, x) })"),
              ElementsAre("w"));
}

TEST(Perturb, FollowsWhatSteersBackThroughOperatorsThatOnlyMoveElements) {
  EXPECT_THAT(moved(R"(g (float[2] x) => (float[2] y) <float[2] s = {1.1, 2.1}, float[2] w = {1.1, 2.3}>
    { a = Unsqueeze(s)  b = Cast<to = 7>(a)  c = Expand(x, b)  y = Mul(c, w) })"),
              ElementsAre("w"))
      << "2.9999998 is cast to 2";
  EXPECT_THAT(steering_values(parse_model(head + R"(g (float[2] x, float[2] z) => (int64[2] y)
    { a = Identity(x)  y = Cast<to = 7>(a)  b = Cast<to = 1>(z) })")),
              UnorderedElementsAre("x", "a"));
}

TEST(Perturb, MovesConstantNodesAndWhatSubgraphsHold) {
  EXPECT_THAT(moved(R"(g (bool c, float[2] x) => (float[2] y)
    { k = Constant<value = float[2] {1.1, 2.3}>()
      e = Constant<value = float[2] {1.1, 2.3}>()
      p = Pow(k, e)
      y = If(c) <then_branch = t () => (float[2] u) <float[2] inner = {3.3, 4.4}> { u = Mul(x, inner) },
                 else_branch = f () => (float[2] v) { z = Constant<value = float[2] {5.6, 6.6}>()  v = Add(x, z) }> })"),
              UnorderedElementsAre("k", "inner", "z"));
}

TEST(Perturb, MovesTheFloatsOfConstantNodes) {
  onnx::ModelProto model = parse_model(head + R"(g (float[2] x) => (float[2] y)
    { k = Constant<value_floats = [1.1, 2.1]>()  y = Mul(x, k) })");
  EXPECT_EQ(perturb_weights(model, 1), 1);
  EXPECT_EQ(ulp_distance(model.graph().node(0).attribute(0).floats(0), 1.1F), 1);
  EXPECT_EQ(ulp_distance(model.graph().node(0).attribute(0).floats(1), 2.1F), 1);
}

TEST(Perturb, ReadsWeightsInRawDataAndInTypedFields) {
  onnx::ModelProto model = parse_model(head + "g (float[2] x) => (float[2] y) { y = Mul(x, w) }");
  auto* typed = model.mutable_graph()->add_initializer();
  typed->set_name("w");
  typed->set_data_type(onnx::TensorProto::FLOAT16);
  typed->add_dims(2);
  typed->add_int32_data(0x3c01);
  typed->add_int32_data(0x3e00);
  *model.mutable_graph()->add_initializer() = to_proto(Tensor::of<double>({2}, {1, 2.3}), "raw");
  EXPECT_EQ(perturb_weights(model, 1), 2);
  EXPECT_EQ(std::abs(tensors(model).at("w").as<std::uint16_t>()[0] - 0x3c01), 1);
  EXPECT_EQ(ulp_distance(tensors(model).at("raw").as<double>()[0], 1.0), 1);
}

TEST(Perturb, LeavesAloneWhatWasNeverRounded) {
  EXPECT_THAT(moved("g (float[2] x) => (float[2] y) <float[2] mask = {0, 1}> { y = Mul(x, mask) }"), IsEmpty());
  EXPECT_THAT(moved("g (float[2] x) => (float y) <float[2] kernel = {2, 1}> { y = MatMul(x, kernel) }"), IsEmpty())
      << "the edge into the sum moves";
}

TEST(Perturb, MovesTheCoefficientsOfLinearModels) {
  onnx::ModelProto model = parse_model(head + R"(g (float[n,2] x) => (float[n,1] y)
    { y = ai.onnx.ml.LinearRegressor<coefficients = [1.1, 2.1], intercepts = [0.3]>(x) })");
  EXPECT_EQ(perturb_weights(model, 1), 1);
  EXPECT_EQ(ulp_distance(model.graph().node(0).attribute(0).floats(1), 2.1F), 1);
}

TEST(Perturb, MovesNeighboursAlongASumAlike) {
  std::string ones = "1.1";
  for (int i = 1; i < 256; ++i) ones += ", 1.1";
  onnx::ModelProto model =
      parse_model(head + "g (float[1,256] x) => (float y) <float[256,1] w = {" + ones + "}> { y = MatMul(x, w) }");
  EXPECT_EQ(perturb_weights(model, 1), 1);
  std::int64_t furthest = 0;
  for (const float value : tensors(model).at("w").as<float>()) furthest = std::max(furthest, ulp_distance(value, 1.1F));
  EXPECT_GT(furthest, 2) << "a walk, and not a coin for each";
}

TEST(Perturb, OfAModelWithoutFloatWeightsThereIsNothingToMove) {
  EXPECT_THAT(moved("g (float[2] x) => (float[2] y) { y = Relu(x) }"), IsEmpty());
}

}  // namespace
}  // namespace culprit
