// Which original nodes a node of the optimized graph does the work of.
#include "profile/nodes/fused_nodes.h"

#include <map>

#include "profile/nodes/name_rules.h"
#include "traces.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Names of originals by the name of the node; of inserted ones by "+name".
class Fused {
 public:
  Fused(onnx::ModelProto original, onnx::ModelProto optimized)
      : a_model_(std::move(original)),
        b_model_(std::move(optimized)),
        a(a_model_),
        b(b_model_),
        nodes(fused_nodes(a, b)) {
    const auto names_a = a.names_of_nodes(), names_b = b.names_of_nodes();
    for (std::size_t node = 0; node < names_b.size(); ++node) {
      auto& list = of[(nodes.origins[node].is_inserted ? "+" : "") + names_b[node]];
      for (const int one : nodes.origins[node].originals) list.push_back(names_a[static_cast<std::size_t>(one)]);
    }
    for (std::size_t node = 0; node < names_a.size(); ++node) fate[names_a[node]] = nodes.fates[node];
  }
  Fused(const std::string& original, const std::string& optimized) : Fused(parsed(original), parsed(optimized)) {}

 private:
  onnx::ModelProto a_model_, b_model_;

 public:
  FlatModel a, b;
  FusedNodes nodes;
  std::map<std::string, std::vector<std::string>> of;
  std::map<std::string, NodeFate> fate;
};

const std::string conv_bn_relu =
    "g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w = {2}, float[1] s = {3}, float[1] o = {1}, "
    "float[1] m = {0}, float[1] v = {1}> { c = Conv(x, w)  n = BatchNormalization(c, s, o, m, v)  r = Relu(n)  "
    "y = Neg(r) }";

TEST(FusedNodes, AFusionKeepsTheNameOfItsLastValue) {
  const Fused f(conv_bn_relu,
                "g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w2 = {6}, float[1] b2 = {1}>"
                "{ r = com.microsoft.FusedConv<activation = \"Relu\">(x, w2, b2)  y = Neg(r) }");
  EXPECT_THAT(f.of.at("r"), ElementsAre("c", "n", "r"));
  EXPECT_THAT(f.of.at("y"), ElementsAre("y"));
  const FusionCoverage c = coverage_of(f.nodes);
  EXPECT_EQ(c.originals, 4);
  EXPECT_EQ(c.running, 4);
  EXPECT_EQ(c.optimized, 2);
  EXPECT_EQ(c.with_originals, 2);
}

TEST(FusedNodes, TheBlockedLayoutNamesTheValueInItsNode) {
  auto optimized = parsed(
      "g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w2 = {6}> { t0 = com.microsoft.nchwc.ReorderInput(x)"
      "  t1 = com.microsoft.nchwc.Conv<activation = \"Relu\">(t0, w2)  r = com.microsoft.nchwc.ReorderOutput(t1)  "
      "y = Neg(r) }");
  maker_of(optimized, "t1").set_name("r_nchwc");
  const Fused f(parsed(conv_bn_relu), optimized);
  EXPECT_THAT(f.of.at("r_nchwc"), ElementsAre("c", "n", "r"));
  EXPECT_THAT(f.of.at("+t0"), ElementsAre("c", "n", "r")) << "for what is after it";
  EXPECT_THAT(f.of.at("+r"), ElementsAre("c", "n", "r")) << "for what is before it";
  EXPECT_THAT(f.of.at("y"), ElementsAre("y"));
}

// As in a residual net: the next block uses the value twice, and takes an addition in, too.
TEST(FusedNodes, AConvolutionThatTookAnAdditionInUnderItsOldName) {
  const std::string head =
      "g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w = {2}, float[1,1,1,1] u = {3}, float[1,1,1,1] v = "
      "{4}> ";
  auto optimized = parsed(head +
                          "{ t0 = com.microsoft.nchwc.Conv(x, u)  "
                          "t1 = com.microsoft.nchwc.Conv<activation = \"Relu\">(x, w, , t0)  "
                          "t2 = com.microsoft.nchwc.Conv(t1, v, , t1)  "
                          "t3 = com.microsoft.nchwc.Conv(t2, u, , t2)  y = Neg(t3) }");
  maker_of(optimized, "t0").set_name("b_nchwc");
  maker_of(optimized, "t1").set_name("a_nchwc");
  maker_of(optimized, "t2").set_name("c_nchwc");
  maker_of(optimized, "t3").set_name("d_nchwc");
  const Fused f(
      parsed(head + "{ a = Conv(x, w)  b = Conv(x, u)  s = Add(a, b)  r = Relu(s)  c = Conv(r, v)  t = Add(c, r)  "
                    "d = Conv(t, u)  z = Add(d, t)  y = Neg(z) }"),
      optimized);
  EXPECT_THAT(f.of.at("a_nchwc"), ElementsAre("a", "s", "r"));
  EXPECT_THAT(f.of.at("b_nchwc"), ElementsAre("b"));
  EXPECT_THAT(f.of.at("c_nchwc"), ElementsAre("c", "t"));
  EXPECT_THAT(f.of.at("d_nchwc"), ElementsAre("d", "z"));
  EXPECT_THAT(f.of.at("y"), ElementsAre("y"));
}

