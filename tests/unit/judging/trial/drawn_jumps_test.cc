// Steps of quantizing, and shapes that hang on values, judged by draws.
#include <gmock/gmock.h>

#include "drawn_judge_bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// y = Round(w * x): of x = 0.5 (and w = 1) it is decided by rounding.
class DrawnSteps : public DrawnJudgeBench {
 protected:
  DrawnSteps() {
    takes("g (float[4] x) => (float[4] y) <float[4] w = {1, 1, 1, 1}> { a = MatMul(x, w)  y = Round(a) }");
    computer.computes = [](const Floats& w, const Floats& x) {
      Floats y;
      for (std::size_t i = 0; i < x.size(); ++i) y.push_back(std::nearbyint(w[i] * x[i]));
      return std::vector<NamedTensor>{{"y", vector_of(y)}};
    };
    binding.outputs = {0};
  }
};

TEST_F(DrawnSteps, OneOnTheEdgeMayBeTaken) {
  feed({{0.5F, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent) << judgement.message;
  EXPECT_TRUE(floor_of("y").stepped);
  EXPECT_LT(floor_of("y").abs, 1e-4) << "it lifts nobody";
  EXPECT_THAT(hidden_by_rounding(reference, judge().known()), SizeIs(1)) << "of four elements one";
}

TEST_F(DrawnSteps, WhereNothingIsOnTheEdgeTheyAreWrong) {
  feed({{0.5F, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 4, 8, 10})});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_EQ(judgement.measurements.at("y").beyond_tolerance, 3);
}

/// y holds the elements of w * x that are above 1.
class JumpsOfShapes : public DrawnJudgeBench {
 protected:
  JumpsOfShapes() {
    takes("g (float[4] x) => (float[n] y) <float[4] w = {1, 1, 1, 1}> { y = MatMul(x, w) }");
    computer.computes = [](const Floats& w, const Floats& x) {
      Floats y;
      for (std::size_t i = 0; i < x.size(); ++i)
        if (w[i] * x[i] > 1) y.push_back(std::round(x[i]));
      return std::vector<NamedTensor>{{"y", vector_of(y)}};
    };
    binding.outputs = {0};
  }
};

TEST_F(JumpsOfShapes, AreNoFaultWhereDrawsChangeTheShapeToo) {
  feed({{1, 3, 7, 9}, {0, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9}), vector_of({3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent) << judgement.message;
  EXPECT_THAT(judgement.message, HasSubstr("shape [3] resized to [4], as rounding alone does"));
}

TEST_F(JumpsOfShapes, AreAFaultWhereNoDrawChangesTheShape) {
  feed({{0, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_THAT(judgement.message, HasSubstr("shape [3] became [4]"));
}

TEST_F(JumpsOfShapes, AreAFaultWhereTheSizeIsMuchFurtherOff) {
  feed({{1, 3, 7, 9}});
  EXPECT_EQ(judged({vector_of({1, 2, 3, 4, 5, 6, 7, 8})}).verdict, Verdict::diverged) << "5 more, draws make it 1";
}

TEST_F(JumpsOfShapes, AreInconclusiveWhereNoSampleCouldBeCompared) {
  feed({{1, 3, 7, 9}});
  const Judgement judgement = judged({vector_of({1, 3, 7, 9})});
  EXPECT_EQ(judgement.verdict, Verdict::inconclusive);
  EXPECT_THAT(judgement.message, HasSubstr("nothing of it could be compared on any sample"));
}

TEST_F(JumpsOfShapes, DoNotExcuseValuesOnOtherSamples) {
  feed({{1, 3, 7, 9}, {0, 3, 7, 9}});
  EXPECT_EQ(judged({vector_of({1, 3, 7, 9}), vector_of({4, 7, 9})}).verdict, Verdict::diverged);
}

TEST_F(JumpsOfShapes, AnotherRankIsNeverExcused) {
  feed({{1, 3, 7, 9}});
  const Tensor matrix = Tensor::of<float>({1, 3}, Floats{3, 7, 9});
  EXPECT_EQ(judged({matrix}).verdict, Verdict::diverged);
}

}  // namespace
}  // namespace culprit
