// What is inside of Ifs is compared like all else: the branches that run.
#include "evaluator.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// An If whose branches weigh x by other numbers, in an If that is taken where c is true.
std::string branches(const std::string& weight, const std::string& other = "2, 2, 2", const std::string& c = "c") {
  return "g (float[3] x, bool[1] c, bool[1] d) => (float[3] y) <float[3] v = {" + weight + "}, float[3] w = {" + other +
         "}> {\n  z = If(" + c +
         ") <"
         "then_branch = t () => (float[3] p) {\n"
         "    i = If(d) <then_branch = tt () => (float[3] q) { m = Mul(x, v)  q = Abs(m) },"
         " else_branch = te () => (float[3] q) { m = Mul(x, w)  q = Neg(m) }>\n"
         "    p = Add(i, x) },\n"
         "  else_branch = e () => (float[3] p) { p = Mul(x, w) }>\n"
         "  y = Relu(z) }";
}

class TakenBranchesTest : public CompareBench {
 protected:
  TakenBranchesTest() { inputs = {sample(1, 1), sample(1, 0), sample(0, 0)}; }

  static std::vector<NamedTensor> sample(float c, float d) {
    return {{"x", vector_of({1.5F, -2.25F, 3.125F})}, {"c", vector_of({c})}, {"d", vector_of({d})}};
  }
};

TEST_F(TakenBranchesTest, AFaultInAnIfOfAnIfIsNamed) {
  const CompareReport report = compare(branches("1, 2, 3"), branches("1, 2.5, 3"));
  EXPECT_EQ(report.status, CompareStatus::part) << report.message;
  ASSERT_TRUE(report.first_divergence) << report.message;
  EXPECT_EQ(report.first_divergence->a, "m");
  EXPECT_EQ(report.first_divergence->nodes_b.front().op, "Mul");
  EXPECT_EQ(state(report, "z"), "inherited") << "what the outer branch gives has the name of the If's output";
  ASSERT_THAT(report.warnings, SizeIs(1));
  EXPECT_EQ(report.warnings[0].code, "branches_taken");
  EXPECT_THAT(report.warnings[0].message, HasSubstr("2 If of A and 2 of B stand the branches that sample 0 takes"));
  EXPECT_EQ(report.inner_samples, (std::vector<std::size_t>{0})) << "the others take other branches";
}

TEST_F(TakenBranchesTest, TheSampleThatDiffersMostTellsTheBranches) {
  const CompareReport report = compare(branches("1, 2, 3"), branches("1, 2, 3", "2, 2, 5"));
  ASSERT_TRUE(report.first_divergence) << report.message;
  EXPECT_EQ(report.first_divergence->nodes_b.front().op, "Mul");
  EXPECT_NE(report.inner_samples.front(), 0U) << "of the branches that it takes none differs";
}

TEST_F(TakenBranchesTest, BranchesThatNoSampleTakesAndThatDifferAreTold) {
  inputs = {sample(1, 1)};
  const CompareReport report = compare(branches("1, 2, 3"), branches("1, 2, 3", "2, 2, 5"));
  EXPECT_EQ(report.status, CompareStatus::same);
  ASSERT_THAT(report.warnings, SizeIs(2));
  EXPECT_EQ(report.warnings[1].code, "branches_not_taken");
  EXPECT_THAT(report.warnings[1].message,
              HasSubstr("branches of If that sample 0 does not take are written otherwise"));
  EXPECT_THAT(compare(branches("1, 2, 3"), branches("1, 2, 3")).warnings, SizeIs(1));
}

TEST_F(TakenBranchesTest, AModelWithoutConditionsStaysAsItIs) {
  const std::string plain = "g (float[3] x) => (float[3] y) { y = Relu(x) }";
  EXPECT_THAT(compare(plain, plain).warnings, IsEmpty());
}

TEST_F(TakenBranchesTest, IfConditionsCannotBeToldTheIfStays) {
  evaluator.failing_files = {"branches-a-0.onnx", "branches-b-0.onnx"};
  const CompareReport report = compare(branches("1, 2, 3"), branches("1, 2.5, 3"));
  EXPECT_EQ(report.status, CompareStatus::part);
  ASSERT_TRUE(report.first_divergence) << report.message;
  EXPECT_EQ(report.first_divergence->nodes_b.front().op, "If");
  EXPECT_THAT(report.warnings, IsEmpty());
}

}  // namespace
}  // namespace culprit
