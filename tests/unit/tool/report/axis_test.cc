// Axes of charts: that they have ticks whatever the numbers are, and where values stand.
#include "report/figures/axis.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::SizeIs;

std::string plain_label(double value) { return fmt::format("{:g}", value); }

std::vector<std::string> labels_of(const ChartAxis& axis) {
  std::vector<std::string> labels;
  for (const ChartTick& tick : axis.ticks()) labels.push_back(tick.label);
  return labels;
}

TEST(ChartAxis, LogarithmsHaveTicksForNarrowAndForWideRanges) {
  EXPECT_THAT(labels_of(ChartAxis::logarithmic(5.4, 8.1, plain_label)),
              ElementsAre("5.5", "6", "6.5", "7", "7.5", "8"));
  EXPECT_THAT(labels_of(ChartAxis::logarithmic(0.9, 60, plain_label)), ElementsAre("1", "2", "5", "10", "20", "50"));
  EXPECT_THAT(labels_of(ChartAxis::logarithmic(0.5, 2000, plain_label)), ElementsAre("1", "10", "100", "1000"));
}

TEST(ChartAxis, ThereIsATickWhateverTheRangeIs) {
  for (const double low : {1e-12, 3e-7, 0.99, 1.0, 7.3, 4e11})
    for (const double span : {1.0, 1.06, 1.5, 3.0, 7.9, 8.1, 150.0, 1e4, 1e15}) {
      const ChartAxis axis = ChartAxis::logarithmic(low, low * span, plain_label);
      EXPECT_THAT(axis.ticks(), Not(SizeIs(0))) << low << " to " << low * span;
      EXPECT_LE(axis.ticks().size(), 12U) << low << " to " << low * span;
      for (const ChartTick& tick : axis.ticks()) {
        EXPECT_GE(axis.position(tick.value), 0);
        EXPECT_LE(axis.position(tick.value), 1);
      }
    }
}

TEST(ChartAxis, WhatIsNoNumberIsNoEnd) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const ChartAxis& axis :
       {ChartAxis::logarithmic(nan, nan, plain_label), ChartAxis::logarithmic(0, infinity, plain_label),
        ChartAxis::logarithmic(-1, -1, plain_label)}) {
    EXPECT_LE(axis.ticks().size(), 12U);
    EXPECT_GE(axis.position(nan), 0);
  }
}

TEST(ChartAxis, EqualFactorsAreEquallyFar) {
  const ChartAxis axis = ChartAxis::logarithmic(1, 100, plain_label);
  EXPECT_DOUBLE_EQ(axis.position(1), 0);
  EXPECT_DOUBLE_EQ(axis.position(10), 0.5);
  EXPECT_DOUBLE_EQ(axis.position(100), 1);
  EXPECT_DOUBLE_EQ(axis.position(1000), 1) << "what lies outside is at the end";
}

TEST(ChartAxis, NumbersThatWereNamedHaveTicksAndNoOthers) {
  const ChartAxis axis = ChartAxis::at({8, 1, 3});
  EXPECT_THAT(labels_of(axis), ElementsAre("8", "1", "3"));
  EXPECT_GT(axis.position(1), 0) << "some room";
  EXPECT_LT(axis.position(8), 1);
  EXPECT_GT(ChartAxis::at({4}).position(4), 0) << "one alone";
}

}  // namespace
}  // namespace culprit
