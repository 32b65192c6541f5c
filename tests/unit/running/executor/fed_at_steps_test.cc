// The middle of samples that run in steps, on an executor that gives back the samples themselves.
#include "executor/fed_at_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <deque>

#include "base/file.h"
#include "tensor/pack_file.h"
#include "tensor/steps.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class GivesBack : public Executor {
 public:
  std::size_t takes = 100;  ///< samples, before it fails
  JobId submit(OptimizeJob) override { return 0; }
  JobId submit(RunJob job) override {
    RunOutcome outcome;
    outcome.job = 1;
    for (const fs::path& sample : job.samples)
      if (outcome.outputs.size() < takes) outcome.outputs.push_back(sample);
    if (job.samples.size() > takes) outcome.failure.ending = Ending::threw;
    outcome.failure.message = job.samples.size() > takes ? "too long" : "";
    done_.emplace_back(std::move(outcome));
    return 1;
  }
  std::optional<Outcome> next() override {
    if (done_.empty()) return std::nullopt;
    Outcome outcome = done_.front();
    done_.pop_front();
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  std::deque<Outcome> done_;
};

class FedAtSteps : public ::testing::Test {
 protected:
  auto fed(GivesBack& executor) {
    Dispatcher dispatcher(executor);
    RunJob job;
    job.model = "net.onnx";
    job.folder = folder_.path() / "fed";
    return fed_at_steps(dispatcher, std::move(job), sample_, std::array<std::int64_t, 2>{0, 2});
  }

  const TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "fed-").value();
  const std::vector<NamedTensor> sample_{{"x", Tensor::of<float>({3, 1}, {1, 2, 3}), std::string(each_step_part)}};
};

TEST_F(FedAtSteps, EachStepIsASampleThatShowsIt) {
  GivesBack executor;
  const auto packs = fed(executor);
  ASSERT_TRUE(packs) << packs.error().text();
  ASSERT_EQ(packs->size(), 2U);
  for (const auto& [place, number] : {std::pair<std::size_t, std::int64_t>{0, 0}, {1, 2}}) {
    const auto shown = shown_at_step(sample_, number), read = read_pack((*packs)[place]).value();
    EXPECT_EQ(read[0].part, shown[0].part) << number;
  }
}

TEST_F(FedAtSteps, TheStepThatTheModelDoesNotReachIsNamed) {
  GivesBack executor;
  executor.takes = 1;
  const auto packs = fed(executor);
  ASSERT_FALSE(packs);
  EXPECT_EQ(packs.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(packs.error().message, HasSubstr("net.onnx does not run up to step 2: too long"));
}

}  // namespace
}  // namespace culprit