TEST(FusedNodes, AFusionUnderTheNameOfItsFirstValue) {
  const Fused f(conv_bn_relu,
                "g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w = {6}, float[1,1] b2 = {1}>"
                "{ k = Squeeze(b2)  c = Conv(x, w, k)  r = Relu(c)  y = Neg(r) }");
  EXPECT_THAT(f.of.at("c"), ElementsAre("c", "n"));
  EXPECT_THAT(f.of.at("r"), ElementsAre("r"));
  EXPECT_THAT(f.of.at("+k"), ElementsAre("c", "n")) << "it prepares a constant";
}

TEST(FusedNodes, ANodeThatDidNotChangeTookNothingIn) {
  const std::string head =
      "g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w = {2}, float[1,1,1,1] m = {3}, float[1,1,1,1] u = ";
  const Fused f(head + "{5}> { a = Conv(x, w)  s = Mul(a, m)  r = Relu(s)  y = Conv(r, u) }",
                head + "{15}> { a = Conv(x, w)  r = Relu(a)  y = Conv(r, u) }");
  EXPECT_THAT(f.of.at("a"), ElementsAre("a"));
  EXPECT_THAT(f.of.at("r"), ElementsAre("s", "r"));
}

TEST(FusedNodes, CastsForAnotherTypeAreInserted) {
  const Fused f("g (float16[2] x) => (float16[2] y) { a = Relu(x)  y = Neg(a) }",
                "g (float16[2] x) => (float16[2] y) { InsertedPrecisionFreeCast_x = Cast<to = 1>(x)  "
                "InsertedPrecisionFreeCast_a = Relu(InsertedPrecisionFreeCast_x)  "
                "InsertedPrecisionFreeCast_y = Neg(InsertedPrecisionFreeCast_a)  "
                "y = Cast<to = 10>(InsertedPrecisionFreeCast_y) }");
  EXPECT_THAT(f.of.at("InsertedPrecisionFreeCast_a"), ElementsAre("a"));
  EXPECT_THAT(f.of.at("InsertedPrecisionFreeCast_y"), ElementsAre("y"));
  EXPECT_THAT(f.of.at("+InsertedPrecisionFreeCast_x"), ElementsAre("a")) << "for what is after it";
  EXPECT_THAT(f.of.at("+y"), ElementsAre("y")) << "it puts the value back";
}

TEST(FusedNodes, WhatWasFoldedBelongsToNobody) {
  const Fused f(
      "g (float[2,3] x) => (float[N] y) <int64[1] m = {-1}, float[1] w = {1}> { a = Relu(x)  s = Shape(a)  "
      "p = ReduceProd<keepdims = 1>(s)  k = Constant<value = float[1] {2}>()  q = Mul(k, w)  r = Reshape(a, p)  "
      "y = Mul(r, q)  dead = Neg(a) }",
      "g (float[2,3] x) => (float[N] y) <int64[1] p = {6}, float[1] q = {2}> { a = Relu(x)  r = Reshape(a, p)  "
      "y = Mul(r, q) }");
  EXPECT_THAT(f.of.at("r"), ElementsAre("r"));
  EXPECT_THAT(f.of.at("y"), ElementsAre("y"));
  for (const char* folded : {"s", "p", "k", "q"}) EXPECT_EQ(f.fate.at(folded), NodeFate::folded) << folded;
  EXPECT_EQ(f.fate.at("dead"), NodeFate::unneeded);
  EXPECT_EQ(f.fate.at("a"), NodeFate::runs);
}

TEST(FusedNodes, EqualNodesWereMerged) {
  const Fused f("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Relu(x)  c = Neg(a)  d = Exp(b)  y = Add(c, d) }",
                "g (float[2] x) => (float[2] y) { b = Relu(x)  c = Neg(b)  d = Exp(b)  y = Add(c, d) }");
  EXPECT_THAT(f.of.at("b"), ElementsAre("a", "b"));
  EXPECT_THAT(f.of.at("c"), ElementsAre("c"));
}

TEST(FusedNodes, NodesBetweenTwoKnownValuesShareByOperator) {
  const Fused f(
      "g (float[2,4] x) => (float[8] y) <float[4,4] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, float[4] b = {1,1,1,1},"
      " int64[1] n = {8}> { m = MatMul(x, w)  a = Add(m, b)  s = Reshape(a, n)  y = Relu(s) }",
      "g (float[2,4] x) => (float[8] y) <float[4,4] w = {1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1}, float[4] b = {1,1,1,1},"
      " int64[1] n = {8}, int64[2] k = {2,4}> { in = Reshape(x, k)  out = Gemm(in, w, b)  s = Reshape(out, n)  "
      "y = Relu(s) }");
  EXPECT_THAT(f.of.at("out"), ElementsAre("m", "a"));
  EXPECT_THAT(f.of.at("s"), ElementsAre("s"));
  EXPECT_THAT(f.of.at("+in"), ElementsAre("m", "a"));
}

