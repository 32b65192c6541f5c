// Single runs: how their times spread, and the first one of a session, which no other number holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "profile/speed/measure_as_otx.h"
#include "profile/speed/speed_verdict.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Latency, PercentilesAreAsNumpyTakesThem) {
  std::vector<double> seconds(101);
  std::iota(seconds.begin(), seconds.end(), 0.0);
  std::ranges::reverse(seconds);
  const auto latency = latency_record(seconds);
  ASSERT_TRUE(latency);
  EXPECT_EQ(*latency, (LatencyRecord{0, 50, 95, 99, 100, 101}));
}

TEST(Latency, OfFewRunsTheTailLiesBetweenTheTwoSlowest) {
  const auto latency = latency_record(std::vector<double>{2, 1});
  ASSERT_TRUE(latency);
  EXPECT_DOUBLE_EQ(latency->p99, 1.99);
  EXPECT_EQ(latency->slowest, 2);
  EXPECT_EQ(latency_record(std::vector<double>{3}), (LatencyRecord{3, 3, 3, 3, 3, 1}));
  EXPECT_EQ(latency_record({}), std::nullopt);
}

/// The first run of a session takes 7 s, each other one 5 ms.
class ColdBlock : public MeasuringBlock {
 public:
  explicit ColdBlock(std::size_t models) : has_run_(models) {}
  Loaded load(std::size_t /*model*/) override { return {{}, 0.01, "1.31.1"}; }
  Turn run(std::size_t model, std::int64_t runs) override {
    Turn turn{{}, std::vector<double>(static_cast<std::size_t>(runs), 0.005)};
    if (!has_run_[model]) turn.seconds.front() = 7;
    has_run_[model] = true;
    return turn;
  }
  Turn run_sample(std::size_t model, std::int64_t runs, std::size_t /*sample*/) override { return run(model, runs); }
  Resident resident(std::size_t /*model*/) override { return {}; }

 private:
  std::vector<bool> has_run_;
};

class ColdBlocks : public MeasuringBlocks {
 public:
  std::unique_ptr<MeasuringBlock> open(std::vector<MeasuredModel> models) override {
    return std::make_unique<ColdBlock>(models.size());
  }
};

TEST(Latency, TheFirstRunOfEachSessionIsToldAndInNoOtherNumber) {
  ColdBlocks blocks;
  SpeedOptions options;
  options.blocks = 3;
  std::vector<MeasuredModel> models(2);
  for (MeasuredModel& model : models) model.job.samples.resize(1);
  for (const auto& measure : {measure_speed, measure_as_otx}) {
    const auto report = measure(blocks, models, options);
    ASSERT_TRUE(report);
    for (const Speed& speed : report->models) {
      EXPECT_THAT(speed.first_runs, SizeIs(speed.samples.size()));
      EXPECT_THAT(speed.first_runs, Each(7.0));
      EXPECT_THAT(all_seconds(speed.samples), Not(Contains(7.0)));
    }
  }
}

}  // namespace
}  // namespace culprit
