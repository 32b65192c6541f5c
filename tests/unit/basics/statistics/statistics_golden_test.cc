#include <gtest/gtest.h>

#include "statistics/bootstrap.h"
#include "statistics/exact_sum.h"
#include "statistics/interval.h"
#include "statistics/mcnemar.h"
#include "support/golden.h"

namespace culprit {
namespace {

TEST(StatisticsGolden, WilsonsIntervalIsScipys) {
  for (const auto& one : golden("statistics", "wilson")) {
    const Interval interval = wilson_interval(one[0].get<double>(), one[1].get<std::int64_t>());
    EXPECT_NEAR(interval.low, one[2].get<double>(), golden_error) << one;
    EXPECT_NEAR(interval.high, one[3].get<double>(), golden_error) << one;
  }
}

TEST(StatisticsGolden, McNemarsTestIsScipysBinomialTest) {
  for (const auto& one : golden("statistics", "mcnemar")) {
    const auto first = one[0].get<std::int64_t>(), second = one[1].get<std::int64_t>();
    EXPECT_NEAR(mcnemar_two_sided(first, second), one[2].get<double>(), golden_error) << one;
    EXPECT_NEAR(mcnemar_more(first, second), one[3].get<double>(), golden_error) << one;
  }
}

TEST(StatisticsGolden, TheExactSumIsPythonsFsum) {
  for (const auto& one : golden("statistics", "sums")) {
    ExactSum sum;
    for (const double value : one["values"]) sum.add(value);
    EXPECT_EQ(sum.value(), one["sum"].get<double>());
  }
}

TEST(StatisticsGolden, TheMiddleOfDrawsIsNumpysQuantiles) {
  for (const auto& one : golden("statistics", "quantiles")) {
    const Interval middle = middle_of(one["values"].get<std::vector<double>>());
    EXPECT_NEAR(middle.low, one["low"].get<double>(), golden_error);
    EXPECT_NEAR(middle.high, one["high"].get<double>(), golden_error);
  }
}

}  // namespace
}  // namespace culprit
