// Nodes whose limits differ, where no sample tells them apart.
#include "evaluator.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class LimitsDiffer : public CompareBench {};

TEST_F(LimitsDiffer, LimitsThatNoSampleTellsApartAreNoProof) {
  const auto cut = [](const std::string& limit) {
    return "g (float[3] x) => (float[3] y) <" + limit + "> { c = Min(x, k)  y = Neg(c) }";
  };
  CompareReport report = compare(cut("float k = {500}"), cut("float k = {600}"));
  EXPECT_EQ(report.status, CompareStatus::not_reached);
  EXPECT_EQ(exit_code_of(report), 3);
  EXPECT_THAT(report.message,
              HasSubstr("1 node is written otherwise in B and gave the same bits: Min 'c'. Their limits"));
  EXPECT_THAT(report.warnings, IsEmpty());
  EXPECT_EQ(compare(cut("float k = {500}"), cut("float k = {500}")).status, CompareStatus::same);
  EXPECT_EQ(compare(cut("float k = {500}"), cut("float[1] k = {500}")).status, CompareStatus::same) << "one number";
  EXPECT_EQ(compare(cut("float k = {500}"), cut("float k = {-900}")).status, CompareStatus::part) << "samples reach it";
}

TEST_F(LimitsDiffer, WhatIsLeftOutHasItsDefault) {
  const auto leaky = [](const std::string& alpha) {
    return "g (float[3] x) => (float[3] y) { a = Abs(x)  y = LeakyRelu" + alpha + "(a) }";
  };
  EXPECT_EQ(compare(leaky(""), leaky("<alpha = 0.01>")).status, CompareStatus::same);
  EXPECT_EQ(compare(leaky(""), leaky("<alpha = 0.5>")).status, CompareStatus::not_reached);
}

TEST_F(LimitsDiffer, AnySampleMayTellThemApart) {
  // The outputs are the same, so the values inside are read on two samples first, and then on the others.
  const auto cut = [](const std::string& limit) {
    return "g (float[3] x) => (float[3] y) <float zero = {0}, float k = {" + limit +
           "}> { c = Min(x, k)  z = Mul(c, zero)  y = Add(x, z) }";
  };
  const auto sample = [](float large) { return std::vector<NamedTensor>{{"x", vector_of({1, 2, large})}}; };
  inputs = {sample(3), sample(4), sample(5)};
  EXPECT_EQ(compare(cut("500"), cut("600")).status, CompareStatus::not_reached);
  inputs.push_back(sample(700));
  EXPECT_EQ(compare(cut("500"), cut("600")).status, CompareStatus::same) << "it differs there, and does no harm";
}

}  // namespace
}  // namespace culprit
