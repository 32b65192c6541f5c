// A sample that runs in steps: what each step is fed with, and what comes of all.
#include "tensor/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;
using Floats = std::vector<float>;
using Named = std::vector<NamedTensor>;

Tensor floats(const Shape& shape, const Floats& values) { return Tensor::of<float>(shape, values); }

/// sum = before + x, out = sum * gain.
Result<Named> add_up(const Named& inputs) {
  const float x = find_value(inputs, "x")->as<float>()[0], before = find_value(inputs, "before")->as<float>()[0];
  const float gain = find_value(inputs, "gain")->as<float>()[0];
  return Named{{"out", floats({1}, {(before + x) * gain})}, {"sum", floats({1}, {before + x})}};
}

Named steps_of(const Floats& x) {
  return {{"x", floats({static_cast<std::int64_t>(x.size()), 1}, x), std::string(each_step_part)},
          {"before", floats({1}, {10}), state_part("sum")},
          {"gain", floats({1}, {2})}};
}

TEST(Steps, WhatIsGivenBackIsFedAtTheNextStep) {
  const auto outputs = run_steps(steps_of({1, 2, 3}), add_up);
  ASSERT_TRUE(outputs) << outputs.error().text();
  const Tensor& out = *find_value(*outputs, "out");
  EXPECT_EQ((Shape{3, 1}), out.shape());
  EXPECT_EQ(22, out.as<float>()[0]);
  EXPECT_EQ(26, out.as<float>()[1]);
  EXPECT_EQ(32, out.as<float>()[2]);
  const Tensor& sum = *find_value(*outputs, "sum");
  EXPECT_EQ((Shape{1}), sum.shape()) << "of what is fed back the last value stays";
  EXPECT_EQ(16, sum.as<float>()[0]);
}

TEST(Steps, WhatAStepIsFedWithComesOut) {
  std::size_t runs = 0;
  const StepRun counted = [&](const Named& fed) {
    ++runs;
    return add_up(fed);
  };
  const auto fed = run_steps(shown_at_step(steps_of({1, 2, 3}), 2), counted);
  ASSERT_TRUE(fed) << fed.error().text();
  EXPECT_EQ(2U, runs) << "the step itself is not run";
  EXPECT_EQ((Shape{1}), find_value(*fed, "x")->shape());
  EXPECT_EQ(3, find_value(*fed, "x")->as<float>()[0]);
  EXPECT_EQ(13, find_value(*fed, "before")->as<float>()[0]) << "the state of the steps before";
  EXPECT_EQ(2, find_value(*fed, "gain")->as<float>()[0]);
  EXPECT_FALSE(has_steps(*fed));
  EXPECT_EQ(10, find_value(*run_steps(shown_at_step(steps_of({1, 2}), 0), add_up), "before")->as<float>()[0]);
  EXPECT_TRUE(has_steps(shown_at_step(steps_of({1}), 0)));
  EXPECT_THAT(run_steps(shown_at_step(steps_of({1, 2}), 2), add_up).error().message, HasSubstr("no step 2"));
}

TEST(Steps, AStateAloneIsOneStep) {
  Named inputs = steps_of({1});
  inputs[0] = {"x", floats({1}, {1})};
  EXPECT_EQ(1, step_count(inputs));
  const auto fed = run_steps(shown_at_step(inputs, 0), add_up);
  ASSERT_TRUE(fed) << fed.error().text();
  EXPECT_EQ(10, find_value(*fed, "before")->as<float>()[0]);
}

TEST(Steps, OnlyMarkedSamplesHaveThem) {
  EXPECT_TRUE(has_steps(steps_of({1})));
  EXPECT_FALSE(has_steps(Named{{"x", floats({1}, {1})}}));
  EXPECT_FALSE(has_steps(Named{{"x", floats({1}, {1}), ".values"}}));
}

TEST(Steps, ValuesForOtherNumbersOfStepsAreAnError) {
  Named inputs = steps_of({1, 2, 3});
  inputs[2] = {"gain", floats({2, 1}, {2, 2}), std::string(each_step_part)};
  const auto outputs = run_steps(inputs, add_up);
  ASSERT_FALSE(outputs);
  EXPECT_THAT(outputs.error().message, HasSubstr("'gain' has values for 2 steps, and another input for 3"));
  EXPECT_FALSE(run_steps(steps_of({}), add_up));
}

TEST(Steps, AStateNeedsItsOutput) {
  Named inputs = steps_of({1});
  inputs[1].part = state_part("total");
  EXPECT_THAT(run_steps(inputs, add_up).error().message, HasSubstr("output 'total', and there is none"));
}

TEST(Steps, OutputsThatGrowMustBeFedBack) {
  const StepRun grow = [](const Named& inputs) -> Result<Named> {
    const Tensor& past = *find_value(inputs, "past");
    Floats more(past.as<float>().begin(), past.as<float>().end());
    more.push_back(find_value(inputs, "x")->as<float>()[0]);
    return Named{{"present", floats({static_cast<std::int64_t>(more.size())}, more)}};
  };
  Named inputs{{"x", floats({3, 1}, {4, 5, 6}), std::string(each_step_part)},
               {"past", floats({0}, {}), state_part("present")}};
  const auto outputs = run_steps(inputs, grow);
  ASSERT_TRUE(outputs) << outputs.error().text();
  EXPECT_EQ((Shape{3}), outputs->at(0).value.shape());
  EXPECT_EQ(6, outputs->at(0).value.as<float>()[2]);
  const StepRun leak = [&](const Named& fed) -> Result<Named> {
    auto given = grow(fed);
    given->push_back({"copy", given->at(0).value});
    return given;
  };
  EXPECT_THAT(run_steps(inputs, leak).error().message, HasSubstr("'copy' has another size at a later step"));
}

TEST(Steps, WhatARunSaysIsPassedOn) {
  const StepRun broken = [](const Named&) -> Result<Named> { return fail(ErrorKind::bad_input, "no kernel"); };
  EXPECT_EQ("no kernel", run_steps(steps_of({1}), broken).error().message);
}

}  // namespace
}  // namespace culprit
