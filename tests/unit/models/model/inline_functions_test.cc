#include "model/inline_functions.h"

#include <gmock/gmock.h>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> types(const onnx::ModelProto& model) {
  std::vector<std::string> found;
  for (const auto& node : model.graph().node()) found.push_back(node.op_type());
  return found;
}

const std::string model_head = R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]> )";
const std::string calling_graph = "g (float[2] x) => (float[2] y) { h = Exp(x) y = own.f0(h) } ";

std::string function(const std::string& name, const std::string& body) {
  return R"(<domain: "own", opset_import: ["" : 17, "own" : 1]> )" + name + " (a) => (b) { " + body + " } ";
}

TEST(InlineFunctions, BodiesStandWhereTheyAreCalled) {
  auto model = parse_model(model_head + calling_graph + function("f0", "c = own.f1(a) b = own.f1(c)") +
                           function("f1", "b = Neg(a)"));
  EXPECT_TRUE(inline_functions(model));
  EXPECT_THAT(types(model), ElementsAre("Exp", "Neg", "Neg"));
  EXPECT_EQ(model.functions_size(), 0);
  EXPECT_EQ(model.graph().node(2).output(0), "y");
}

TEST(InlineFunctions, AttributesAreThoseOfTheCall) {
  auto model = parse_model(R"(<ir_version: 9, opset_import: ["" : 17, "own" : 1]>
      g (float[2] x) => (float[2] y) { h = own.act <alpha = 0.5> (x) y = own.act(h) }
      <domain: "own", opset_import: ["" : 17]> act <alpha: float = 0.25> (a) => (b) {
          b = LeakyRelu <alpha: float = @alpha> (a) })");
  ASSERT_TRUE(inline_functions(model));
  EXPECT_FLOAT_EQ(model.graph().node(0).attribute(0).f(), 0.5F);
  EXPECT_FLOAT_EQ(model.graph().node(1).attribute(0).f(), 0.25F);
}

TEST(InlineFunctions, NamesInsideAreNobodyElses) {
  auto model = parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "own" : 1]>
      g (float[2] x) => (float[2] y, float[2] s) { s = Neg(x) [f] h = own.act(x) [f] y = own.act(h) }
      <domain: "own", opset_import: ["" : 17]> act (a) => (b) { [e] s = Exp(a) b = Mul(a, s) })");
  ASSERT_TRUE(inline_functions(model));
  std::vector<std::string> made, nodes;
  for (const auto& node : model.graph().node()) {
    made.push_back(node.output(0));
    nodes.push_back(node.name());
  }
  EXPECT_THAT(nodes, ElementsAre("", "f/e", "", "f/e_", "")) << "two of one name load nowhere";
  EXPECT_THAT(made, ElementsAre("s", "f/s", "h", "f/s_", "y"));
  EXPECT_EQ(model.graph().node(4).input(0), "h");
  EXPECT_EQ(model.graph().node(4).input(1), "f/s_");
}

TEST(InlineFunctions, AnInputThatIsHandedOnIsCopied) {
  auto model = parse_model(model_head + R"(g (float[2] x) => (float[2] y, float[2] z) { y, z = own.f0(x) }
      <domain: "own", opset_import: ["" : 17]> f0 (a) => (a, b) { b = Neg(a) })");
  ASSERT_TRUE(inline_functions(model));
  EXPECT_THAT(types(model), ElementsAre("Neg", "Identity"));
  EXPECT_EQ(model.graph().node(1).input(0), "x");
  EXPECT_EQ(model.graph().node(1).output(0), "y");
}

TEST(InlineFunctions, AnotherOpsetStays) {
  auto model = parse_model(model_head + calling_graph +
                           R"(<domain: "own", opset_import: ["" : 16]> f0 (a) => (b) { b = Neg(a) })");
  EXPECT_FALSE(inline_functions(model));
}

TEST(InlineFunctions, OneThatLeadsToItselfStays) {
  for (const std::string& last : {std::string("b = own.f0(a)"), std::string(R"(
           t = Constant<value_int = 1>() k = Cast<to = 9>(t)
           b = If(k) <then_branch = u () => (float[2] d) { d = own.f0(a) },
                      else_branch = v () => (float[2] e) { e = Neg(a) }>)")}) {
    auto model = parse_model(model_head + calling_graph + function("f0", "b = own.f1(a)") + function("f1", last));
    const std::string before = model.SerializeAsString();
    EXPECT_FALSE(inline_functions(model));
    EXPECT_TRUE(model.SerializeAsString() == before);
  }
}

/// Forty functions, each of which calls the next one twice.
TEST(InlineFunctions, WhatWouldBeTooLargeStays) {
  std::string text = model_head + calling_graph;
  for (int i = 0; i < 40; ++i) {
    const std::string next = "own.f" + std::to_string(i + 1);
    text += function("f" + std::to_string(i), "c = " + next + "(a) b = " + next + "(c)");
  }
  auto model = parse_model(text + function("f40", "b = Neg(a)"));
  EXPECT_FALSE(inline_functions(model));
  EXPECT_EQ(model.functions_size(), 41);
}

TEST(InlineFunctions, WithoutFunctionsNothingIsDone) {
  auto model = parse_model(model_head + "g (float[2] x) => (float[2] y) { y = Exp(x) }");
  EXPECT_FALSE(inline_functions(model));
  EXPECT_THAT(types(model), ElementsAre("Exp"));
}

}  // namespace
}  // namespace culprit
