#include "task/calibration.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

/// 0.2, 0.4 and so on are ends of bins, as numpy.linspace(0, 1, 16) has them.
TEST(Calibration, ABinHoldsItsUpperEndAndTheFirstHolds0) {
  Calibration calibration;
  for (const double confidence : {0.0, 0.2, 0.2 + 1e-12, 0.8, 1.0}) calibration.add(confidence, true);
  const auto bins = calibration.record(1, 1).bins;
  ASSERT_EQ(bins.size(), 15U);
  for (const std::size_t filled : {0, 2, 3, 11, 14}) EXPECT_EQ(bins[filled].count, 1) << filled;
}

TEST(Calibration, TheMeanGapIsWeighedByPredictionsAndTheLargestIsNot) {
  Calibration calibration;
  for (int i = 0; i < 3; ++i) calibration.add(0.75, true);
  calibration.add(0.75, false);
  calibration.add(0.5, false);
  const CalibrationRecord record = calibration.record(1, 1);
  EXPECT_EQ(record.predictions, 5);
  EXPECT_NEAR(record.ece, 0.1, 1e-12) << "0.5 off, of one in five";
  EXPECT_NEAR(record.mce, 0.5, 1e-12);
}

}  // namespace
}  // namespace culprit
