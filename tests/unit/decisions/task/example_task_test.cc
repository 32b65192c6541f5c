// examples/tasks/number_task.cc does what docs/comparators.md says of a task.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/tasks/tasks.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {

std::unique_ptr<DecisionTask> make_number_task(const TaskSettings& settings, std::span<const OutputFacts> outputs);

namespace {

class ExampleTask : public ::testing::Test {
 protected:
  static Outputs price(float number) { return output_of("price", {1, 1}, {number}); }
  static void add(Comparator& to, std::int64_t number, bool is_copy = false) {
    const auto value = static_cast<float>(100 + number);
    const Outputs reference = price(value), variant = price(is_copy || number % 4 != 0 ? value : value * 1.1F);
    ASSERT_TRUE(to.add({number, nullptr, reference, variant}));
  }

  std::unique_ptr<DecisionTask> task_ = make_number_task({}, {});
};

TEST_F(ExampleTask, TakesOneNumberOnly) {
  EXPECT_FALSE(task_->refuses(facts_of(price(3))));
  EXPECT_THAT(*task_->refuses(facts_of(output_of("scores", {1, 10}, Floats(10)))), ::testing::HasSubstr("'scores'"));
  EXPECT_FALSE(task_->decide(output_of("scores", {1, 10}, Floats(10))));
}

TEST_F(ExampleTask, AnExactCopyIsPerfect) {
  const auto copy = task_->comparator({}).value();
  for (std::int64_t number = 0; number < 20; ++number) add(*copy, number, true);
  EXPECT_EQ(copy->result().value().changed, 0);
  EXPECT_EQ(copy->result().value().metrics.at("difference").value, 0);
}

TEST_F(ExampleTask, ChunksMergedInOrderGiveTheBitsOfOneRun) {
  const auto whole = task_->comparator({}).value(), merged = task_->comparator({}).value();
  auto part = task_->comparator({}).value();
  for (std::int64_t number = 0; number < 40; ++number) {
    add(*whole, number);
    add(*part, number);
    if (number % 7 != 3 && number != 39) continue;
    ASSERT_TRUE(merged->merge(part->state().value()));
    part = task_->comparator({}).value();
  }
  const DecisionRecord record = merged->result().value();
  EXPECT_EQ(record, whole->result().value());
  EXPECT_EQ(record.changed, 10);
  EXPECT_NEAR(record.metrics.at("difference").value, 0.25 * (1 - 1 / 1.1), 1e-6);
  EXPECT_EQ(record.worst.size(), 10U);
}

}  // namespace
}  // namespace culprit