TEST(FusedNodes, ARenamedNodeIsFoundByItsPlace) {
  const Fused f("g (float[2] x) => (float[4] y) { a = Relu(x)  b = Neg(x)  c = Concat<axis = 0>(a, b)  y = Exp(c) }",
                "g (float[2] x) => (float[4] y) { a = Relu(x)  b = Neg(x)  t9 = Concat<axis = 0>(a, b)  y = Exp(t9) }");
  EXPECT_THAT(f.of.at("t9"), ElementsAre("c"));
  EXPECT_THAT(f.of.at("y"), ElementsAre("y"));
}

const std::string branches =
    "b = If(q) <then_branch = t () => (float[2] o) { u = Neg(a)  o = Abs(u) }, else_branch = e () => (float[2] o) "
    "{ u = Abs(a)  o = Sqrt(u) }>";

TEST(FusedNodes, BodiesAreToldApartWhereTheyShareNames) {
  const std::string model = "g (float[2] x, bool q) => (float[2] y) { a = Relu(x)  " + branches + "  y = Neg(b) }";
  const Fused f(model, model);
  for (const char* name : {"a", "b", "y", "b/then_branch/u", "b/then_branch/o", "b/else_branch/u", "b/else_branch/o"})
    EXPECT_THAT(f.of.at(name), ElementsAre(name));
}

TEST(FusedNodes, TheBranchThatTookThePlaceOfItsIf) {
  const Fused f("g (float[2] x, bool q) => (float[2] y) { a = Relu(x)  " + branches + "  y = Neg(b) }",
                "g (float[2] x, bool q) => (float[2] y) { a = Relu(x)  _if_then_branch_u = Neg(a)  "
                "b = Abs(_if_then_branch_u)  y = Neg(b) }");
  EXPECT_THAT(f.of.at("_if_then_branch_u"), ElementsAre("b/then_branch/u"));
  EXPECT_THAT(f.of.at("b"), ElementsAre("b/then_branch/o", "b"));
  EXPECT_EQ(f.fate.at("b/else_branch/o"), NodeFate::unneeded);
}

TEST(FusedNodes, WhatIsNotKnownIsNotGuessed) {
  const Fused f("g (float[2] x) => (float[2] y) { y = Relu(x) }",
                "g (float[2] x) => (float[2] z) { h = Neg(x)  z = Exp(h) }");
  EXPECT_THAT(f.of.at("h"), IsEmpty());
  EXPECT_THAT(f.of.at("z"), IsEmpty());
  EXPECT_EQ(f.fate.at("y"), NodeFate::unknown);
}

TEST(FusedNodes, StoredValuesNeverRun) {
  const std::string model = "g (float[2] x) => (float[2] y) { k = Constant<value = float[2] {1, 2}>()  y = Add(x, k) }";
  const Fused f(model, model);
  EXPECT_THAT(f.of.at("k"), IsEmpty());
  EXPECT_EQ(coverage_of(f.nodes).optimized, 1);
  EXPECT_EQ(f.fate.at("k"), NodeFate::folded);
}

TEST(FusedNodes, ModelsWithoutSenseDoNoHarm) {
  onnx::ModelProto nothing;
  onnx::ModelProto strange = parsed("g (float[2] x) => (float[2] y) { y = Add(nowhere, x)  z = Relu(y) }");
  strange.mutable_graph()->add_node();
  strange.mutable_graph()->add_node()->add_output("y");
  strange.mutable_graph()->mutable_node(1)->add_input("z");
  const Fused f(nothing, strange), g(strange, nothing), h(strange, strange);
  EXPECT_EQ(coverage_of(f.nodes).with_originals, 0);
  EXPECT_EQ(coverage_of(g.nodes).optimized, 0);
  EXPECT_EQ(h.nodes.origins.size(), 4u);
}

TEST(NameRules, TellWhatTheRuntimeMadeOfAName) {
  EXPECT_THAT(names_before("v", ""), ElementsAre("v"));
  EXPECT_THAT(names_before("t7", "r2_nchwc"), ElementsAre("t7", "r2"));
  EXPECT_THAT(names_before("t7", "r8_bn_nchwc"), ElementsAre("t7", "r8_bn", "r8"));
  EXPECT_THAT(names_before("InsertedPrecisionFreeCast_a", ""), ElementsAre("InsertedPrecisionFreeCast_a", "a"));
  EXPECT_THAT(names_before("a_token_12", ""), ElementsAre("a_token_12", "a"));
  EXPECT_THAT(names_before("t", "InsertedPrecisionFreeCast_c_nchwc_token_3"), Contains("c"));
  EXPECT_THAT(names_before("_if_then_branch_u", ""), ElementsAre("_if_then_branch_u", "u"));
  EXPECT_THAT(names_before("_if_else_branch_token_4_u", ""), Contains("u"));
  EXPECT_THAT(names_before("_token_1", ""), ElementsAre("_token_1")) << "nothing is left of it";
  EXPECT_THAT(names_before("", "_nchwc"), ElementsAre(""));
}

}  // namespace
}  // namespace culprit::testing
