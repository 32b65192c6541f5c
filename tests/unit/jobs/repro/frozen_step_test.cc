// A fault on a sample that runs in steps: which of its steps shows it alone, on an executor that follows a script.
#include "repro/frozen_step.h"

#include "base/folder.h"
#include "repro_samples.h"
#include "tensor/steps.h"
#include "tensor/token_loop.h"
#include "unit/jobs/check/bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Named = std::vector<NamedTensor>;

/// The fake, which runs once, run in steps: a job for each step.
class SteppingExecutor : public Executor {
 public:
  FakeExecutor fake;

  JobId submit(OptimizeJob job) override { return fake.submit(std::move(job)); }
  JobId submit(RunJob job) override {
    RunOutcome outcome = run(job);
    outcome.job = last_++;
    queue_.push_back(outcome);
    return outcome.job;
  }
  std::optional<Outcome> next() override {
    if (queue_.empty()) return fake.next();
    Outcome outcome = queue_.front();
    queue_.pop_front();
    return outcome;
  }
  [[nodiscard]] Counts counts() const override { return {}; }

 private:
  RunOutcome run(const RunJob& job) {
    RunOutcome outcome = run_once(job, {});
    outcome.outputs.clear();
    for (std::size_t i = 0; i < job.samples.size() && !outcome.failure.failed(); ++i) {
      const Named inputs = read_pack(job.samples[i]).value();
      const StepRun step = [&](const Named& fed) -> Result<Named> {
        EXPECT_TRUE(write_pack(scratch_.path() / "in.pack", fed));
        outcome.failure = run_once(job, {scratch_.path() / "in.pack"}).failure;
        if (outcome.failure.failed()) return fail(ErrorKind::bad_input, "");
        return read_pack(scratch_.path() / "out" / "0.pack");
      };
      const auto outputs = has_steps(inputs) ? run_steps(inputs, step) : step(inputs);
      if (!outputs || job.folder.empty()) continue;
      EXPECT_TRUE(make_folder(job.folder));
      outcome.outputs.push_back(job.folder / (std::to_string(i) + ".pack"));
      EXPECT_TRUE(write_pack(outcome.outputs.back(), *outputs));
    }
    if (outcome.failure.failed()) outcome.stage = RunOutcome::Stage::run;
    return outcome;
  }

  [[nodiscard]] RunOutcome run_once(RunJob job, std::vector<fs::path> samples) const {
    FakeExecutor once = fake;
    job.samples = std::move(samples);
    job.folder = scratch_.path() / "out";
    const JobId id = once.submit(job);
    while (auto outcome = once.next())
      if (const auto* ran = std::get_if<RunOutcome>(&*outcome); ran != nullptr && ran->job == id) return *ran;
    throw std::runtime_error("the fake owes an answer");
  }

  JobId last_ = 1'000'000;  // the fake counts from 1
  std::deque<Outcome> queue_;
  TemporaryFolder scratch_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-stepping-").value();
};

Tensor numbers(const Shape& shape, const std::vector<float>& values) { return Tensor::of<float>(shape, values); }

/// Three steps, of which x begins with 1, 2 and 3; pass a makes y wrong.
class FrozenSteps : public Bench {
 protected:
  FrozenSteps() {
    fault.id = "F7";
    fault.verdict = Verdict::diverged;
    inputs_ = folder() / "in.pack";
    expected_ = folder() / "out.pack";
    EXPECT_TRUE(write_pack(inputs_, Named{{"x", numbers({3, 2}, {1, -1, 2, -1, 3, -1}), std::string(each_step_part)}}));
    EXPECT_TRUE(write_pack(expected_, Named{{"y", numbers({3, 2}, {2, -2, 4, -2, 6, -2})},
                                            {"z", numbers({3, 2}, {-1, 1, -2, 1, -3, 1})}}));
    stepping.fake.graph = sample_model().SerializeAsString();
    stepping.fake.passes["a"] = breaks("wrong");
  }

  /// The variant is right where x does not begin with this.
  void only_where(float first) {
    stepping.fake.runs_well = [first](const RunJob& job) {
      return !job.samples.empty() && read_pack(job.samples.front()).value().front().value.as<float>()[0] != first;
    };
  }

  Result<KeptFault> kept() {
    OptimizeJob job;
    job.model = model.path;
    job.recipes = {recipe_};
    job.folder = folder();
    stepping.submit(std::move(job));
    while (stepping.next()) {
    }
    const fs::path variant = fault.verdict == Verdict::diverged ? folder() / (hash128("wrong").hex() + ".onnx") : "";
    const FaultCase shown{model, options, fault,   recipe_, Contract::equivalent,
                          {},    "off",   variant, inputs_, expected_,
                          {},    {},      {},      "",      ""};
    auto result = keep_one_step(shown, {stepping, optimizer, folder() / "steps", is_time_up}, keep);
    EXPECT_FALSE(fs::exists(folder() / "steps"));
    return result;
  }

  FaultRecord fault;
  SteppingExecutor stepping;
  Stop is_time_up;
  std::vector<Named> inputs_kept, outputs_kept;
  KeepFault keep = [this](const FaultCase& frozen) -> Result<KeptFault> {
    EXPECT_EQ(frozen.fault.id, "F7");
    EXPECT_EQ(frozen.recipe, recipe_);
    inputs_kept.push_back(read_pack(frozen.inputs).value());
    outputs_kept.push_back(read_pack(frozen.expected).value());
    return KeptFault{"kept"};
  };

