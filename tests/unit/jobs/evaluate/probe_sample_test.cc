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
  Numbered(std::int64_t size, DataSource source) : size_(size), source_(source) {}
  [[nodiscard]] DataFacts facts() const override {
    DataFacts facts;
    facts.source = source_;
    return facts;
  }
  [[nodiscard]] std::int64_t size() const override { return size_; }
  [[nodiscard]] std::string name(std::int64_t number) const override { return "s" + std::to_string(number); }
  [[nodiscard]] Result<Sample> at(std::int64_t number, const Stop& /*stop*/) const override {
    return Sample{name(number), {{"x", Tensor::of<float>({1}, {static_cast<float>(number)})}}};
  }

 private:
  std::int64_t size_;
  DataSource source_;
};

/// Takes samples from this number on, and but for one.
class TakesFrom : public Executor {
 public:
  explicit TakesFrom(float first, float but = -1) : first_(first), but_(but) {}
  Ending ending = Ending::threw;
  int runs = 0;

  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    RunOutcome outcome;
    outcome.job = static_cast<JobId>(++runs);
    fs::create_directories(job.folder);
    for (const fs::path& sample : job.samples) {
      const auto inputs = read_pack(sample).value();
      const auto number = static_cast<float>(inputs.front().value.number(0));
      if (number < first_ || number == but_) {
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
  float first_, but_;
  std::deque<Outcome> done_;
};

class ProbeSample : public ::testing::Test {
 protected:
  Result<ProbedSample> probe(TakesFrom& executor, std::int64_t size, DataSource source = DataSource::file) {
    const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "probe-").value();
    Dispatcher dispatcher(executor);
    std::string why;
    return probe_sample(Numbered(size, source),
                        {dispatcher, folder.path() / "probe", {}, "net.onnx", [](const auto&) { return RunJob{}; }},
                        why);
  }
};

TEST_F(ProbeSample, ASampleThatIsRefusedIsFollowedByTheNext) {
  TakesFrom executor(3);
  const auto probed = probe(executor, 6);
  ASSERT_TRUE(probed) << probed.error().text();
  EXPECT_EQ(probed->number, 3);
  EXPECT_EQ(find_value(probed->outputs, "x")->number(0), 3);
  EXPECT_EQ(find_value(probed->inputs, "x")->number(0), 3);
}

TEST_F(ProbeSample, MadeUpOnesMustRunInTwos) {
  TakesFrom all(0);
  EXPECT_EQ(probe(all, 6, DataSource::synthesized)->number, 0);
  for (const float refused : {0.0F, 1.0F}) {
    TakesFrom executor(0, refused);
    const auto probed = probe(executor, 6, DataSource::synthesized);
    ASSERT_FALSE(probed) << "every second one has other sizes: sample " << refused;
    EXPECT_THAT(probed.error().text(), HasSubstr(refused == 0 ? "sample s0" : "sample s1"));
    EXPECT_EQ(executor.runs, 1);
  }
}

TEST_F(ProbeSample, AModelThatTakesNoneIsGivenUp) {
  TakesFrom executor(100);
  const auto many = probe(executor, 50);
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error().text(), HasSubstr("net.onnx does not run on sample s0: too short"));
  EXPECT_EQ(executor.runs, static_cast<int>(most_probed));
  TakesFrom few(100);
  EXPECT_THAT(probe(few, 3).error().text(), HasSubstr("sample s0: too short"));
  EXPECT_EQ(few.runs, 3);
}

TEST_F(ProbeSample, AModelThatCrashesIsNotAskedAgain) {
  TakesFrom executor(3);
  executor.ending = Ending::crashed;
  EXPECT_THAT(probe(executor, 6).error().text(), HasSubstr("does not run on sample s0"));
  EXPECT_EQ(executor.runs, 1);
}

}  // namespace
}  // namespace culprit
