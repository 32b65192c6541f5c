// Models of which no graph is known, as those of other frameworks are.
#include "evaluator.h"

namespace culprit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

class CompareWithoutGraphs : public CompareBench {
 protected:
  CompareWithoutGraphs() { has_graphs = false; }

  static std::string net(const std::string& weights) {
    return "g (float[3] x) => (float[3] y) <float[3] v = {" + weights + "}> { a = Mul(x, v)  y = Abs(a) }";
  }
};

TEST_F(CompareWithoutGraphs, OutputsAreComparedAndItIsSaidThatNothingInsideIs) {
  const CompareReport report = compare(net("1.5, 2, 0.25"), net("1.5, 2, 0.25"));
  EXPECT_EQ(report.status, CompareStatus::same);
  EXPECT_EQ(report.verdict, Verdict::equivalent);
  EXPECT_EQ(report.capture.message, "inner values are compared between two ONNX models only");
  EXPECT_THAT(report.values, IsEmpty());
  EXPECT_EQ(report.environment.onnxruntime, "");
}

TEST_F(CompareWithoutGraphs, WhereTheyPartIsForDiagnose) {
  const CompareReport report = compare(net("1.5, 2, 0.25"), net("1.5, 3, 0.25"));
  EXPECT_EQ(report.status, CompareStatus::part);
  EXPECT_EQ(report.message, "culprit diagnose finds the layer of the first mismatch");
  EXPECT_FALSE(report.first_divergence);
  EXPECT_GT(report.measurements.at("y").max_abs, 2);
  const auto is_draw = [](const RunJob& job) { return job.perturbation.has_value(); };
  EXPECT_TRUE(std::ranges::any_of(evaluator.ran, is_draw)) << "what rounding explains is drawn";
}

TEST_F(CompareWithoutGraphs, AnotherLayoutIsForDiagnoseToo) {
  const CompareReport report = compare(net("1.5, 2, 0.25"), "g (float[1,3] x) => (float[1,3] y) { y = Abs(x) }");
  EXPECT_EQ(report.status, CompareStatus::nothing_in_common);
  EXPECT_THAT(report.message, AllOf(HasSubstr("cannot stand for"), HasSubstr("by culprit diagnose")));
}

}  // namespace
}  // namespace culprit
