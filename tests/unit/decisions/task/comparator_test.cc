// What holds for the comparators of all tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

class EachTask : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Random random(1, GetParam());
    for (int i = 0; i < 150; ++i) samples_.push_back(made_sample(GetParam(), random));
    auto made = make_task(GetParam(), facts_of(samples_.front().reference), made_settings(GetParam()));
    ASSERT_TRUE(made) << made.error().text();
    task_ = std::move(*made);
  }

  [[nodiscard]] std::unique_ptr<Comparator> comparator() const { return task_->comparator({}).value(); }
  [[nodiscard]] std::unique_ptr<Comparator> comparator_with_scores() const {
    return task_->comparator({.with_scores = true}).value();
  }

  void add(Comparator& to, std::size_t number, bool is_copy = false) const {
    const MadeSample& sample = samples_[number];
    SampleOutputs outputs{static_cast<std::int64_t>(number), &sample.truth, sample.reference,
                          is_copy ? sample.reference : sample.variant};
    outputs.text = sample.text ? &*sample.text : nullptr;
    const auto added = to.add(outputs);
    ASSERT_TRUE(added) << added.error().text();
  }

  std::vector<MadeSample> samples_;
  std::unique_ptr<DecisionTask> task_;
};

TEST_P(EachTask, ChunksMergedInOrderGiveTheBitsOfOneRun) {
  const auto whole = comparator();
  for (std::size_t i = 0; i < samples_.size(); ++i) add(*whole, i);
  const DecisionRecord wanted = whole->result().value();
  EXPECT_EQ(wanted.samples, 150);
  Random random(7, GetParam());
  for (int turn = 0; turn < 6; ++turn) {
    const auto merged = comparator();
    auto chunk = comparator();
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      add(*chunk, i);
      if (random.uniform() > 0.15 && i + 1 < samples_.size()) continue;
      const auto state = chunk->state();
      ASSERT_TRUE(state);
      ASSERT_TRUE(merged->merge(*state));
      chunk = comparator();
    }
    EXPECT_EQ(merged->result().value(), wanted);
    EXPECT_EQ(merged->changed(), whole->changed());
  }
}

TEST_P(EachTask, AnExactCopyIsPerfect) {
  const auto copy = comparator();
  for (std::size_t i = 0; i < samples_.size(); ++i) add(*copy, i, true);
  const DecisionRecord record = copy->result().value();
  EXPECT_EQ(record.changed, 0);
  EXPECT_TRUE(record.worst.empty());
  EXPECT_FALSE(record.metrics.empty());
  for (const auto& [name, metric] : record.metrics) {
    const bool is_error = name == "relative_error" || name == "wer" || name == "cer";
    const double perfect = name == "psnr" ? std::numeric_limits<double>::infinity() : is_error ? 0 : 1;
    EXPECT_EQ(metric.value, perfect) << name;
  }
  EXPECT_EQ(record.reference_against_labels, record.variant_against_labels);
}

TEST_P(EachTask, EveryMetricLiesInItsInterval) {
  const auto all = comparator();
  for (std::size_t i = 0; i < samples_.size(); ++i) add(*all, i);
  const DecisionRecord record = all->result().value();
  const auto check = [](const auto& metrics) {
    for (const auto& [name, metric] : metrics) {
      EXPECT_LE(metric.low, metric.value) << name;
      EXPECT_GE(metric.high, metric.value) << name;
      EXPECT_LT(metric.low, metric.high) << name;
      EXPECT_TRUE(name == "psnr" || std::abs(metric.value) <= 1) << name;
    }
  };
  check(record.metrics);
  check(record.reference_against_labels);
  check(record.variant_against_labels);
  EXPECT_LE(record.worst.size(), 10U);
  EXPECT_FALSE(record.worst.empty());
  for (std::size_t i = 1; i < record.worst.size(); ++i) EXPECT_GE(record.worst[i - 1].margin, record.worst[i].margin);
  EXPECT_EQ(record.changed > 0, GetParam() != "tensor");
  EXPECT_EQ(static_cast<std::int64_t>(all->changed().size()), record.changed);
}

