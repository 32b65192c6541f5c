#include "repro/original_witnesses.h"

#include <fstream>

#include "repro_samples.h"
#include "unit/jobs/check/bench.h"

namespace culprit {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Gives a file for each sample, but for those after which it is to fail.
class CountingEvaluator : public Evaluator {
 public:
  std::size_t good = SIZE_MAX;
  std::vector<EvaluatorJob> asked;

  [[nodiscard]] std::string version() const override { return "1.20.0"; }
  Result<std::vector<EvaluatorOutcome>> run(std::span<const EvaluatorJob> jobs) override {
    asked.assign(jobs.begin(), jobs.end());
    std::vector<EvaluatorOutcome> outcomes(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (i >= good) outcomes[i].failure = "NotImplementedError";
      outcomes[i].outputs = jobs[i].folder / "outputs.pack";
    }
    return outcomes;
  }
};

class OriginalWitnesses : public ::testing::Test {
 protected:
  OriginalWitnesses() {
    job.model = folder_.path() / "net.onnx";
    std::ofstream(job.model) << "a model";
    job.samples = {"a.pack", "b.pack"};
    job.folder = folder_.path() / "out";
    job.limits.cpu_seconds = 500;
  }

  CountingEvaluator evaluator;
  RunJob job;

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-witness").value();
};

TEST_F(OriginalWitnesses, NobodyWhereNobodyWasNamed) { EXPECT_THAT(witnesses_of(nullptr, nullptr), IsEmpty()); }

TEST_F(OriginalWitnesses, TheEvaluatorRunsEachSampleInTheModelsOwnTypes) {
  const auto witnesses = witnesses_of(nullptr, &evaluator);
  ASSERT_THAT(witnesses, SizeIs(1));
  EXPECT_EQ(witnesses[0].runner, "onnx.reference");
  const RunOutcome outcome = witnesses[0].run(job).value();
  EXPECT_EQ(outcome.runtime_version, "1.20.0");
  EXPECT_FALSE(outcome.failure.failed());
  ASSERT_THAT(outcome.outputs, SizeIs(2));
  EXPECT_EQ(outcome.outputs[1], evaluator.asked[1].folder / "outputs.pack");
  EXPECT_EQ(evaluator.asked[1].inputs, "b.pack");
  EXPECT_NE(evaluator.asked[0].folder, evaluator.asked[1].folder);
  EXPECT_FALSE(evaluator.asked[0].in_float64);
  EXPECT_EQ(evaluator.asked[0].limits.cpu_seconds, 60) << "it is slow, and only asked beside";
}

TEST_F(OriginalWitnesses, OneSampleThatFailsIsEnough) {
  evaluator.good = 1;
  const RunOutcome outcome = witnesses_of(nullptr, &evaluator)[0].run(job).value();
  EXPECT_TRUE(outcome.failure.failed());
  EXPECT_EQ(outcome.failure.message, "NotImplementedError");
}

TEST_F(OriginalWitnesses, ASecondRuntimeIsAnExecutor) {
  FakeExecutor second;
  const auto witnesses = witnesses_of(&second, nullptr);
  ASSERT_THAT(witnesses, SizeIs(1));
  EXPECT_EQ(witnesses[0].runner, "onnxruntime");
  job.samples.clear();
  EXPECT_EQ(witnesses[0].run(job).value().runtime_version, "1.31.1");
  EXPECT_THAT(second.ran, SizeIs(1));
}

}  // namespace
}  // namespace culprit
