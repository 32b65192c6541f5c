#include "model/rounding_natures.h"

#include <gtest/gtest.h>

#include "unit/models/model/parse.h"

namespace culprit {
namespace {

std::map<std::string, Nature> natures(const std::string& graph) {
  return natures_of(parse_model(R"(<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 3]> )" + graph));
}

TEST(Natures, AreSmoothWhereNothingJumps) {
  const auto found = natures(R"(g (float[1,4] x) => (float[1,2] y) <float[4,2] w = {1, 2, 3, 4, 5, 6, 7, 8}>
    { a = MatMul(x, w)  b = Relu(a)  y = Softmax(b) })");
  EXPECT_EQ(found.at("y"), Nature::smooth);
  EXPECT_EQ(natures("g (float[4] x) => (float[4] y) { a = Cast<to = 10>(x)  y = Cast<to = 1>(a) }").at("y"),
            Nature::smooth);
}

TEST(Natures, AreSteppedBehindWhatJumps) {
  for (const char* op : {"Round", "Floor", "Ceil", "Sign", "Hardmax"}) {
    const auto found = natures(std::string("g (float[4] x) => (float[4] y) { a = Exp(x)  b = ") + op +
                               "(a)  c = Sub(x, b)  y = Relu(c) }");
    EXPECT_EQ(found.at("a"), Nature::smooth) << op;
    EXPECT_EQ(found.at("b"), Nature::stepped) << op;
    EXPECT_EQ(found.at("y"), Nature::stepped) << op << ": also where smooth values are added";
  }
  EXPECT_EQ(natures("g (float[4] x) => (int64[4] y) { y = Cast<to = 7>(x) }").at("y"), Nature::stepped);
  EXPECT_EQ(natures("g (float[4] x) => (uint8[4] y) <float s = {0.1}> { y = QuantizeLinear(x, s) }").at("y"),
            Nature::stepped);
}

TEST(Natures, AreNamesWhereOneIsChosen) {
  EXPECT_EQ(natures("g (float[2,4] x) => (int64[2,1] y) { y = ArgMax<axis = 1>(x) }").at("y"), Nature::named);
  const auto top = natures(R"(g (float[4] x) => (float[2] v, int64[2] i) <int64[1] k = {2}>
    { v, i = TopK(x, k) })");
  EXPECT_EQ(top.at("v"), Nature::smooth);
  EXPECT_EQ(top.at("i"), Nature::named);
  EXPECT_EQ(natures("g (float[4] x) => (bool[4] y) <float z = {0}> { y = Greater(x, z) }").at("y"), Nature::named);
  EXPECT_EQ(natures("g (float[4] x) => (string[4] y) { y = Cast<to = 8>(x) }").at("y"), Nature::named);
  EXPECT_EQ(natures(R"(g (float[4] x) => (int64[1,1] y) <int64[4] ids = {7, 8, 9, 10}>
    { i = ArgMax(x)  y = Gather(ids, i) })")
                .at("y"),
            Nature::named);
}

TEST(Natures, OfWhatAConditionChoosesIsAStep) {
  EXPECT_EQ(
      natures(R"(g (float[4] x) => (float[4] y) <float z = {0}> { a = Greater(x, z)  y = Where(a, x, z) })").at("y"),
      Nature::stepped);
}

TEST(Natures, LookIntoSubgraphs) {
  const auto found = natures(R"(g (float[2] x, bool c) => (float[2] y, float[2] z)
    { y = If(c) <then_branch = t () => (float[2] a) { a = Round(x) }, else_branch = e () => (float[2] b) { b = Identity(x) }>
      z = If(c) <then_branch = t2 () => (float[2] a2) { a2 = Relu(x) }, else_branch = e2 () => (float[2] b2) { b2 = Identity(x) }> })");
  EXPECT_EQ(found.at("y"), Nature::stepped);
  EXPECT_EQ(found.at("z"), Nature::smooth);
}

TEST(Natures, OfWhatIsMadeOfWeightsAloneAreSmooth) {
  const auto found = natures(R"(g (float[4] x) => (float[4] y) <float[4] w = {1, -1, 1, -1}, float z = {0}>
    { m = Greater(w, z)  y = Where(m, x, z) })");
  EXPECT_EQ(found.at("m"), Nature::smooth);
  EXPECT_EQ(found.at("y"), Nature::smooth) << "a mask that always is the same";
}

TEST(Natures, DoNotHangOnShapes) {
  EXPECT_EQ(natures("g (float[4] x) => (float[1] f) { a = Round(x)  s = Shape(a)  f = Cast<to = 1>(s) }").at("f"),
            Nature::smooth);
}

}  // namespace
}  // namespace culprit
