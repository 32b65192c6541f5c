#include "localize/graph_pieces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/checker.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

onnx::ModelProto parse(const std::string& body, const std::string& outputs = "float[N] y") {
  onnx::ModelProto model;
  const std::string text =
      R"(<ir_version: 8, opset_import: ["" : 13]> g (float[N] x, bool b) => ()" + outputs + ") " + body;
  const auto status = onnx::OnnxParser::Parse(model, text.c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

GraphPieces pieces_of(const std::string& before, const std::string& after) {
  auto split = GraphPieces::split(parse(before), parse(after));
  if (!split) throw std::runtime_error(split.error().text());
  return std::move(*split);
}

std::vector<std::string> told(const GraphPieces& pieces) {
  std::vector<std::string> result;
  for (const GraphPiece& piece : pieces.pieces()) result.push_back(piece.what + " @ " + piece.output);
  return result;
}

/// "a = Relu(x)" and so on; and it is a model that the checker takes.
std::vector<std::string> nodes(const onnx::ModelProto& model, bool is_sound = true) {
  if (is_sound) {
    EXPECT_NO_THROW(onnx::checker::check_model(model)) << model.DebugString();
  }
  std::vector<std::string> result;
  for (const auto& node : model.graph().node()) {
    std::string text = node.output(0) + " = " + node.op_type();
    for (const auto& input : node.input()) text += " " + input;
    result.push_back(text);
  }
  return result;
}

std::vector<std::string> weights(const onnx::ModelProto& model) {
  std::vector<std::string> names;
  for (const auto& tensor : model.graph().initializer()) names.push_back(tensor.name());
  return names;
}

const char* const twice =
    "{ a = Relu(x) c = Relu(x) d = Neg(x) e = Neg(x) p = Add(a, c) q = Add(d, e) y = Sum(p, q, c) }";

TEST(GraphPieces, EachReplacementIsOne) {
  const auto pieces = pieces_of(twice, "{ a = Relu(x) d = Neg(x) p = Add(a, a) q = Add(d, d) y = Sum(p, q, a) }");
  EXPECT_THAT(told(pieces), ElementsAre("'c' is replaced by 'a' @ p", "'e' is replaced by 'd' @ q"));
  EXPECT_THAT(nodes(pieces.with({})), ElementsAre("a = Relu x", "d = Neg x", "c = Relu x", "p = Add a c", "e = Neg x",
                                                  "q = Add d e", "y = Sum p q c"));
  EXPECT_THAT(nodes(pieces.with({0})),
              ElementsAre("a = Relu x", "d = Neg x", "p = Add a a", "e = Neg x", "q = Add d e", "y = Sum p q a"));
  EXPECT_THAT(nodes(pieces.with({1})),
              ElementsAre("a = Relu x", "d = Neg x", "c = Relu x", "p = Add a c", "q = Add d d", "y = Sum p q c"));
  EXPECT_THAT(nodes(pieces.with({0, 1})),
              ElementsAre("a = Relu x", "d = Neg x", "p = Add a a", "q = Add d d", "y = Sum p q a"));
}

TEST(GraphPieces, WeightsThatAreMergedGoWhenNobodyReadsThem) {
  const auto pieces =
      pieces_of("<float[1] v = {1}, float[1] w = {1}, float[1] u = {1}> { a = Add(x, v) c = Mul(a, w) y = Sub(c, u) }",
                "<float[1] v = {1}> { a = Add(x, v) c = Mul(a, v) y = Sub(c, v) }");
  EXPECT_THAT(told(pieces), ElementsAre("'w' is replaced by 'v' @ c", "'u' is replaced by 'v' @ y"));
  EXPECT_THAT(nodes(pieces.with({1})), ElementsAre("a = Add x v", "c = Mul a w", "y = Sub c v"));
  EXPECT_THAT(weights(pieces.with({1})), ElementsAre("v", "w"));
}

TEST(GraphPieces, InsideBranches) {
  const std::string rest = ", else_branch = f () => (float[N] s) { s = Neg(x) }>(b) y = Sub(r, c) }";
  const auto pieces =
      pieces_of("{ a = Relu(x) c = Relu(x) r = If <then_branch = t () => (float[N] p) { p = Neg(c) }" + rest,
                "{ a = Relu(x) c = Relu(x) r = If <then_branch = t () => (float[N] p) { p = Neg(a) }" + rest);
  EXPECT_THAT(told(pieces), ElementsAre("'c' is replaced by 'a' @ r"));
  const auto made = pieces.with({0});
  EXPECT_EQ(made.graph().node(2).attribute(0).g().node(0).input(0), "a");
}

TEST(GraphPieces, AnotherWayToComputeAValue) {
  const auto pieces = pieces_of("{ a = Relu(x) c = Neg(a) d = Exp(c) y = Abs(d) }",
                                "{ a = Relu(x) n = Abs(a) c = Identity(n) d = Exp(c) y = Neg(d) }");
  EXPECT_THAT(told(pieces), ElementsAre("'c' is computed in another way @ c", "'y' is computed in another way @ y"));
  EXPECT_THAT(nodes(pieces.with({0})),
              ElementsAre("a = Relu x", "n = Abs a", "c = Identity n", "d = Exp c", "y = Abs d"));
  EXPECT_THAT(nodes(pieces.with({1})), ElementsAre("a = Relu x", "c = Neg a", "d = Exp c", "y = Neg d"));
}

TEST(GraphPieces, OtherValuesOfAWeight) {
  const auto pieces =
      pieces_of("<float[1] w = {1}> { a = Relu(x) y = Mul(a, w) }", "<float[1] w = {2}> { a = Relu(x) y = Mul(a, w) }");
  EXPECT_THAT(told(pieces), ElementsAre("'w' has other values @ y"));
  EXPECT_EQ(pieces.with({0}).graph().initializer(0).SerializeAsString(),
            parse("<float[1] w = {2}> { y = Mul(x, w) }").graph().initializer(0).SerializeAsString());
  EXPECT_EQ(pieces.with({}).graph().initializer_size(), 1);
}

TEST(GraphPieces, WhatIsTakenAwayThoughItIsRead) {
  const auto pieces =
      pieces_of("<float[1] v = {1}, float[1] u = {1}> { a = Relu(x) y = Mul(a, v) }", "{ a = Relu(x) y = Mul(a, v) }");
  EXPECT_THAT(told(pieces), ElementsAre("'v' is taken away, though it is read @ y"));
  EXPECT_THAT(weights(pieces.with({0})), IsEmpty());
  EXPECT_THAT(weights(pieces.with({})), ElementsAre("v"));
}

TEST(GraphPieces, WhatOnlyGoesIsNoPiece) {
  EXPECT_THAT(told(pieces_of("<float[1] u = {1}> { a = Relu(x) d = Neg(x) y = Abs(a) }", "{ a = Relu(x) y = Abs(a) }")),
              IsEmpty());
}

TEST(GraphPieces, RenamedValuesComeWithTheirNode) {
  const auto pieces = pieces_of("{ a = Relu(x) y = Neg(a) }", "{ n = Relu(x) y = Neg(n) }");
  EXPECT_THAT(told(pieces), ElementsAre("'a' is replaced by 'n' @ y"));
  EXPECT_THAT(nodes(pieces.with({0})), ElementsAre("n = Relu x", "y = Neg n"));
  EXPECT_THAT(nodes(pieces.with({})), ElementsAre("a = Relu x", "y = Neg a"));
}

TEST(GraphPieces, MoreThanTheGraphIsNotSplit) {
  const auto split = GraphPieces::split(parse("{ y = Relu(x) }"), parse("{ z = Relu(x) }", "float[N] z"));
  ASSERT_FALSE(split);
  EXPECT_THAT(split.error().message, HasSubstr("the model's outputs"));
}

}  // namespace
}  // namespace culprit
