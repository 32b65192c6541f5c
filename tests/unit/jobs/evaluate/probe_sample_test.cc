// The sample that is run before all others, on an executor that refuses what it is told to.
#include "evaluate/probe_sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/file.h"
#include "executor/dispatcher.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

/// Samples of one number each: theirs.
class Numbered final : public SampleSource {
 public:
  explicit Numbered(std::int64_t size) : size_(size) {}
  [[nodiscard]] DataFacts facts() const override { return {}; }
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] std::string name(std::int64_t number) const override { return "s" + std::to_string(number); }
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    return Sample{name(number), {{"x", Tensor::of<float>({1}, {static_cast<float>(number)})}}};
  }

 private:
  std::int64_t size_;
};

/// Takes samples from this number on.
class TakesFrom : public Executor {
 public:
  explicit TakesFrom(float first) : first_(first) {}
  Ending ending = Ending::threw;
  int runs = 0;

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    RunOutcome outcome;
    outcome.job = static_cast<JobId>(++runs);
    fs::create_directories(job.folder);
    for (const fs::path& sample : job.samples) {
      const auto inputs = read_pack(sample).value();
      if (inputs.front().value.number(0) < first_) {
        outcome.failure.ending = ending;
        outcome.failure.message = "too short";
        outcome.stage = RunOutcome::Stage::run;
        break;
      }
      outcome.outputs.push_back(job.folder / (std::to_string(outcome.outputs.size()) + ".pack"));
      if (!write_pack(outcome.outputs.back(), inputs)) throw std::runtime_error("cannot write");
    }
    done_.emplace_back(std::move(outcome));
    return static_cast<JobId>(runs);
  }
  std::optional<Outcome> next() override {
    if (done_.empty()) return std::nullopt;
    Outcome outcome = done_.front();
    done_.pop_front();
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  float first_;
  std::deque<Outcome> done_;
};

class ProbeSample : public ::testing::Test {
 protected:
  Result<ProbedSample> probe(TakesFrom& executor, std::int64_t size, std::size_t at_once) {
    const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "probe-").value();
    Dispatcher dispatcher(executor);
    std::string why;
    return probe_sample(Numbered(size), at_once,
                        {dispatcher, folder.path() / "probe", {}, "net.onnx", [](const auto&) { return RunJob{}; }},
                        why);
  }
};

TEST_F(ProbeSample, ASampleThatIsRefusedIsFollowedByTheNext) {
  for (const std::size_t at_once : {1U, 2U, 4U}) {
    TakesFrom executor(3);
    const auto probed = probe(executor, 6, at_once);
    ASSERT_TRUE(probed) << probed.error().text();
    EXPECT_EQ(probed->number, 3) << at_once;
    EXPECT_EQ(find_value(probed->outputs, "x")->number(0), 3);
    EXPECT_EQ(find_value(probed->inputs, "x")->number(0), 3);
  }
}

TEST_F(ProbeSample, OneThatIsRefusedLaterSaysNothing) {
  TakesFrom executor(0);
  EXPECT_EQ(probe(executor, 3, 3)->number, 0);
  EXPECT_EQ(executor.runs, 1);
}

TEST_F(ProbeSample, AModelThatTakesNoneIsGivenUp) {
  TakesFrom executor(100);
  const auto many = probe(executor, 50, 4);
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error().text(), HasSubstr("net.onnx does not run on sample s0: too short"));
  EXPECT_EQ(executor.runs, static_cast<int>(most_probed));
  TakesFrom few(100);
  EXPECT_THAT(probe(few, 3, 4).error().text(), HasSubstr("sample s0: too short"));
  EXPECT_EQ(few.runs, 3);
}

TEST_F(ProbeSample, AModelThatCrashesIsNotAskedAgain) {
  TakesFrom executor(3);
  executor.ending = Ending::crashed;
  EXPECT_THAT(probe(executor, 6, 1).error().text(), HasSubstr("does not run on sample s0"));
  EXPECT_EQ(executor.runs, 1);
}

}  // namespace
}  // namespace culprit
