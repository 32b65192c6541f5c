#include "twin/seeded_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>

#include "model/graph_walk.h"
#include "tensor/tensor_proto.h"
#include "twin/freeze_weights.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using onnx::ModelProto;
using testing::ElementsAre;
using testing::HasSubstr;

ModelProto net(const std::string& weights, const std::string& nodes, const std::string& inputs = "") {
  return parse_model("<ir_version: 8, opset_import: [\"\" : 17]> g (float[1,2,4,4] x" + inputs +
                     ") => (float[a,b,c,d] y) " + weights + " {" + nodes + "}");
}

void seed(ModelProto& model, std::uint64_t number = 0) {
  const auto done = seed_weights(model, find_weights(model), number);
  ASSERT_TRUE(done) << done.error().text();
}

Tensor initializer(const ModelProto& model, const std::string& name) {
  for (const auto& tensor : model.graph().initializer()) {
    if (tensor.name() == name) return from_proto(tensor).value();
  }
  ADD_FAILURE() << "no initializer " << name;
  return {};
}

std::vector<std::string> initializers(const ModelProto& model) {
  std::vector<std::string> names;
  for (const auto& tensor : model.graph().initializer()) names.push_back(tensor.name());
  return names;
}

struct Moments {
  double mean = 0, variance = 0, smallest = 1e9, largest = -1e9;
};

Moments moments(const Tensor& tensor) {
  Moments found;
  const auto count = static_cast<double>(tensor.count());
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    found.mean += tensor.number(i) / count;
    found.smallest = std::min(found.smallest, tensor.number(i));
    found.largest = std::max(found.largest, tensor.number(i));
  }
  for (std::int64_t i = 0; i < tensor.count(); ++i)
    found.variance += std::pow(tensor.number(i) - found.mean, 2) / count;
  return found;
}

const std::string of_shape = "ConstantOfShape <value = float[1] {0.02}>";

TEST(Seed, WhatNodesMadeAreInitializersNowAndNothingIsLeftOfTheNodes) {
  ModelProto model = net("<int64[4] n = {3, 2, 1, 1}, int64[4] unused = {3, 2, 1, 1}>",
                         "w = " + of_shape + " (n) y = Conv(x, w)", ", int64[4] n");
  seed(model);
  EXPECT_THAT(initializers(model), ElementsAre("unused", "w"));
  EXPECT_EQ(model.graph().node_size(), 1);
  EXPECT_EQ(model.graph().input_size(), 1) << "the shape was an input as well";
  EXPECT_EQ(initializer(model, "w").shape(), (Shape{3, 2, 1, 1}));
}

TEST(Seed, AShapeThatOthersTakeStays) {
  ModelProto model = net("<int64[4] n = {1, 2, 4, 4}>", "w = " + of_shape + " (n) a = Mul(x, w) y = Reshape(a, n)");
  seed(model);
  EXPECT_THAT(initializers(model), ElementsAre("n", "w"));
}

TEST(Seed, KernelsHaveTheVarianceThatFanInAsksFor) {
  ModelProto model =
      net("<int64[4] n = {64, 2, 5, 5}, int64[1] k = {64}>",
          "w = " + of_shape + " (n) b = " + of_shape + " (k) y = Conv <auto_pad = \"SAME_UPPER\"> (x, w, b)");
  seed(model);
  const Moments kernel = moments(initializer(model, "w"));
  EXPECT_NEAR(kernel.mean, 0, 0.02);
  EXPECT_NEAR(kernel.variance, 2.0 / 50, 0.004);
  EXPECT_NEAR(moments(initializer(model, "b")).variance, 0.01, 0.004);
}

TEST(Seed, NormalizationsAreNotTrivialAndCannotDivideByNothing) {
  const std::string hundred = "s = " + of_shape + " (n) o = " + of_shape + " (n) m = " + of_shape +
                              " (n) v = " + of_shape + " (n) y = BatchNormalization(x, s, o, m, v)";
  ModelProto model = net("<int64[1] n = {1000}>", hundred);
  seed(model);
  const Moments scale = moments(initializer(model, "s")), variance = moments(initializer(model, "v")),
                mean = moments(initializer(model, "m"));
  EXPECT_NEAR(scale.mean, 1, 0.03);
  EXPECT_NEAR(scale.variance, 0.04, 0.01);
  EXPECT_GE(scale.smallest, 0.25);
  EXPECT_GE(variance.smallest, 0.5);
  EXPECT_LE(variance.largest, 1.5);
  EXPECT_NEAR(mean.variance, 0.0625, 0.01);
}

