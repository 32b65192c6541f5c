#include "model/node_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

onnx::ModelProto parse_body(const std::string& body) {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 13]> g (float[1,1,4,4] x, bool b) => (float[N] y) " + body;
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, text.c_str());
  EXPECT_TRUE(status.IsOK()) << status.ErrorMessage();
  return model;
}

std::vector<std::string> lines(const std::string& before, const std::string& after) {
  return node_diff(parse_body(before), parse_body(after)).lines;
}

TEST(NodeDiff, NothingWhereNothingChanged) { EXPECT_THAT(lines("{ y = Relu(x) }", "{ y = Relu(x) }"), IsEmpty()); }

TEST(NodeDiff, NodesThatWentAndCame) {
  EXPECT_THAT(lines("<int64[2] p = {0, 1}> { a = Pad(x, p) y = MaxPool<kernel_shape = [2, 2]>(a) }",
                    "<int64[2] p = {0, 1}> { y = MaxPool<kernel_shape = [2, 2], pads = [0, 0, 1, 1]>(x) }"),
              ElementsAre("- a = Pad(x, p)", "- y = MaxPool(a) {kernel_shape: [2, 2]}",
                          "+ y = MaxPool(x) {kernel_shape: [2, 2], pads: [0, 0, 1, 1]}"));
}

TEST(NodeDiff, OrderAndNamesOfNodesDoNotMatter) {
  auto before = parse_body("{ a = Relu(x) c = Neg(x) y = Add(a, c) }");
  auto after = parse_body("{ c = Neg(x) a = Relu(x) y = Add(a, c) }");
  after.mutable_graph()->mutable_node(0)->set_name("other");
  EXPECT_THAT(node_diff(before, after).lines, IsEmpty());
}

TEST(NodeDiff, OneOfTwoThatAreTheSame) {
  EXPECT_THAT(lines("{ y = Relu(x) y = Relu(x) }", "{ y = Relu(x) }"), ElementsAre("- y = Relu(x)"));
}

TEST(NodeDiff, Initializers) {
  EXPECT_THAT(lines("<float[2] a = {1, 2}, float[1] b = {1}, float[1] c = {1}> { y = Sum(a, b, c) }",
                    "<float[2] a = {1, 3}, float[2] b = {1, 1}, int64[1] d = {1}> { y = Sum(a, b, c) }"),
              ElementsAre("- c: float32[1]", "~ a: float32[2], other values", "~ b: float32[2], was float32[1]",
                          "+ d: int64[1]"));
}

TEST(NodeDiff, InsideBranches) {
  const std::string rest = R"(, else_branch = f () => (float[N] q) { q = Neg(x) }>(b) })";
  EXPECT_THAT(lines("{ y = If <then_branch = t () => (float[N] p) { m = Identity(x) p = Relu(m) }" + rest,
                    "{ y = If <then_branch = t () => (float[N] p) { p = Relu(x) }" + rest),
              ElementsAre("- then_branch of y: m = Identity(x)", "- then_branch of y: p = Relu(m)",
                          "+ then_branch of y: p = Relu(x)"));
}

TEST(NodeDiff, TheNodeOfTheRewriteIsToldWhereItStays) {
  const auto before = parse_body("{ a = Relu(x) s = Add(a, a) y = Neg(s) }");
  const auto after = parse_body("{ a = Relu(x) s = Add(a, a) y = Neg(a) }");
  EXPECT_THAT(node_diff(before, after, 40, "s").lines, ElementsAre("  s = Add(a, a)", "- y = Neg(s)", "+ y = Neg(a)"));
  EXPECT_THAT(node_diff(before, after, 40, "y").lines, ElementsAre("- y = Neg(s)", "+ y = Neg(a)"));
}

TEST(NodeDiff, SaysHowManyLinesAreLeftOut) {
  const auto diff = node_diff(parse_body("{ a = Relu(x) c = Neg(a) y = Abs(c) }"), parse_body("{ y = Exp(x) }"), 2);
  EXPECT_THAT(diff.lines, ElementsAre("- a = Relu(x)", "- c = Neg(a)"));
  EXPECT_EQ(diff.more, 2U);
}

TEST(NodeDiff, TextIsShortAndPrintable) {
  onnx::NodeProto node;
  node.set_op_type("Fused\x1b[31m");
  node.set_domain("com.microsoft");
  node.add_output(std::string(500, 'y'));
  node.add_input("x");
  node.add_input("");
  auto* long_list = node.add_attribute();
  long_list->set_name("pads");
  long_list->set_type(onnx::AttributeProto::INTS);
  for (int i = 0; i < 1000; ++i) long_list->add_ints(i);
  const std::string text = text_of(node);
  EXPECT_LE(text.size(), 210U);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  node.set_output(0, "y");
  EXPECT_EQ(text_of(node), "y = com.microsoft.Fused(x, ) {pads: [0, 1, 2, 3, 4, 5, 6, 7, ... 1000 in all]}");
}

}  // namespace
}  // namespace culprit
