#include "twin/find_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using onnx::ModelProto;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

const std::string header = "<ir_version: 8, opset_import: [\"\" : 17]> g ";

/// A model of one input x: float[1,2,4,4] and one output y.
ModelProto net_of(const std::string& weights, const std::string& nodes) {
  return parse_model(header + "(float[1,2,4,4] x) => (float[a,b,c,d] y) " + weights + " {" + nodes + "}");
}

std::map<std::string, Role> roles(const WeightMap& map) {
  std::map<std::string, Role> roles;
  for (const Weight& weight : map.weights) roles[weight.name] = weight.role;
  return roles;
}

std::map<std::string, Role> roles(const ModelProto& model) { return roles(find_weights(model)); }

std::int64_t fan_in(const ModelProto& model, const std::string& name) {
  const WeightMap map = find_weights(model);
  const auto at = std::ranges::find(map.weights, name, &Weight::name);
  return at == map.weights.end() ? -1 : at->fan_in;
}

const std::string conv_bn =
    "<float[2,2,1,1] w = {1, 2, 3, 4}, float[2] b = {1, 2}, float[2] s = {1, 2}, float[2] o = {1, 2}, float[2] m = {1, "
    "2}, float[2] v = {1, 2}>";

TEST(Weights, ByWhatOperatorsDoWithThem) {
  EXPECT_THAT(roles(net_of(conv_bn, "c = Conv(x, w, b) y = BatchNormalization(c, s, o, m, v)")),
              UnorderedElementsAre(Pair("w", Role::kernel), Pair("b", Role::shift), Pair("s", Role::scale),
                                   Pair("o", Role::shift), Pair("m", Role::mean), Pair("v", Role::variance)));
  EXPECT_THAT(roles(net_of("<float[2,1,1] w = {1, 2}, float[2,1,1] b = {1, 2}, float[2,1,1] p = {1, 2}>",
                           "m = Mul(x, w) a = Add(b, m) y = PRelu(a, p)")),
              UnorderedElementsAre(Pair("w", Role::scale), Pair("b", Role::shift), Pair("p", Role::slope)));
  EXPECT_THAT(
      roles(parse_model(header + "(int64[1,N] x) => (float[a,b,c] y) <float[9,2] t = {1, 2, 3, 4, 5, 6, 7, 8, 9, "
                                 "10, 11, 12, 13, 14, 15, 16, 17, 18}> { y = Gather(t, x) }")),
      UnorderedElementsAre(Pair("t", Role::table)));
}

TEST(Weights, MadeByNodesAndMoved) {
  const ModelProto model =
      net_of("<int64[2] n = {4, 5}, int64[1] k = {2}>",
             "w = ConstantOfShape <value = float[1] {0.02}> (n) t = Transpose(w) c = MatMul(x, t) "
             "s = ConstantOfShape(k) u = Unsqueeze(s, n) z = Constant <value = float[2] {1, 2}> () "
             "d = Mul(c, u) y = Add(d, z)");
  const WeightMap map = find_weights(model);
  EXPECT_THAT(roles(map),
              UnorderedElementsAre(Pair("w", Role::kernel), Pair("s", Role::scale), Pair("z", Role::shift)));
  EXPECT_EQ(map.weights[0].shape, (Shape{4, 5}));
  EXPECT_EQ(map.weights[0].fan_in, 5) << "the transposed kernel has 5 rows";
  EXPECT_TRUE(map.weights[0].is_computed && map.weights[0].is_constant);
  EXPECT_FALSE(map.weights[2].is_constant);
}

TEST(Weights, AShapeThatIsComputedMakesNone) {
  EXPECT_THAT(roles(net_of("", "n = Shape(x) w = ConstantOfShape <value = float[1] {0.02}> (n) y = Mul(x, w)")),
              IsEmpty());
}

TEST(Weights, WhatSteersOrSaysSomethingElseIsLeftAlone) {
  const auto only = [](const std::string& weights, const std::string& nodes) {
    return find_weights(net_of(weights, nodes));
  };
  EXPECT_EQ(only("<float[2] e = {2, 3}>", "y = Pow(x, e)").left_alone, 1);
  EXPECT_THAT(only("<float[2] e = {2, 3}>", "y = Pow(x, e)").weights, IsEmpty());
  EXPECT_THAT(only("<float s = {2}>", "y = Mul(x, s)").weights, IsEmpty()) << "a single number";
  EXPECT_THAT(only("<float[2] m = {0, -10000}>", "y = Add(x, m)").weights, IsEmpty()) << "a mask";
  EXPECT_THAT(only("<float[2] w = {1, 2}>", "a = Mul(x, w) y = Pow(a, w)").weights, IsEmpty()) << "one use too many";
  EXPECT_THAT(only("<float[2] w = {1, 2}, float[2] s = {2, 3}>", "p = Mul(w, s) y = Mul(x, p)").weights, IsEmpty())
      << "arithmetic among constants";
  EXPECT_THAT(only("<int64[2] w = {1, 2}>", "i = Cast <to = 7> (x) j = Mul(i, w) y = Cast <to = 1> (j)").weights,
              IsEmpty());
}

