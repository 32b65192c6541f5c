// Which value of one graph stands for which of another.
#include "graphs.h"

namespace culprit {
namespace {

TEST(ValueMap, TheSameGraphIsMappedByComputationWhateverItsNames) {
  const Mapped m("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Neg(a)  y = Add(a, b) }",
                 "g (float[2] p) => (float[2] q) { r = Relu(p)  s = Neg(r)  q = Add(r, s) }");
  EXPECT_EQ(m.of("a"), "r");
  EXPECT_EQ(m.of("b"), "s");
  EXPECT_EQ(m.of("y"), "q");
  EXPECT_EQ(m.by("b"), "computation");
  EXPECT_EQ(m.map.coverage.values, 3);
  EXPECT_EQ(m.map.coverage.mapped, 3);
  EXPECT_DOUBLE_EQ(m.map.coverage.percent(), 100);
}

TEST(ValueMap, BranchesThatAreSwappedAreToldApartByTheirWeights) {
  const Mapped m(
      "g (float[2] x) => (float[2] y) <float[2] v = {1, 2}, float[2] w = {3, 4}>"
      "{ a = Mul(x, v)  b = Mul(x, w)  c = Sub(a, b)  y = Relu(c) }",
      "g (float[2] x) => (float[2] y) <float[2] n1 = {1, 2}, float[2] n2 = {3, 4}>"
      "{ b = Mul(x, n1)  a = Mul(x, n2)  c = Sub(b, a)  y = Relu(c) }");
  EXPECT_EQ(m.of("a"), "b") << "names that lie are not believed where the computation tells";
  EXPECT_EQ(m.of("b"), "a");
}

TEST(ValueMap, OfTwoEqualBranchesTheOneThatChangedKeepsItsPlace) {
  const auto siamese = [](const std::string& second) {
    return "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}, float[2] u = {1, " + second +
           "}> { p = Mul(x, w)  q = Mul(x, u)  r = Relu(p)  s = Relu(q)  t = Neg(r)  v = Neg(s)  y = Sub(t, v) }";
  };
  const Mapped m(siamese("2"), siamese("3"));
  for (const char* name : {"p", "q", "r", "s", "t", "v", "y"}) EXPECT_EQ(m.of(name), name);
  EXPECT_EQ(m.by("q"), "name");
  EXPECT_EQ(m.by("s"), "computation");
  const Mapped merged(siamese("2"),
                      "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { p = Mul(x, w)  r = Relu(p)  t = Neg(r)  "
                      "y = Sub(t, t) }");
  EXPECT_EQ(merged.of("q"), "p") << "they were merged";
  EXPECT_EQ(merged.of("v"), "t");
}

TEST(ValueMap, BehindAChangedWeightAllIsFoundByComputationAgain) {
  const Mapped m(
      "g (float[2] x) => (float[2] y) <float[2] w = {1, 2}> { a = Relu(x)  b = Mul(a, w)  c = Neg(b)  d = Exp(c)  y = "
      "Abs(d) }",
      "g (float[2] x) => (float[2] y) <float[2] w = {1, 3}> { p = Relu(x)  q = Mul(p, w)  r = Neg(q)  s = Exp(r)  y = "
      "Abs(s) }");
  EXPECT_EQ(m.of("b"), "q");
  EXPECT_EQ(m.by("b"), "position");
  EXPECT_EQ(m.of("d"), "s");
  EXPECT_EQ(m.by("d"), "computation");
}

TEST(ValueMap, AFusionThatKeepsANameIsNotBelieved) {
  const Mapped m(
      "g (float[1,1,2,2] x) => (float[1,1,2,2] y)"
      "<float[1,1,1,1] w = {2}, float[1] s = {3}, float[1] o = {1}, float[1] m = {0}, float[1] v = {1}>"
      "{ c = Conv(x, w)  n = BatchNormalization(c, s, o, m, v)  y = Relu(n) }",
      "g (float[1,1,2,2] x) => (float[1,1,2,2] y) <float[1,1,1,1] w = {6}, float[1] o = {1}>"
      "{ c = Conv(x, w, o)  y = Relu(c) }");
  EXPECT_EQ(m.of("n"), "c") << "used by Relu in both";
  EXPECT_EQ(m.by("n"), "position");
  EXPECT_EQ(m.of("c"), "");
  EXPECT_EQ(m.into("c"), "Conv");
  EXPECT_EQ(m.map.coverage.fused, 1);
  EXPECT_DOUBLE_EQ(m.map.coverage.percent(), 100);
}

TEST(ValueMap, AFusedValueTakesTheNearestPlaceAndNotThatOfAnotherLayer) {
  const std::string weights =
      "<float[1,1,1,1] w = {2}, float[1,1,1,1] u = {3}, float[1,1,1,1] t = {5}, float[1] s = {3}, "
      "float[1] o = {1}, float[1] m = {0}, float[1] v = {1}>";
  const Mapped m(
      "g (float[1,1,2,2] x) => (float[1,1,2,2] y)" + weights +
          "{ c = Conv(x, w)  n = BatchNormalization(c, s, o, m, v)  r = Relu(n)  d = Conv(r, u)  e = Relu(d) "
          " y = Add(r, e) }",
      // the first normalization is folded, and the weight of the second convolution is wrong
      "g (float[1,1,2,2] x) => (float[1,1,2,2] y)" + weights +
          "{ c = Conv(x, u, o)  r = Relu(c)  d = Conv(r, t)  e = Relu(d)  y = Add(r, e) }");
  EXPECT_EQ(m.of("n"), "c");
  EXPECT_EQ(m.of("d"), "d");
  EXPECT_EQ(m.of("r"), "r");
}

TEST(ValueMap, ANodeThatWasEliminatedHandsOnItsValue) {
  const Mapped m("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Identity(a)  c = Dropout(b)  y = Neg(c) }",
                 "g (float[2] x) => (float[2] y) { a = Relu(x)  y = Neg(a) }");
  EXPECT_EQ(m.of("b"), "a");
  EXPECT_EQ(m.of("c"), "a");
  EXPECT_EQ(m.by("y"), "computation");
}

TEST(ValueMap, OtherEliminatedNodesAreFoundFromTheirConsumer) {
  const Mapped m("g (float[2,2] x) => (float[2,2] y) { a = Relu(x)  b = Transpose<perm = [0, 1]>(a)  y = Neg(b) }",
                 "g (float[2,2] x) => (float[2,2] y) { a = Relu(x)  y = Neg(a) }");
  EXPECT_EQ(m.of("a"), "a");
  EXPECT_EQ(m.of("b"), "a");
  EXPECT_EQ(m.by("b"), "position");
}

TEST(ValueMap, CommonSubexpressionsShareAValue) {
  const Mapped m("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Relu(x)  y = Add(a, b) }",
                 "g (float[2] x) => (float[2] y) { a = Relu(x)  y = Add(a, a) }");
  EXPECT_EQ(m.of("a"), "a");
  EXPECT_EQ(m.of("b"), "a");
}

TEST(ValueMap, TypesThatAreDeclaredOtherwiseForbidAName) {
  const Mapped m("g (float[2] x) => (float[2] y) <float[2] t> { t = Relu(x)  u = Neg(t)  y = Abs(u) }",
                 "g (float[2] x) => (float[2] y) <float[3] t> { t = Exp(x)  u = Neg(t)  y = Abs(u) }");
  EXPECT_EQ(m.of("t"), "");
}

TEST(ValueMap, WhatNoOutputNeedsIsNotCounted) {
  const Mapped m("g (float[2] x) => (float[2] y) { d = Exp(x)  y = Relu(x) }",
                 "g (float[2] x) => (float[2] y) { y = Relu(x) }");
  EXPECT_EQ(m.map.coverage.values, 1);
}

TEST(ValueMap, GraphsWithoutAnythingInCommonHaveTheirOutputsOnly) {
  const Mapped m("g (float[2] x) => (float[2] y) { a = Relu(x)  b = Neg(a)  y = Abs(b) }",
                 "g (float[2] x) => (float[2] y) { p = Exp(x)  q = Sin(p)  y = Floor(q) }");
  EXPECT_EQ(m.map.coverage.mapped, 1);
  EXPECT_EQ(m.map.coverage.by_binding, 1);
}

TEST(ValueMap, ValuesOfSubgraphsAreCountedApartAndWhatTheyUseCountsAsUsed) {
  const std::string graph =
      "g (bool c, float[2] x) => (float[2] y) { a = Relu(x)"
      "  y = If (c) <then_branch = t () => (float[2] p) { p = Neg(a) }, else_branch = e () => (float[2] q) { q = "
      "Abs(a) }> }";
  const Mapped m(graph, graph);
  EXPECT_EQ(m.map.coverage.values, 2);
  EXPECT_EQ(m.map.coverage.in_subgraphs, 2);
  EXPECT_EQ(m.of("a"), "a");
  EXPECT_EQ(m.by("y"), "computation");
}

TEST(ValueMap, ANameMadeTwiceAndAValueMadeNowhereDoNoHarm) {
  const std::string broken = "g (float[2] x) => (float[2] y) { a = Relu(x)  a = Neg(x)  y = Add(a, nowhere) }";
  const Mapped m(broken, broken);
  EXPECT_EQ(m.of("a"), "a");
}

/// A chain with a weight a layer, many layers, and a value that all of them use.
std::string chain(int layers, const std::string& prefix) {
  std::string weights, nodes = prefix + "0 = Relu(x)  " + prefix + "s = Abs(x) ";
  for (int i = 1; i <= layers; ++i) {
    const std::string n = std::to_string(i);
    weights += (i > 1 ? ", " : "") + std::string("float[2] w") + n + " = {1, " + n + "}";
    nodes += prefix + "m" + n + " = Mul(" + prefix + std::to_string(i - 1) + ", w" + n + ") ";
    nodes += prefix + n + " = Add(" + prefix + "m" + n + ", " + prefix + "s) ";
  }
  return "g (float[2] x) => (float[2] y) <" + weights + "> { " + nodes + " y = Neg(" + prefix + std::to_string(layers) +
         ") }";
}

TEST(ValueMap, TenThousandNodesOfWhichEveryTenthChangedAreMappedWithoutAQuadraticLoop) {
  Mapped m(chain(10, "a"), chain(10, "b"));
  m.a = parse(chain(5000, "a"));
  m.b = parse(chain(5000, "b"));
  for (int i = 0; i < m.b.graph().initializer_size(); i += 10) {
    m.b.mutable_graph()->mutable_initializer(i)->clear_float_data();
    m.b.mutable_graph()->mutable_initializer(i)->clear_raw_data();
    for (const float value : {0.5F, 0.25F}) m.b.mutable_graph()->mutable_initializer(i)->add_float_data(value);
  }
  m.map_again();
  EXPECT_EQ(m.map.coverage.mapped, m.map.coverage.values);
  EXPECT_EQ(m.of("a4999"), "b4999");
  EXPECT_EQ(m.by("am5000"), "computation");
}

}  // namespace
}  // namespace culprit
