// The limits of the machine: that the loops do what they are said to do. How fast they are is not asked.
#include "device/machine_limits.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "device/peak_bandwidth.h"
#include "device/peak_flops.h"
#include "device/together.h"

namespace culprit {
namespace {

constexpr std::uint64_t mebibytes = 1024 * 1024, gibibytes = 1024 * mebibytes;

/// Chain i begins at i; each turn makes of it 0.999 of it and 0.001. So what each way gives tells how many turns it
/// made, and that it made them in all 12 chains.
double expected_sum(std::int64_t turns) {
  double sum = 0;
  for (int chain = 0; chain < 12; ++chain) sum += 1 + (chain - 1) * std::pow(0.999, static_cast<double>(turns));
  return sum;
}

TEST(PeakFlops, EachWayMultipliesAndAddsAsOftenAsItSays) {
  for (const MultiplyAdd& way : multiply_adds())
    for (const std::int64_t turns : {0, 1, 7, 1000})
      EXPECT_NEAR(way.run(turns), expected_sum(turns), 0.01) << way.instructions << ", " << turns << " turns";
}

TEST(PeakFlops, WiderWaysDoMoreInATurn) {
  const auto ways = multiply_adds();
  ASSERT_FALSE(ways.empty());
  EXPECT_EQ(ways.front().flops_a_turn, 2 * 12 * 4);
  for (std::size_t i = 1; i < ways.size(); ++i) EXPECT_GE(ways[i].flops_a_turn, ways[i - 1].flops_a_turn);
}

TEST(PeakBandwidth, ArraysAreLargerThanTheCacheAndLeaveRoomForOthers) {
  EXPECT_EQ(bytes_of_triad(0, 64 * gibibytes), 64 * mebibytes);
  EXPECT_EQ(bytes_of_triad(260 * mebibytes, 64 * gibibytes), 520 * mebibytes);
  EXPECT_EQ(bytes_of_triad(4 * gibibytes, 64 * gibibytes), gibibytes);
  EXPECT_EQ(bytes_of_triad(260 * mebibytes, gibibytes), 256 * mebibytes) << "a quarter of what there is";
}

TEST(Together, EachThreadHasItsNumberOnce) {
  std::vector<std::atomic<int>> calls(5);
  EXPECT_GE(seconds_together(5, [&](std::int64_t thread) { ++calls.at(static_cast<std::size_t>(thread)); }), 0);
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(Together, OfRoundsTheFastestCountsAndTheyEndWhenTheTimeIsSpent) {
  const std::vector<double> seconds{3, 1, 2, 5};
  std::size_t rounds = 0;
  EXPECT_EQ(fastest_round(5.5, [&] { return seconds.at(rounds++); }), 1);
  EXPECT_EQ(rounds, 3U);
  rounds = 0;
  EXPECT_EQ(fastest_round(0, [&] { return seconds.at(rounds++); }), 1) << "two rounds are always made";
}

TEST(MachineLimits, TellWhatTheyWereMeasuredWith) {
  const MachineLimits limits = measure_limits(2);
  EXPECT_GT(limits.flops, 0);
  EXPECT_GT(limits.bandwidth, 0);
  EXPECT_EQ(limits.threads, 2);
  EXPECT_FALSE(limits.instructions.empty());
  EXPECT_GT(limits.buffer_bytes, 0U);
}

}  // namespace
}  // namespace culprit
