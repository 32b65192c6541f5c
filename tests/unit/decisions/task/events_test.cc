// Frames in which something is heard: which are on, when two models differ, and how alike they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/not_numbers.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

Outputs steps_of(const Floats& values) {
  return output_of("prob", {static_cast<std::int64_t>(values.size()), 1, 1}, values);
}

DecisionChange events_change(const Outputs& reference, const Outputs& variant, const TaskSettings& settings = {}) {
  const auto task = make_task("events", facts_of(reference), settings).value();
  return task->change(**task->decide(reference), **task->decide(variant)).value();
}

TEST(Events, AFrameThatFlipsIsAChange) {
  const DecisionChange change = events_change(steps_of({0.1F, 0.75F, 0.5F}), steps_of({0.1F, 0.25F, 0.5F}));
  EXPECT_TRUE(change.changed);
  EXPECT_EQ(change.reference, "frame 1 on");
  EXPECT_EQ(change.variant, "off");
  EXPECT_DOUBLE_EQ(change.margin, 0.25);
  const DecisionChange more = events_change(steps_of({0.25F, 0.75F, 0}), steps_of({0.75F, 0.25F, 1}));
  EXPECT_EQ(more.reference, "frame 0 off");
  EXPECT_EQ(more.variant, "on (3 frames flip)");
  EXPECT_DOUBLE_EQ(more.margin, 0.5);
  const DecisionChange none = events_change(steps_of({0.25F, 0.75F, 0}), steps_of({0.5F, 0.75F, 0.125F}));
  EXPECT_FALSE(none.changed);
  EXPECT_EQ(none.reference, "1 of 3 frames");
}

TEST(Events, ValuesThatAreNoProbabilitiesAreLogits) {
  EXPECT_TRUE(events_change(steps_of({4, 0.25F}), steps_of({0.75F, -0.25F})).changed);  // the variant's look like some
  EXPECT_FALSE(events_change(steps_of({4, 0.25F}), steps_of({0.75F, 0.125F})).changed);
  EXPECT_FALSE(events_change(steps_of({1.0001F, 0.25F}), steps_of({1, 0})).changed);  // but for a rounding
  EXPECT_TRUE(events_change(steps_of({4, 0.25F}), steps_of({0.75F, 0.125F}), {.threshold = 0.2}).changed);
}

TEST(Events, OneThresholdIsForAllSamples) {
  const Outputs logits = steps_of({4, -3}), small = steps_of({0.25F, 0.75F}), smaller = steps_of({0.125F, 0.25F});
  const auto flips = [&](const Outputs& example, const TaskSettings& settings) {
    const auto choice = task_for("events", facts_of(example), example, settings).value();
    return choice.task->change(**choice.task->decide(small), **choice.task->decide(smaller)).value().changed;
  };
  EXPECT_FALSE(flips(logits, {}));
  EXPECT_TRUE(flips(small, {}));
  EXPECT_FALSE(flips(small, {.probabilities = {{"prob", false}}})) << "the graph knows better than one sample";
  EXPECT_TRUE(flips(logits, {.probabilities = {{"prob", true}}}));
  EXPECT_TRUE(flips(logits, {.threshold = 0.5}));
  const auto task = task_for("auto", facts_of(logits), logits, {}).value().task;
  EXPECT_THAT(task->about()[0], HasSubstr("frames above 0 are on, for 'prob' gives logits"));
}

TEST(Events, ClassesOfAFrameAreEventsOfTheirOwn) {
  const Outputs a = output_of("out", {1, 2, 2}, {0, 1, 0, 1}), b = output_of("out", {1, 2, 2}, {0, 1, 1, 0});
  const DecisionChange change = events_change(a, b, {.class_names = {"dog", "cat"}});
  EXPECT_EQ(change.reference, "frame 1 class dog off");
  EXPECT_EQ(change.variant, "on (2 events flip)");
  EXPECT_EQ(events_change(a, a).reference, "2 of 4 events in 2 frames");
  EXPECT_EQ(events_change(output_of("out", {2}, {0, 1}), output_of("out", {2}, {0, 1})).reference, "1 of 2 frames");
}

