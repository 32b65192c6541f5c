// A variant that computes by other operators is drawn itself (docs/judging.md, "By other operators").
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "drawn_judge_bench.h"

namespace culprit {
namespace {

using testing::IsEmpty;

constexpr float tiny = 1e-8F;

/// The model has an accurate operator: y = [x0 * w0, 1e-8 * w1]. The variant has the textbook form with three weights:
/// y = [x0 * w0, (1e-8 + w1) - w2].
class DrawnVariants : public DrawnJudgeBench {
 protected:
  DrawnVariants() {
    computer.computes = [](const Floats& w, const Floats& x) {
      const float small = w.size() < 3 ? tiny * w[1] : (tiny + w[1]) - w[2];
      return std::vector<NamedTensor>{{"y", vector_of({x[0] * w[0], small})}};
    };
    binding.outputs = {0};
    takes("g (float[2] x) => (float[2] y) <float[2] w = {1, 1}> { y = Softplus(x) }");
    feed({{1.1F}});
    write("variant.onnx", "y = Log(x)");
    write("same.onnx", "y = Softplus(x)");
  }

  /// A variant with three weights.
  void write(const std::string& name, const std::string& nodes) {
    onnx::ModelProto proto;
    const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y)
        <float[3] w = {1, 1, 1}> { )" +
                             nodes + " }";
    ASSERT_TRUE(onnx::OnnxParser::Parse(proto, text.c_str()).IsOK());
    ASSERT_TRUE(save_model(proto, folder() / name));
  }

  Judgement judged_by(const std::string& file, float small) {
    const RunOutcome outcome = variant({vector_of({1.1F, small})});
    Judgement judgement;
    judge().judge(outcome, binding, Contract::equivalent, [&](Judgement made) { judgement = std::move(made); },
                  {.variant = DrawnVariant{folder() / file, {}}});
    EXPECT_TRUE(dispatcher.drain());
    return judgement;
  }

  [[nodiscard]] std::ptrdiff_t runs_of(const std::string& file) const {
    return std::ranges::count(computer.ran, folder() / file, &RunJob::model);
  }
};

TEST_F(DrawnVariants, WhatCancelsInItIsRounding) {
  const Judgement judgement = judged_by("variant.onnx", 0);
  EXPECT_EQ(judgement.verdict, Verdict::equivalent) << judgement.message;
  EXPECT_EQ(runs_of("variant.onnx"), 1 + variant_draws) << "as it is, and moved";
  EXPECT_TRUE(fs::is_empty(folder() / "outputs")) << "nothing is left behind";
}

TEST_F(DrawnVariants, OfTheSameOperatorsItIsNotDrawn) {
  EXPECT_EQ(judged_by("same.onnx", 0).verdict, Verdict::diverged);
  EXPECT_EQ(runs_of("same.onnx"), 0);
}

TEST_F(DrawnVariants, NorWhereNothingIsAtFaultOrNoDrawCouldTell) {
  EXPECT_EQ(judged_by("variant.onnx", tiny).verdict, Verdict::equivalent);
  EXPECT_EQ(judged_by("variant.onnx", 0.5F).verdict, Verdict::diverged);
  EXPECT_EQ(judged_by("variant.onnx", std::nanf("")).verdict, Verdict::diverged);
  EXPECT_EQ(runs_of("variant.onnx"), 0);
}

TEST_F(DrawnVariants, AnErrorBeyondWhatItsDrawsReachStaysAFault) {
  EXPECT_EQ(judged_by("variant.onnx", 3e-4F).verdict, Verdict::diverged);
  options.strict = true;
  EXPECT_EQ(judged_by("variant.onnx", 1e-5F).verdict, Verdict::deviates);
}

TEST_F(DrawnVariants, WithoutDrawsNoneIsDrawn) {
  options.draws = 0;
  judged_by("variant.onnx", 0);
  EXPECT_THAT(computer.ran, IsEmpty());
}

}  // namespace
}  // namespace culprit
