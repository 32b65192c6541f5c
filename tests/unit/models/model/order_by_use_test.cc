#include "model/order_by_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include <algorithm>

#include "model/fingerprint.h"

namespace culprit {
namespace {

using testing::ElementsAre;

onnx::ModelProto model_of(const std::string& nodes) {
  onnx::ModelProto model;
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x, bool c) => (float[2] y, float[2] z) {" + nodes + "}";
  const auto parsed = onnx::OnnxParser::Parse(model, text.c_str());
  EXPECT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
  return model;
}

std::vector<std::string> outputs_of(const onnx::ModelProto& model) {
  std::vector<std::string> names;
  for (const auto& node : model.graph().node()) names.push_back(node.output(0));
  return names;
}

TEST(OrderByUse, FollowsTheOutputsInputByInput) {
  onnx::ModelProto model = model_of("b = Exp(x) a = Abs(x) dead = Neg(a) z = Sqrt(b) y = Add(a, b)");
  order_by_use(*model.mutable_graph());
  EXPECT_THAT(outputs_of(model), ElementsAre("a", "b", "y", "z", "dead"));
}

TEST(OrderByUse, OrdersOfOneGraphBecomeTheSame) {
  onnx::ModelProto one = model_of("a = Abs(x) b = Exp(x) y = Add(a, b) z = Sqrt(b)");
  onnx::ModelProto other = model_of("b = Exp(x) z = Sqrt(b) a = Abs(x) y = Add(a, b)");
  EXPECT_NE(fingerprint(one), fingerprint(other));
  order_by_use(*one.mutable_graph());
  order_by_use(*other.mutable_graph());
  EXPECT_EQ(fingerprint(one), fingerprint(other));
}

TEST(OrderByUse, WhatABodyTakesComesBeforeItsNode) {
  onnx::ModelProto model = model_of(R"(a = Abs(x) z = Exp(x)
    y = If(c) <then_branch = t () => (float[2] p) { p = Neg(z) }, else_branch = e () => (float[2] q) { q = Neg(a) }>)");
  std::swap(*model.mutable_graph()->mutable_node(0), *model.mutable_graph()->mutable_node(2));
  order_by_use(*model.mutable_graph());
  EXPECT_EQ(outputs_of(model).back(), "y");
}

TEST(SortByUse, MovesWhatComesTooLateAndNothingElse) {
  onnx::ModelProto model = model_of("dead = Exp(x) y = Add(a, b) a = Abs(x) z = Sqrt(b) b = Neg(a)");
  EXPECT_EQ(nodes_too_early(model.graph()), 2);
  sort_by_use(*model.mutable_graph());
  EXPECT_THAT(outputs_of(model), ElementsAre("dead", "a", "b", "y", "z"));
  EXPECT_EQ(nodes_too_early(model.graph()), 0);
  sort_by_use(*model.mutable_graph());
  EXPECT_THAT(outputs_of(model), ElementsAre("dead", "a", "b", "y", "z"));
}

TEST(SortByUse, BodiesAreSortedAndUseWhatIsAroundThem) {
  onnx::ModelProto model = model_of(R"(
    y = If(c) <then_branch = t () => (float[2] p) { p = Neg(o) o = Abs(x) }, else_branch = e () => (float[2] q) { q = Neg(a) }>
    a = Abs(x) z = Exp(a) o = Neg(x))");
  EXPECT_EQ(nodes_too_early(model.graph()), 2) << "the If, for a, and Neg inside; o is the branch's own";
  sort_by_use(*model.mutable_graph());
  EXPECT_THAT(outputs_of(model), ElementsAre("a", "y", "z", "o"));
  EXPECT_EQ(nodes_too_early(model.graph()), 0);
}

TEST(SortByUse, ACircleStaysAndIsCounted) {
  onnx::ModelProto model = model_of("y = Exp(a) a = Abs(y) z = Neg(x)");
  EXPECT_EQ(nodes_too_early(model.graph()), 1);
  sort_by_use(*model.mutable_graph());
  EXPECT_THAT(outputs_of(model), ElementsAre("y", "a", "z"));
}

TEST(OrderByUse, ACircleIsLeftAsItIs) {
  onnx::ModelProto model = model_of("a = Abs(y) y = Exp(a) z = Neg(x)");
  order_by_use(*model.mutable_graph());
  EXPECT_THAT(outputs_of(model), ElementsAre("a", "y", "z"));
}

}  // namespace
}  // namespace culprit
