// A branch in the place of its If.
#include "model/take_branch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/checker.h>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

/// "y = Neg(m)" for each node.
std::vector<std::string> written(const onnx::ModelProto& model) {
  std::vector<std::string> nodes;
  for (const auto& node : model.graph().node()) {
    std::string text = node.output(0) + " = " + node.op_type() + "(";
    for (int i = 0; i < node.input_size(); ++i) text += (i > 0 ? ", " : "") + node.input(i);
    nodes.push_back(text + ")");
  }
  return nodes;
}

TEST(TakeBranch, ItsNodesStandWhereTheIfStood) {
  auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x) => (float[2] z) {
      a = Abs (x)
      y = If (c) <then_branch = t () => (float[2] p) <float[2] w = {1, 2}> { m = Mul (a, w) p = Neg (m) },
                  else_branch = e () => (float[2] q) { q = Relu (a) }>
      z = Exp (y) })");
  take_branch(*model.mutable_graph(), 1, 0);
  EXPECT_THAT(written(model), ElementsAre("a = Abs(x)", "m = Mul(a, w)", "y = Neg(m)", "z = Exp(y)"));
  EXPECT_EQ(1, model.graph().initializer_size());
  EXPECT_NO_THROW(onnx::checker::check_model(model));
}

TEST(TakeBranch, WhatItHandsOnGoesThroughAnIdentity) {
  auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x) => (float[2] y, float[2] z) {
      y, z = If (c) <then_branch = t () => (float[2] p, float[2] p) { p = Neg (x) },
                     else_branch = e () => (float[2] x, float[2] q) { q = Relu (x) }> })");
  auto both = model;
  take_branch(*model.mutable_graph(), 0, 0);
  EXPECT_THAT(written(model), ElementsAre("y = Neg(x)", "z = Identity(y)"));
  take_branch(*both.mutable_graph(), 0, 1);
  EXPECT_THAT(written(both), ElementsAre("z = Relu(x)", "y = Identity(x)"));
}

TEST(TakeBranch, NamesThatAreThereAlreadyAreToldApart) {
  auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool c, float[2] x) => (float[2] z) {
      y = If (c) <then_branch = t () => (float[2] p) { m = Neg (x) p = Abs (m) },
                  else_branch = e () => (float[2] q) { q = Relu (x) }>
      z = If (c) <then_branch = u () => (float[2] p) { m = Exp (y) p = Abs (m) },
                  else_branch = f () => (float[2] q) { q = Relu (y) }> })");
  take_branch(*model.mutable_graph(), 1, 0);
  take_branch(*model.mutable_graph(), 0, 0);
  EXPECT_THAT(written(model), ElementsAre("m/2 = Neg(x)", "y = Abs(m/2)", "m = Exp(y)", "z = Abs(m)"));
  EXPECT_NO_THROW(onnx::checker::check_model(model));
}

}  // namespace
}  // namespace culprit
