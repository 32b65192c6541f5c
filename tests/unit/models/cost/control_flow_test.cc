// What runs inside: branches, turns and functions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cost/planned_memory.h"
#include "cost_of.h"

namespace culprit {
namespace {

constexpr const char* branches = R"(
  y = If (c) <then_branch = a () => (float[n] p) { p = Exp (x) },
              else_branch = b () => (float[n] q) { r = Exp (x) q = Exp (r) }> )";

TEST(ControlFlow, AnIfCostsItsDearerBranch) {
  const NodeCosts costs = cost_of(std::string("(bool c, float[5] x) => (float[n] y) {") + branches + "}");
  EXPECT_EQ(costs.nodes.size(), 1U);
  EXPECT_EQ(costs.nodes_uncounted, 0);
  EXPECT_EQ(costs.flops, 10);  // two Exp of 5
  EXPECT_EQ(costs.moved, 80);
}

TEST(ControlFlow, AnIfWhoseConditionIsStoredCostsThatBranch) {
  EXPECT_EQ(cost_of(std::string("(float[5] x) => (float[n] y) <bool c = {1}> {") + branches + "}").flops, 5);
  // What follows from a shape is as good: 5 is not 4.
  EXPECT_EQ(
      cost_of(std::string("(float[5] x) => (float[n] y) <int64[1] four = {4}> { s = Shape (x) c = Equal (s, four)") +
              branches + "}")
          .flops,
      10 + 1);
}

TEST(ControlFlow, AValueThatASampleHasTellsTheBranch) {
  const auto model = model_of(
      std::string("(int64 rate, float[5] x) => (float[n] y) <int64 r = {16}> { c = Equal (rate, r)") + branches + "}");
  const auto flops = [&](std::int64_t rate) {
    const auto sample = std::vector<NamedTensor>{{"rate", Tensor::of<std::int64_t>({}, {rate})},
                                                 {"x", Tensor::of<float>({5}, {1, 2, 3, 4, 5})}};
    return node_costs(model, seen_values(sample)).flops;
  };
  EXPECT_EQ(flops(16), 5 + 1);
  EXPECT_EQ(flops(8), 10 + 1);
}

constexpr const char* loop = R"(
  y, all = Loop (m, , x) <body = b (int64 i, bool on, float[k] s) => (bool again, float[k] t, float[k] u)
    { again = Identity (on) t = Exp (s) u = Identity (t) }> )";

TEST(ControlFlow, ALoopCostsItsBodyTimesItsTurns) {
  const NodeCosts costs =
      cost_of(std::string("(float[5] x) => (float[n] y, float[n] z) <int64 m = {7}> {") + loop + " z = Exp (all) }");
  EXPECT_EQ(costs.nodes_uncounted, 0);
  EXPECT_EQ(costs.nodes.at(0).flops, 35);
  EXPECT_EQ(costs.nodes.at(1).flops, 35) << "7 rows of 5 were collected";
}

TEST(ControlFlow, NodesOfABodyHaveTheirOwnCostsAndTheNodeAroundNone) {
  const auto model = model_of(std::string("(float[5] x) => (float[n] y, float[n] all) <int64 m = {7}> {") + loop + "}");
  const auto costs = own_costs(typed_graph(model, InputShapes{}));
  ASSERT_EQ(costs.size(), 4U);
  EXPECT_EQ(costs[0].op, "Loop");
  EXPECT_EQ(costs[0].flops, 0);
  EXPECT_EQ(costs[2].output, "t");
  EXPECT_EQ(costs[2].flops, 35) << "7 turns of 5";
  const auto open = model_of(std::string("(int64 m, float[5] x) => (float[n] y, float[n] all) {") + loop + "}");
  EXPECT_EQ(own_costs(typed_graph(open, InputShapes{}))[2].flops, std::nullopt) << "nobody knows how many turns";
}