TEST(Weights, FanInIsHowManyProductsAreSummed) {
  EXPECT_EQ(fan_in(net_of("<float[2,1,1,3] w = {1, 2, 3, 4, 5, 6}>", "y = Conv <group = 2> (x, w)"), "w"), 3);
  EXPECT_EQ(fan_in(net_of("<float[4,5] w>", "y = MatMul(x, w)"), "w"), -1) << "an initializer without content";
  const std::string six = "<float[2,3] w = {1, 2, 3, 4, 5, 6}>";
  EXPECT_EQ(fan_in(net_of(six, "y = MatMul(x, w)"), "w"), 2);
  EXPECT_EQ(fan_in(net_of(six, "y = Gemm(x, w)"), "w"), 2);
  EXPECT_EQ(fan_in(net_of(six, "y = Gemm <transB = 1> (x, w)"), "w"), 3);
  EXPECT_EQ(fan_in(net_of(six, "y = Gemm(w, x)"), "w"), 3);
  EXPECT_EQ(fan_in(net_of("<float[2,3,1,2] w = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}>",
                          "y = ConvTranspose <strides = [1, 2]> (x, w)"),
                   "w"),
            2);
}

TEST(Layers, AreKernelsAndNormalizationsInTheOrderOfTheNodes) {
  const WeightMap map =
      find_weights(net_of(conv_bn, "c = Conv(x, w, b) n = BatchNormalization(c, s, o, m, v) y = Conv(n, w)"));
  ASSERT_EQ(map.layers.size(), 3U);
  EXPECT_EQ(map.layers[0].kernel, "w");
  EXPECT_EQ(map.layers[0].bias, "b");
  EXPECT_TRUE(map.layers[1].normalizes());
  EXPECT_EQ(map.layers[1].variance, "v");
  EXPECT_TRUE(map.layers[0].is_first);
  EXPECT_FALSE(map.layers[2].is_first) << "the same kernel";
}

TEST(Layers, ABiasOfSeveralIsOfNone) {
  const WeightMap map = find_weights(net_of(conv_bn, "c = Conv(x, w, b) y = Conv(c, w, b)"));
  EXPECT_EQ(map.layers[0].bias, "");
}

TEST(Weights, OfBranchesCountByGraph) {
  const ModelProto model = parse_model(header + R"((float[1,2] x, bool c) => (float[a,b] y)
    <float[2,2] w = {1, 2, 3, 4}>
    {
      y = If (c) <
        then_branch = th () => (float[1,2] p) <float[2,2] k = {1, 2, 3, 4}> { q = MatMul(x, k) p = MatMul(q, w) },
        else_branch = el () => (float[1,2] r) { k = Constant <value = float[2,2] {5, 6, 7, 8}> () r = MatMul(x, k) }>
    })");
  const WeightMap map = find_weights(model);
  ASSERT_EQ(map.weights.size(), 3U);
  const auto is_in = [&](std::size_t i) { return std::pair(map.weights[i].name, map.weights[i].graph); };
  EXPECT_EQ(is_in(0), std::pair(std::string("w"), std::size_t{0}));
  EXPECT_EQ(is_in(1), std::pair(std::string("k"), std::size_t{1}));
  EXPECT_EQ(is_in(2), std::pair(std::string("k"), std::size_t{2}));
  EXPECT_THAT(map.layers, IsEmpty()) << "layers in branches are out of reach";
}

TEST(ConstantWeights, MostElementsOfKernelsDecide) {
  const auto constant = [](const std::string& weights, const std::string& nodes) {
    return has_constant_weights(find_weights(net_of(weights, nodes)));
  };
  EXPECT_TRUE(constant("<float[2,2,1,1] w = {3, 3, 3, 3}>", "y = Conv(x, w)"));
  EXPECT_FALSE(constant("<float[2,2,1,1] w = {3, 3, 3, 4}, float[2] b = {0, 0}>", "y = Conv(x, w, b)"))
      << "a bias is often 0 throughout";
  EXPECT_FALSE(constant("", "y = Relu(x)"));
}

}  // namespace
}  // namespace culprit
