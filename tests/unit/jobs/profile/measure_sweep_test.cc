// Settings of a sweep: each is a point, and one that fails takes no other with it.
#include "profile/sweep/measure_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "profile/sweep/sweep_rows.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// A run takes a millisecond for each file of samples, divided by the threads; `failing` threads fail to run.
struct SweptMachine {
  std::set<int> failing;
  std::vector<std::vector<int>> blocks = {};  ///< threads of the sessions of each block
};

class SweptBlock : public MeasuringBlock {
 public:
  SweptBlock(SweptMachine& machine, std::vector<MeasuredModel> models)
      : machine_(machine), models_(std::move(models)) {}
  Loaded load(std::size_t /*model*/) override { return {{}, 0.01, "1.31.1"}; }
  Turn run(std::size_t /*model*/, std::int64_t /*runs*/) override { return {}; }
  Turn run_sample(std::size_t model, std::int64_t runs, std::size_t /*sample*/) override {
    const RunJob& job = models_[model].job;
    if (machine_.failing.contains(job.session.threads)) return {{Ending::crashed, "killed by SIGSEGV", ""}, {}};
    const double seconds = 0.004 * static_cast<double>(job.samples.size()) / job.session.threads;
    return {{}, std::vector<double>(static_cast<std::size_t>(runs), seconds)};
  }
  Resident resident(std::size_t /*model*/) override { return {}; }

 private:
  SweptMachine& machine_;
  std::vector<MeasuredModel> models_;
};

class SweptBlocks : public MeasuringBlocks {
 public:
  explicit SweptBlocks(SweptMachine& machine) : machine_(machine) {}
  std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) override {
    std::vector<int> threads;
    for (const MeasuredModel& model : models) threads.push_back(model.job.session.threads);
    machine_.blocks.push_back(threads);
    return std::make_unique<SweptBlock>(machine_, std::move(models));
  }

 private:
  SweptMachine& machine_;
};

std::vector<SweptSetting> settings_of(const std::vector<int>& threads) {
  std::vector<SweptSetting> settings;
  for (const int count : threads) {
    SweptSetting setting{"all", 8, {}};
    setting.measured.job.session.threads = count;
    setting.measured.job.samples.resize(2);
    settings.push_back(setting);
  }
  return settings;
}

SpeedOptions options_with(std::int64_t blocks) {
  SpeedOptions options;
  options.blocks = blocks;
  return options;
}

TEST(MeasureSweep, EachSettingIsAPointAndTheyShareBlocks) {
  SweptMachine machine;
  SweptBlocks blocks(machine);
  const auto result = measure_sweep(blocks, settings_of({1, 2, 4}), options_with(3));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->blocks, 3);
  EXPECT_THAT(machine.blocks, SizeIs(3));
  for (const auto& block : machine.blocks) EXPECT_THAT(block, SizeIs(3)) << "all settings in the same moment";
  ASSERT_THAT(result->points, SizeIs(3));
  const std::vector<double> seconds{0.008, 0.004, 0.002};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(result->points[i].latency);
    EXPECT_DOUBLE_EQ(result->points[i].latency->p50, seconds[i]);
    EXPECT_DOUBLE_EQ(result->points[i].samples_per_second, 8 / seconds[i]);
    EXPECT_EQ(result->points[i].failure, "");
  }
  EXPECT_EQ(result->points[2].threads, 4);
}

TEST(MeasureSweep, WhatFailsSaysSoAndTheOthersAreMeasured) {
  for (const int failing : {1, 4}) {
    SweptMachine machine{{failing}};
    SweptBlocks blocks(machine);
    const auto result = measure_sweep(blocks, settings_of({1, 2, 4}), options_with(2));
    ASSERT_TRUE(result);
    for (const SweepPoint& point : result->points) {
      EXPECT_EQ(point.latency.has_value(), point.threads != failing) << point.threads;
      EXPECT_EQ(point.failure, point.threads == failing ? "killed by SIGSEGV" : "") << point.threads;
    }
  }
}

TEST(MeasureSweep, WhereAllFailItComesToItsEnd) {
  SweptMachine machine{{1, 2}};
  SweptBlocks blocks(machine);
  const auto result = measure_sweep(blocks, settings_of({1, 2}), options_with(2));
  ASSERT_TRUE(result);
  for (const SweepPoint& point : result->points) EXPECT_EQ(point.failure, "killed by SIGSEGV");
}

TEST(MeasureSweep, TheEndOfTheTimeEndsIt) {
  SweptMachine machine;
  SweptBlocks blocks(machine);
  SpeedOptions options = options_with(5);
  options.is_time_up = [&] { return machine.blocks.size() >= 2; };
  const auto result = measure_sweep(blocks, settings_of({1, 2}), options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->is_out_of_time);
  EXPECT_EQ(result->blocks, 2);
}

TEST(MeasureSweep, AsManyBlocksAsSessionsNeedPlaces) {
  SpeedOptions speed = options_with(20);
  EXPECT_EQ(blocks_of_sweep(4, {}, speed), 0);
  EXPECT_EQ(blocks_of_sweep(1, {{1, 2, 4, 8}, {}}, speed), 5) << "four sessions are one block; five blocks at most";
  EXPECT_EQ(blocks_of_sweep(4, {{1, 2, 4, 8}, {}}, speed), 15) << "the first and 15 others, five at a time";
  EXPECT_EQ(blocks_of_sweep(1, {{1, 2, 4, 8}, {1, 2}}, options_with(2)), 4);
}

TEST(MeasureSweep, RowsAreSweptAtAllCombinations) {
  SweepPlan plan;
  plan.settings = {{1, 8}, {1, 2}};
  plan.packs = {{{1, {"one"}}, {8, {"eight"}}}};
  std::vector<ProfiledRow> rows(2);
  rows[0].name = "off";
  rows[1].name = "all";
  std::vector<MadeRow> made(2);
  for (MadeRow& row : made) row.measured.job.samples = {"given"};
  ProfileReport report;
  report.entries.resize(2);
  const Model model;
  const std::vector<GivenModel> models{{model, {"given"}, "", 3}};
  const auto settings = swept_settings(models, rows, made, plan, report);
  ASSERT_THAT(settings, SizeIs(8));
  EXPECT_EQ(settings[3].entry, "off");
  EXPECT_EQ(settings[3].batch, 8);
  EXPECT_EQ(settings[3].measured.job.session.threads, 2);
  EXPECT_THAT(settings[3].measured.job.samples, ElementsAre("eight"));
  report.entries[0].verdict = SpeedVerdict::failed;
  plan.settings = {{}, {4}};
  const auto threads = swept_settings(models, rows, made, plan, report);
  ASSERT_THAT(threads, SizeIs(1)) << "what failed is not swept";
  EXPECT_EQ(threads[0].batch, 3) << "its own";
  EXPECT_THAT(threads[0].measured.job.samples, ElementsAre("given"));
}

}  // namespace
}  // namespace culprit
