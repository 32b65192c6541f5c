// Programs as tasks: small ones in Python and sh, which stand for users' own.
#include "comparator/comparator_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

/// Changed where the sample's number is even; its metrics are made of the number, and each third sample has no `third`.
constexpr const char* of_numbers = R"(#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    n = json.loads(line)["number"]
    metrics = {"share": n / 1000, "third": n / 7} if n % 3 else {"share": n / 1000}
    print(json.dumps({"number": n, "changed": n % 2 == 0 and n != 0, "reference": f"r{n}", "variant": "v",
                      "margin": n / 10, "metrics": metrics, "against_truth": {"right": 1}}))
)";

class ComparatorPrograms : public ::testing::Test {
 protected:
  void SetUp() override { before_ = std::signal(SIGPIPE, SIG_IGN); }
  void TearDown() override { std::signal(SIGPIPE, before_); }

  fs::path write(const std::string& name, const std::string& text) {
    fs::path file = folder_.path() / name;
    EXPECT_TRUE(write_file_atomic(file, text));
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  SampleOutputs sample(std::int64_t number) { return {number, nullptr, outputs_, outputs_, "sample"}; }
  Result<std::unique_ptr<DecisionTask>> opened(const std::string& name, const std::string& text) {
    return open_comparator({write(name, text), folder_.path(), {20, 0}}, sample(0));
  }
  std::string complaint(const std::string& shell) {
    const auto task = opened("mine.sh", "#!/bin/sh\n" + shell + "\n");
    EXPECT_FALSE(task);
    return task ? "" : task.error().text();
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-comparator").value();
  std::vector<NamedTensor> outputs_ = {{"y", Tensor::of<float>({1, 2}, {1, 2})}};
  void (*before_)(int) = SIG_DFL;
};

TEST_F(ComparatorPrograms, ChunksMergedInOrderGiveTheBitsOfOneRun) {
  const auto task = opened("numbers.py", of_numbers);
  ASSERT_TRUE(task) << task.error().text();
  EXPECT_EQ((*task)->name(), "numbers.py");
  const auto whole = (*task)->comparator({}).value();
  const auto merged = (*task)->comparator({}).value();
  auto part = (*task)->comparator({}).value();
  for (std::int64_t number = 0; number < 40; ++number) {
    ASSERT_TRUE(whole->add(sample(number)));
    ASSERT_TRUE(part->add(sample(number)));
    if (number % 20 != 13 && number != 39) continue;
    ASSERT_TRUE(merged->merge(part->state().value()));
    part = (*task)->comparator({}).value();
  }
  const DecisionRecord record = merged->result().value();
  EXPECT_EQ(record, whole->result().value());
  EXPECT_EQ(merged->changed(), whole->changed());
  EXPECT_EQ(record.changed, 19);
  EXPECT_EQ(record.labelled, 40);
  EXPECT_EQ(record.worst.front().reference, "r39");
  EXPECT_NEAR(record.metrics.at("share").value, 0.0195, 1e-12);
  EXPECT_NEAR(record.metrics.at("third").value, (780 - 273) / 26.0 / 7, 1e-12) << "the mean of those that have it";
  EXPECT_EQ(record.variant_against_labels.at("right").value, 1);
  EXPECT_LT(record.variant_against_labels.at("right").low, 1) << "of 40 samples one is not sure";
}

TEST_F(ComparatorPrograms, BrokenStatesAreRefused) {
  const auto task = opened("numbers.py", of_numbers).value();
  const auto one = task->comparator({}).value();
  for (std::int64_t number = 0; number < 5; ++number) ASSERT_TRUE(one->add(sample(number)));
  const std::string state = one->state().value();
  for (std::size_t size = 0; size < state.size(); size += 7)
    EXPECT_FALSE(task->comparator({}).value()->merge(std::string_view(state).substr(0, size))) << size;
  EXPECT_FALSE(task->comparator({}).value()->merge(state + "x"));
}

TEST_F(ComparatorPrograms, OutputsLieInFiles) {
  const auto task = opened("sizes.sh", R"(#!/bin/bash
    while read -r line; do
      number=${line#*\"number\":}; number=${number%%,*}
      file=${line#*\"variant\":[\{*\"file\":\"}; file=${file%%\"*}
      echo "{\"number\": $number, \"changed\": false, \"reference\": \"\", \"variant\": \"$(basename $file) $(stat -c %s $file)\"," \
           "\"margin\": 1}"
    done)");
  ASSERT_TRUE(task) << task.error().text();
  const auto comparator = (*task)->comparator({}).value();
  ASSERT_TRUE(comparator->add(sample(3)));
  outputs_ = {{"y", Tensor::of<double>({1, 20}, std::vector<double>(20))}};
  ASSERT_TRUE(comparator->add(sample(4)));
  const auto worst = comparator->result().value().worst;
  EXPECT_EQ(worst[0].variant, "variant-0.npy " + std::to_string(128 + 8));
  EXPECT_EQ(worst[1].variant, "variant-0.npy " + std::to_string(128 + 160)) << "the next sample's, in the same file";
}

TEST_F(ComparatorPrograms, AProgramMayNameItself) {
  const auto task = opened("mine.sh",
                           "#!/bin/sh\necho '{\"name\": \"my own\"}'\nread line; echo "
                           "'{\"number\": 0, \"changed\": false, \"reference\": \"a\", \"variant\": \"a\"}'");
  ASSERT_TRUE(task) << task.error().text();
  EXPECT_EQ((*task)->name(), "my own");
}

TEST_F(ComparatorPrograms, WhatIsWrongIsFoundAtTheFirstSample) {
  EXPECT_THAT(complaint("read line; exit 4"), HasSubstr("--comparator mine.sh: it ended with exit status 4"));
  EXPECT_THAT(complaint("read line; echo hello"), HasSubstr("its answer is no JSON: hello"));
  const std::string answer = R"("reference": "a", "variant": "b"}')";
  EXPECT_THAT(complaint(R"(read line; echo '{"number": 0, "changed": true, )" + answer),
              HasSubstr("the same outputs as reference and as variant are another decision for it ('a' became 'b')"));
  EXPECT_THAT(complaint(R"(echo '{"name": "tensor"}'; read line; echo '{"number": 0, "changed": false, )" + answer),
              HasSubstr("'tensor' is a task that culprit has"));
  EXPECT_THAT(complaint(R"(echo '{"name": 3}'; read line)"), HasSubstr("its first line"));
  const auto missing = open_comparator({"/no/such/program", folder_.path(), {20, 0}}, sample(0));
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().text(), HasSubstr("cannot start '/no/such/program'"));
}

TEST_F(ComparatorPrograms, MetricsAreFew) {
  std::string metrics;
  for (int i = 0; i < 13; ++i) metrics += (i > 0 ? ", \"m" : "\"m") + std::to_string(i) + "\": 1";
  const auto task = opened("many.sh",
                           "#!/bin/sh\nread line; echo '{\"number\": 0, \"changed\": false, \"reference\": "
                           "\"a\", \"variant\": \"a\", \"metrics\": {" +
                               metrics + "}}'");
  ASSERT_TRUE(task) << task.error().text();
  const auto added = (*task)->comparator({}).value()->add(sample(0));
  ASSERT_FALSE(added);
  EXPECT_THAT(added.error().text(), HasSubstr("names 13 metrics"));
}

TEST_F(ComparatorPrograms, TwoDecisionsCanBeHeldAgainstEachOther) {
  const auto task = opened("numbers.py", of_numbers).value();
  const auto decision = task->decide(outputs_).value();
  EXPECT_EQ(task->change(*decision, *decision).value().reference, "r0");
}

}  // namespace
}  // namespace culprit
