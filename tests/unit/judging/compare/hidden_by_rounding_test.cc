// A chaotic part lets rounding move all that is behind it. What nodes make of given values tells faults there all the
// same, and clean rewrites are none.
#include "evaluator.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::Field;

constexpr int turns = 60;

/// A logistic map, v = r v (1 - v); `scaled`: all values inside are so many times as large.
std::string map(const std::string& tail, bool other_order = false, float scaled = 1, const std::string& last = "v") {
  const auto number = [](float value) { return std::to_string(value) + ", "; };
  const auto three = [&](float value) { return number(value) + number(value) + std::to_string(value); };
  std::string nodes = "v0 = Mul(x, c) ";
  for (int i = 0; i < turns; ++i) {
    const std::string v = "v" + std::to_string(i), a = "a" + std::to_string(i), b = "b" + std::to_string(i);
    const std::string next = i + 1 == turns ? last : "v" + std::to_string(i + 1);
    nodes += a + " = Sub(one, " + v + ") " + b + " = Mul(" + v + (other_order ? ", " + a + ") " : ", r) ") + next +
             " = Mul(" + b + (other_order ? ", r) " : ", " + a + ") ");
  }
  return "g (float[3] x) => (float[3] y) <float[3] c = {" + three(scaled) + "}, float[3] one = {" + three(scaled) +
         "}, float[3] r = {" + three(3.9F / scaled) + "}, float[3] k = {" + three(1 / scaled) +
         "}, float[3] zero = {0, 0, 0}> { " + nodes + tail + " }";
}

class HiddenByRounding : public CompareBench {
 protected:
  HiddenByRounding() { inputs = {{{"x", vector_of({0.3F, 0.7F, 0.11F})}}, {{"x", vector_of({0.2F, 0.6F, 0.4F})}}}; }
};

TEST_F(HiddenByRounding, AFaultBehindItIsFoundByItsNodes) {
  const CompareReport report = compare(map("y = Identity(v)"), map("y = Neg(v)"));
  EXPECT_THAT(report.warnings, Contains(Field(&Warning::code, "floor_hides")));
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_EQ(exit_code_of(report), 1);
  EXPECT_EQ(report.verdict, Verdict::diverged);
  ASSERT_TRUE(report.first_divergence);
  EXPECT_EQ(report.first_divergence->b, "y");
  EXPECT_EQ(state(report, "y"), "made_here");
  EXPECT_EQ(verdict_of(report.remade.at("y")), Verdict::diverged);
  EXPECT_EQ(compare(map("y = Identity(v)"), map("y = Neg(v)", true)).status, CompareStatus::part);
  EXPECT_EQ(compare(map("y = Identity(v)"), map("y = Mul(v, zero)")).status, CompareStatus::part);
}

TEST_F(HiddenByRounding, AnotherOrderIsRounding) {
  const CompareReport report = compare(map("y = Identity(v)"), map("y = Identity(v)", true));
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_EQ(verdict_of(report.remade.at("y")), Verdict::equivalent);
}

TEST_F(HiddenByRounding, WhatOneNodeChangesAndALaterOneTakesBackIsNotWrong) {
  const CompareReport report = compare(map("y = Mul(v, k)"), map("y = Mul(v, k)", false, 2));
  EXPECT_EQ(report.status, CompareStatus::same) << report.message;
  EXPECT_EQ(compare(map("y = Mul(v, k)"), map("y = Mul(v, one)", false, 3)).status, CompareStatus::part);
}

TEST_F(HiddenByRounding, WhereNodesCannotBeAskedItIsSaid) {
  options.bytes_per_run = 1;
  const CompareReport report = compare(map("y = Identity(v)"), map("y = Neg(v)", true));
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_THAT(report.warnings, Contains(Field(&Warning::code, "nodes_not_asked")));
}

}  // namespace
}  // namespace culprit