TEST(ControlFlow, ALoopOfUnknownTurnsIsUncounted) {
  const NodeCosts costs = cost_of(std::string("(int64 m, float[5] x) => (float[n] y) {") + loop + "}");
  EXPECT_EQ(costs.nodes_uncounted, 4) << "itself and three inside";
  EXPECT_EQ(costs.flops, std::nullopt);
}

TEST(ControlFlow, ALoopThatMayStopIsUncounted) {
  const NodeCosts costs = cost_of(R"((float[5] x) => (float[n] y) <int64 m = {7}, float[1] z = {0}> {
    y = Loop (m, , x) <body = b (int64 i, bool on, float[5] s) => (bool again, float[5] t)
      { t = Exp (s) f = ReduceMax <keepdims = 0> (t) again = Greater (f, z) }> })");
  EXPECT_EQ(costs.nodes_uncounted, 4);
}

TEST(ControlFlow, AStateThatGrowsHasNoSize) {
  const NodeCosts costs = cost_of(R"((float[5] x) => (float[n] y) <int64 m = {7}> {
    y = Loop (m, , x) <body = b (int64 i, bool on, float[k] s) => (bool again, float[k] t)
      { again = Identity (on) t = Concat <axis = 0> (s, x) }> })");
  EXPECT_EQ(costs.nodes_uncounted, 1) << "Concat";
  EXPECT_EQ(costs.nodes.at(0).flops, 0) << "of Identity";
}

TEST(ControlFlow, AScanRunsOnceForEachSlice) {
  const NodeCosts costs = cost_of(R"((float[7,5] x, float[5] s) => (float[n] y, float[n] z) {
    y, all = Scan <num_scan_inputs = 1, body = b (float[k] before, float[k] row) => (float[k] after, float[k] out)
      { after = Add (before, row) out = Exp (after) }> (s, x)
    z = Exp (all) })");
  EXPECT_EQ(costs.nodes_uncounted, 0);
  EXPECT_EQ(costs.nodes.at(0).flops, 70);
  EXPECT_EQ(costs.nodes.at(1).flops, 35);
}

constexpr const char* head = "<ir_version: 8, opset_import: [\"\" : 17, \"own\" : 1]> g ";

TEST(Functions, CostWhatTheirBodiesDo) {
  const NodeCosts costs = node_costs(parse_model(std::string(head) + R"((float[2,3] x) => (float[n] z)
    { y = own.twice <to = 1> (x) z = Exp (y) }
    <domain: "own", opset_import: ["" : 17]> twice <to> (a) => (c) { b = Exp (a) c = ReduceSum <keepdims : int = @to> (b) })"),
                                     InputShapes{});
  EXPECT_EQ(costs.nodes.size(), 2U);
  EXPECT_EQ(costs.nodes_uncounted, 0);
  EXPECT_EQ(costs.nodes.at(0).flops, 12);
  EXPECT_EQ(costs.nodes.at(1).flops, 1) << "1 x 1 is left";
}

/// f1 calls f0 twice, f2 calls f1 twice, ...: 2^60 calls.
TEST(Functions, ThatCallEachOtherWithoutEndEnd) {
  std::string text = std::string(head) + "(float[2] x) => (float[n] y) { y = own.f60 (x) }";
  text += "<domain: \"own\", opset_import: [\"\" : 17]> f0 (a) => (b) { b = own.f0 (a) }";
  for (int i = 1; i <= 60; ++i) {
    const std::string before = "own.f" + std::to_string(i - 1);
    text += "<domain: \"own\", opset_import: [\"\" : 17, \"own\" : 1]> f" + std::to_string(i) +
            " (a) => (c) { b = " + before + " (a) c = " + before + " (b) }";
  }
  const NodeCosts costs = node_costs(parse_model(text), InputShapes{});
  EXPECT_GT(costs.nodes_uncounted, 0);
  EXPECT_EQ(costs.flops, std::nullopt);
}

}  // namespace
}  // namespace culprit
