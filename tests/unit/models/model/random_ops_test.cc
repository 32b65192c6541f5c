#include "model/random_ops.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

onnx::ModelProto parsed(const std::string& text) {
  onnx::ModelProto model;
  const auto status =
      onnx::OnnxParser::Parse(model, ("<ir_version: 8, opset_import: [\"\" : 15, \"own\" : 1]> g " + text).c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

std::vector<std::string> behind(const std::string& text) { return random_ops_behind_outputs(parsed(text)); }

/// A Dropout in a function whose training mode is this constant.
std::string dropout_in_a_function(int training) {
  return "(float[3] x) => (float[3] y) { y = own.drop(x) } <domain: \"own\", opset_import: [\"\" : 15]> drop (x) => "
         "(r) { mode = Constant <value = bool {" +
         std::to_string(training) + "}> () r = Dropout(x, , mode) }";
}

TEST(UnseededRandomOps, DropoutIsRandomOnlyInTrainingMode) {
  EXPECT_THAT(unseeded_random_ops(parsed(dropout_in_a_function(1))), ElementsAre("Dropout 'r' in training mode"));
  EXPECT_THAT(unseeded_random_ops(parsed(dropout_in_a_function(0))), IsEmpty());
}

TEST(UnseededRandomOps, ATrainingModeThatCanBeFedCountsAsTraining) {
  onnx::ModelProto model;
  auto* mode = model.mutable_graph()->add_initializer();
  mode->set_name("mode");
  mode->set_data_type(onnx::TensorProto::BOOL);
  mode->set_raw_data(std::string(1, '\0'));
  auto* loop = model.mutable_graph()->add_node();
  loop->set_op_type("Loop");
  auto* node = loop->add_attribute()->mutable_g()->add_node();
  node->set_op_type("Dropout");
  for (const char* input : {"x", "", "mode"}) node->add_input(input);
  node->add_output("y");
  EXPECT_THAT(unseeded_random_ops(model), IsEmpty()) << "an outer constant that is false";
  model.mutable_graph()->add_input()->set_name("mode");
  EXPECT_THAT(unseeded_random_ops(model), ElementsAre("Dropout 'y' in training mode"));
}

TEST(RandomOpsBehindOutputs, NumbersThatAnOutputIsMadeOfAreFoundHoweverSeldomTheyShow) {
  EXPECT_THAT(behind(R"((float[3] x) => (float[3] y) { n = RandomNormalLike(x) h = Constant <value = float {9}> ()
    g = Greater(n, h) f = Cast <to = 1> (g) y = Add(x, f) })"),
              ElementsAre("RandomNormalLike 'n'"));
  EXPECT_THAT(behind("(float[3] p) => (float[3] y) { y = Bernoulli(p) }"), ElementsAre("Bernoulli 'y'"));
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomNormalLike <seed = 1.0> (x) y = Add(x, n) }"),
              IsEmpty());
}

TEST(RandomOpsBehindOutputs, DeadOnesAndShapesDoNotCount) {
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomNormalLike(x) y = Neg(x) }"), IsEmpty());
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomNormalLike(x) s = Shape(n) y = Reshape(x, s) }"),
              IsEmpty());
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomNormalLike(x) y = CastLike(x, n) }"), IsEmpty());
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomNormalLike(x) s = Shape(n) f = Cast <to = 1> (s) y = "
                     "Add(f, n) }"),
              ElementsAre("RandomNormalLike 'n'"));
}

TEST(RandomOpsBehindOutputs, WhatCanOnlyDrawOneNumberDoesNotCount) {
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomNormalLike <scale = 0.0> (x) y = Add(x, n) }"),
              IsEmpty());
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomUniformLike <low = 1.0> (x) y = Add(x, n) }"),
              IsEmpty());
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { n = RandomUniformLike <low = 2.0> (x) y = Add(x, n) }"),
              ElementsAre("RandomUniformLike 'n'"));
}

std::string dropout(const std::string& ratio, const std::string& mode) {
  return "(float[3] x) => (float[3] y) { r = Constant <value = float {" + ratio + "}> () m = Constant <value = bool {" +
         mode + "}> () y = Dropout(x, r, m) }";
}

TEST(RandomOpsBehindOutputs, OfDropoutOnlyWhatSurelyTrains) {
  EXPECT_THAT(behind(dropout("0.001", "1")), ElementsAre("Dropout 'y' in training mode"));
  EXPECT_THAT(behind(dropout("0.0", "1")), IsEmpty());
  EXPECT_THAT(behind(dropout("0.5", "0")), IsEmpty());
  EXPECT_THAT(behind("(float[3] x, bool m) => (float[3] y) { y = Dropout(x, , m) }"), IsEmpty())
      << "what is fed decides, and the second run tells";
  EXPECT_THAT(behind("(float[3] x) => (bool[3] k) { n = RandomNormalLike(x) y, k = Dropout(n) }"), IsEmpty())
      << "a mask that is true throughout";
}

TEST(RandomOpsBehindOutputs, ThoseInGraphsInside) {
  const std::string branches =
      "(c) <then_branch = t () => (float[3] a) { n = RandomNormalLike(x) a = Add(x, n) }, "
      "else_branch = e () => (float[3] b) { b = Neg(x) }> }";
  EXPECT_THAT(behind("(float[3] x, bool c) => (float[3] y) { y = If " + branches), ElementsAre("RandomNormalLike 'n'"));
  const auto with_constant = [&](const char* taken) {
    return behind(std::string("(float[3] x) => (float[3] y) { c = Constant <value = bool {") + taken + "}> () y = If " +
                  branches);
  };
  EXPECT_THAT(with_constant("1"), ElementsAre("RandomNormalLike 'n'"));
  EXPECT_THAT(with_constant("0"), IsEmpty()) << "the other branch is never run";
  EXPECT_THAT(behind(R"((float[3] x, int64 n, bool go) => (float[3] y) { y = Loop (n, go, x) <body = b (int64 i, bool c,
    float[3] s) => (bool d, float[3] r) { d = Identity(c) m = RandomUniformLike(s) r = Mul(s, m) }> })"),
              ElementsAre("RandomUniformLike 'm'"));
}

TEST(RandomOpsBehindOutputs, ThoseOutsideOfTheGraphThatShowsThem) {
  EXPECT_THAT(behind(R"((float[3] x, bool c) => (float[3] y) { n = RandomNormalLike(x) y = If (c) <then_branch = t () =>
    (float[3] a) { a = Add(x, n) }, else_branch = e () => (float[3] b) { b = Neg(x) }> })"),
              ElementsAre("RandomNormalLike 'n'"));
}

TEST(RandomOpsBehindOutputs, ThoseInFunctions) {
  EXPECT_THAT(random_ops_behind_outputs(parsed(dropout_in_a_function(1))), ElementsAre("Dropout 'r' in training mode"));
  const std::string function =
      " <domain: \"own\", opset_import: [\"\" : 15]> two (x) => (p, q) { n = "
      "RandomNormalLike(x) p = Neg(x) q = Add(x, n) }";
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { y, z = own.two(x) }" + function), IsEmpty());
  EXPECT_THAT(behind("(float[3] x) => (float[3] y) { z, y = own.two(x) }" + function),
              ElementsAre("RandomNormalLike 'n'"));
}

}  // namespace
}  // namespace culprit