/// Boxes and chances spill; nothing else grows by more than 64 bytes a sample.
TEST_P(EachTask, AtMost64BytesOfASampleStay) {
  const auto all = comparator();
  std::string before;
  for (std::size_t i = 0; i < 300; ++i) {
    const MadeSample& sample = samples_[i % samples_.size()];
    ASSERT_TRUE(all->add({static_cast<std::int64_t>(1000 + i), &sample.truth, sample.reference, sample.variant}));
    if (i == 149) before = all->state().value();
  }
  std::size_t records = 0;
  if (GetParam() == "detection") {
    for (const MadeSample& sample : samples_)
      records += static_cast<std::size_t>(2 * sample.variant[1].value.count() + sample.reference[1].value.count()) * 16;
  }
  // Each class of each row is one, against the reference and for both against labels.
  if (GetParam() == "multi_label") records = std::size_t{150} * 3 * 24 * 16;
  EXPECT_LE(all->state().value().size(), before.size() + records + 150 * 64 + 2000);
}

ErrorKind kind_of_failure(Comparator& comparator, const SampleOutputs& sample) {
  const Result<void> added = comparator.add(sample);
  return added ? ErrorKind::internal : added.error().kind;
}

TEST_P(EachTask, OutputsOfAnotherSizeAreAnError) {
  Outputs other = output_of("out", {2, 2, 2, 2, 2}, Floats(32));
  if (GetParam() == "detection") other = output_of("boxes", {2, 3}, Floats(6));
  const auto one = comparator();
  EXPECT_EQ(kind_of_failure(*one, {0, nullptr, samples_[0].reference, other}), ErrorKind::unsupported);
  EXPECT_EQ(kind_of_failure(*one, {0, nullptr, samples_[0].reference, {}}), ErrorKind::unsupported);
}

bool is_refused(Comparator& comparator, std::string_view state) {
  const Result<void> merged = comparator.merge(state);
  return !merged.has_value();
}

TEST_P(EachTask, BrokenStatesAreRefused) {
  const auto one = comparator();
  for (std::size_t i = 0; i < 20; ++i) add(*one, i);
  const std::string state = one->state().value();
  EXPECT_TRUE(is_refused(*comparator(), state + "x"));
  for (std::size_t size = 0; size < state.size(); size += 1 + state.size() / 200)
    EXPECT_TRUE(is_refused(*comparator(), std::string_view(state).substr(0, size))) << size;
}

/// No crash is asked for, and no endless loop.
TEST_P(EachTask, StatesWithOtherBytesDoNoHarm) {
  const auto one = comparator();
  for (std::size_t i = 0; i < 20; ++i) add(*one, i);
  const std::string state = one->state().value();
  Random random(3);
  for (int turn = 0; turn < 300; ++turn) {
    std::string other = state;
    for (int byte = 0; byte < 4; ++byte)
      other[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(state.size()) - 1))] =
          static_cast<char>(random.between(0, 255));
    const auto hostile = comparator();
    if (is_refused(*hostile, other)) continue;
    const auto result = hostile->result();
    EXPECT_TRUE(result.has_value());
  }
}

TEST_P(EachTask, StatesOfScoresWithOtherBytesDoNoHarm) {
  const auto one = comparator_with_scores();
  for (std::size_t i = 0; i < 20; ++i) add(*one, i);
  const std::string state = one->state().value();
  for (std::size_t size = 0; size < state.size(); size += 1 + state.size() / 200)
    EXPECT_TRUE(is_refused(*comparator_with_scores(), std::string_view(state).substr(0, size))) << size;
  Random random(4);
  for (int turn = 0; turn < 300; ++turn) {
    std::string other = state;
    for (int byte = 0; byte < 4; ++byte)
      other[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(state.size()) - 1))] =
          static_cast<char>(random.between(0, 255));
    const auto hostile = comparator_with_scores();
    if (is_refused(*hostile, other)) continue;
    EXPECT_TRUE(hostile->result().has_value());
  }
}

TEST_P(EachTask, StatesOfAnotherTaskAreRefused) {
  const std::string other = GetParam() == "tensor" ? "embedding" : "tensor";
  const Outputs outputs = output_of("out", {1, 24}, Floats(24));
  const auto task = make_task(other, facts_of(outputs)).value();
  EXPECT_FALSE(comparator()->merge(task->comparator({}).value()->state().value()));
}

INSTANTIATE_TEST_SUITE_P(Tasks, EachTask, ::testing::ValuesIn(task_names()), [](const auto& one) { return one.param; });

}  // namespace
}  // namespace culprit