TEST(Seed, GoldenValuesAreTheSameEverywhere) {
  ModelProto model = net("<float[2,2,1,1] w = {1, 1, 1, 1}>", "y = Conv(x, w)");
  seed(model, 7);
  const Tensor kernel = initializer(model, "w");
  EXPECT_THAT(std::vector<float>(kernel.as<float>().begin(), kernel.as<float>().end()),
              ElementsAre(-0x1.ce42fep+0F, -0x1.48472ap-1F, 0x1.91e3e4p-2F, -0x1.3b577cp-3F));
}

TEST(Seed, FollowsFromSeedAndNameAlone) {
  const std::string two = "<float[2,2,1,1] w = {1, 1, 1, 1}, float[2,2,1,1] u = {1, 1, 1, 1}>";
  ModelProto model = net(two, "c = Conv(x, w) y = Conv(c, u)"), other = net(two, "c = Conv(x, w) y = Mul(c, u)"),
             elsewhere = net(two, "c = Conv(x, w) y = Conv(c, u)");
  seed(model), seed(other), seed(elsewhere, 1);
  EXPECT_TRUE(initializer(model, "w").identical(initializer(other, "w")));
  EXPECT_FALSE(initializer(model, "w").identical(initializer(elsewhere, "w")));
  EXPECT_FALSE(initializer(model, "w").identical(initializer(model, "u")));
}

TEST(Seed, KeepsTheType) {
  ModelProto model = net("<float[2,2,1,1] w = {1, 1, 1, 1}>", "y = Conv(x, w)");
  auto& tensor = *model.mutable_graph()->mutable_initializer(0);
  tensor = to_proto(cast(from_proto(tensor).value(), DType::f16).value(), "w");
  seed(model);
  const Tensor kernel = initializer(model, "w");
  EXPECT_EQ(kernel.dtype(), DType::f16);
  EXPECT_GT(moments(kernel).variance, 0);
  const double before = kernel.number(1);
  scale_tensor(*model.mutable_graph()->mutable_initializer(0), 4);
  EXPECT_EQ(initializer(model, "w").dtype(), DType::f16);
  EXPECT_EQ(initializer(model, "w").number(1), 4 * before);
}

TEST(Seed, ReachesBranches) {
  ModelProto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1,2] x, bool c) => (float[a,b] y)
    <int64[2] n = {2, 2}>
    {
      y = If (c) <
        then_branch = th () => (float[1,2] p) <float[2,2] k = {1, 1, 1, 1}> { p = MatMul(x, k) },
        else_branch = el () => (float[1,2] r) { k = ConstantOfShape(n) r = MatMul(x, k) }>
    })");
  seed(model);
  std::vector<int> nodes, tensors;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    nodes.push_back(graph.node_size());
    tensors.push_back(graph.initializer_size());
    for (const auto& tensor : graph.initializer()) EXPECT_GT(moments(from_proto(tensor).value()).variance, 0);
  });
  EXPECT_THAT(nodes, ElementsAre(1, 1, 1));
  EXPECT_THAT(tensors, ElementsAre(0, 1, 1)) << "nothing needs the shape";
}

TEST(Seed, NoSizeIsBelieved) {
  ModelProto model = net("<int64[2] n = {1000000, 1000000}>", "w = " + of_shape + " (n) y = MatMul(x, w)");
  const auto done = seed_weights(model, find_weights(model), 0);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(done.error().message, HasSubstr("4.0 TB"));
}

TEST(Freeze, InitializersLeaveTheInputs) {
  ModelProto model = net("<float[2,2,1,1] w = {1, 2, 3, 4}>", "y = Conv(x, w)", ", float[2,2,1,1] w");
  model.set_ir_version(3);
  EXPECT_EQ(freeze(model), 1);
  ASSERT_EQ(model.graph().input_size(), 1);
  EXPECT_EQ(model.graph().input(0).name(), "x");
  EXPECT_EQ(model.ir_version(), 4);
  model.set_ir_version(8);
  EXPECT_EQ(freeze(model), 0);
  EXPECT_EQ(model.ir_version(), 8);
}

}  // namespace
}  // namespace culprit