TEST(Events, StepsMayHaveSeveralClasses) {
  const Outputs a = output_of("out", {3, 1, 2}, {0, 1, 0, 1, 0, 0}),
                b = output_of("out", {3, 1, 2}, {0, 1, 0, 0, 0, 0});
  EXPECT_EQ(events_change(a, b).reference, "frame 1 class 1 on");
  EXPECT_EQ(events_change(a, a).reference, "2 of 6 events in 3 frames");
}

TEST(Events, NanIsNoDecision) {
  const Outputs a = steps_of({0, 1}), lost = steps_of({nan_f, 1});
  EXPECT_TRUE(events_change(a, lost).changed);
  EXPECT_EQ(events_change(a, lost).margin, infinity_f);
  EXPECT_TRUE(events_change(lost, lost).is_undecided);
  EXPECT_FALSE(events_change(lost, lost).changed);
  const DecisionRecord record = compared("events", {{a, lost, {}}});
  EXPECT_EQ(record.metrics.at("frame_agreement").value, 0);
  EXPECT_EQ(record.metrics.at("f1").value, 0);
}

TEST(Events, FramesOfAllSamplesAreCountedTogether) {
  std::vector<MadeSample> samples{{steps_of({0, 1, 1, 1}), steps_of({0, 1, 1, 0}), {}},
                                  {steps_of({0, 0}), steps_of({1, 0}), {}}};
  samples[0].truth.values = {{"right", Tensor::of<std::int64_t>({4}, {1, 1, 0, 0})}};
  samples[1].truth.values = {{"right", Tensor::of<std::int64_t>({2}, {2, 0})}};  // no 0 and 1: nothing is known
  const DecisionRecord record = compared("events", samples);
  EXPECT_DOUBLE_EQ(record.metrics.at("frame_agreement").value, 4.0 / 6);
  EXPECT_DOUBLE_EQ(record.metrics.at("f1").value, 4.0 / 6);  // 2 hits, 1 lost, 1 too many
  EXPECT_EQ(record.labelled, 1);
  EXPECT_DOUBLE_EQ(record.reference_against_labels.at("frame_accuracy").value, 0.25);
  EXPECT_DOUBLE_EQ(record.reference_against_labels.at("f1").value, 0.4);
  EXPECT_DOUBLE_EQ(record.variant_against_labels.at("frame_accuracy").value, 0.5);
  EXPECT_DOUBLE_EQ(record.variant_against_labels.at("f1").value, 0.5);
}

TEST(Events, WhereNothingIsHeardBothAgree) {
  const DecisionRecord record = compared("events", {{steps_of({0, 0}), steps_of({0, 0.25F}), {}}});
  EXPECT_EQ(record.metrics.at("f1").value, 1);
  EXPECT_EQ(record.metrics.at("frame_agreement").value, 1);
}

TEST(Events, AreChosenForTheStepsOfAVoiceDetectorOnly) {
  const auto chosen_for = [](const std::vector<OutputFacts>& outputs) {
    const TaskChoice choice = choose_task(outputs);
    return choice.is_sure ? choice.task->name() : "unsure";
  };
  EXPECT_EQ(chosen_for({{"output", DType::f32, {31, 1, 1}}}), "events");
  EXPECT_EQ(chosen_for({{"speech_prob", DType::f32, {31, 1, 1}}, {"state", DType::f32, {31, 2, 64}}}), "events");
  EXPECT_NE(chosen_for({{"output", DType::f32, {1, 1, 1}}}), "events");
  EXPECT_NE(chosen_for({{"price", DType::f32, {31, 1, 1}}}), "events");
  EXPECT_NE(chosen_for({{"output", DType::f32, {31, 1}}}), "events");
  EXPECT_NE(chosen_for({{"prob", DType::f32, {31, 1, 1}}, {"other", DType::f32, {31, 1, 1}}}), "events");
}

TEST(Events, RefuseWhatTheyCannotRead) {
  const auto task = make_task("events", facts_of(output_of("out", {2, 3, 4}, Floats(24))));
  ASSERT_FALSE(task);
  EXPECT_THAT(task.error().text(), HasSubstr("'out' float32[2,3,4]"));
}

}  // namespace
}  // namespace culprit