 private:
  Recipe recipe_{"onnx_optimizer", {"a"}, Repeat::once};
  fs::path inputs_, expected_;
};

TEST_F(FrozenSteps, TheStepThatShowsTheFaultIsAPlainSample) {
  only_where(2);
  const auto result = kept();
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->repro, "kept");
  ASSERT_EQ(inputs_kept.size(), 1U);
  EXPECT_FALSE(has_steps(inputs_kept[0]));
  EXPECT_TRUE(find_value(inputs_kept[0], "x")->identical(numbers({2}, {2, -1})));
  EXPECT_TRUE(find_value(outputs_kept[0], "y")->identical(numbers({2}, {4, -2}))) << "the original's own, of that step";
}

TEST_F(FrozenSteps, AFaultThatNoStepShowsAloneIsSaidSo) {
  only_where(4);
  const auto result = kept();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(result.error().message, HasSubstr("none of the steps that were tried shows the fault alone "
                                                "(from 0 on: 0, 2)"));
  EXPECT_TRUE(inputs_kept.empty());
}

TEST_F(FrozenSteps, AnotherFailureIsNotTheFault) {
  fault.verdict = Verdict::run_failed;
  EXPECT_FALSE(kept()) << "its values are wrong, and it runs";
  EXPECT_TRUE(inputs_kept.empty());
}

TEST_F(FrozenSteps, WhatDoesNotRunIsTriedAtTheFirstStep) {
  fault.verdict = Verdict::run_failed;
  stepping.fake.passes["a"].running = failure(Ending::crashed, "signal 11");
  const auto result = kept();
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(inputs_kept.size(), 1U);
  EXPECT_TRUE(find_value(inputs_kept[0], "x")->identical(numbers({2}, {1, -1})));
}

TEST_F(FrozenSteps, WhereTheTimeIsUpNothingIsRun) {
  is_time_up = [] { return true; };
  const auto result = kept();
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("the time was up"));
  EXPECT_TRUE(stepping.fake.ran.empty());
}

TEST_F(FrozenSteps, WhatCannotBeKeptIsPassedOn) {
  keep = [](const FaultCase&) -> Result<KeptFault> { return fail(ErrorKind::io, "the disk is full"); };
  const auto result = kept();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "the disk is full");
}

/// Five steps of x, whose state is fed with `sum`.
Named five_steps() {
  return {{"x", numbers({5, 1}, {1, 2, 3, 4, 5}), std::string(each_step_part)},
          {"before", numbers({1}, {0}), state_part("sum")}};
}

TEST(StepsToTry, BeginWhereOutputsPartAndOneStepBefore) {
  const Named right{{"y", numbers({5, 1}, {1, 2, 3, 4, 5})}, {"z", numbers({5, 1}, {1, 2, 3, 4, 5})}};
  const Named found{{"y", numbers({5, 1}, {1, 2, 3, 9, 9})}, {"z", numbers({5, 1}, {1, 2, 8, 8, 8})}};
  EXPECT_THAT(steps_to_try(five_steps(), right, found, {}).value(), ElementsAre(2, 3, 1, 0, 4));
}

TEST(StepsToTry, WhatIsWithinTheToleranceOfTheWholeOutputTellsNothing) {
  const Named right{{"y", numbers({5, 1}, {1000, 0, 1000, 1000, 1000})}, {"sum", numbers({5}, {5, 5, 5, 5, 5})}};
  const Named found{{"y", numbers({5, 1}, {1000, 0.001F, 1000, 1000, 1000})}, {"sum", numbers({5}, {5, 5, 9, 9, 9})}};
  EXPECT_THAT(steps_to_try(five_steps(), right, found, {}).value(), ElementsAre(0, 4)) << "sum is fed back";
  EXPECT_THAT(steps_to_try(five_steps(), right, found, {1e-6, 1e-6}).value(), ElementsAre(1, 0, 4));
  EXPECT_THAT(steps_to_try(five_steps(), right, {}, {}).value(), ElementsAre(0, 4)) << "nothing was given";
}

TEST(StepsToTry, OfATextNoneComesAfterItsEnd) {
  const Named sample{{"ids", Tensor::of<std::int64_t>({1, 1}, {7}), token_part({6, 2, "logits", true})}};
  const Named right{{"tokens", Tensor::of<std::int64_t>({6}, {5, 4, 3, 2, 2, 2})},
                    {"top_scores", numbers({6, 1}, {1, 1, 1, 1, 1, 1})}};
  EXPECT_THAT(steps_to_try(sample, right, right, {}).value(), ElementsAre(0, 3));
  Named found = right;
  found[1].value = numbers({6, 1}, {1, 1, 1, 1, 1, 2});
  EXPECT_THAT(steps_to_try(sample, right, found, {}).value(), ElementsAre(0, 3)) << "those were not run";
  found[1].value = numbers({6, 1}, {1, 1, 2, 1, 1, 1});
  EXPECT_THAT(steps_to_try(sample, right, found, {}).value(), ElementsAre(2, 1, 0, 3));
  found[0].value = Tensor::of<std::int64_t>({6}, {5, 1, 3, 2, 2, 2});
  EXPECT_THAT(steps_to_try(sample, right, found, {}).value(), ElementsAre(1, 2, 0, 3));
}

}  // namespace
}  // namespace culprit
