#include "profile/gate/check_kept.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "gate_rows.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

std::string refusal_of(const ProfileReport& kept) {
  const auto ok = check_kept(kept);
  return ok ? "" : ok.error().message;
}

TEST(CheckKept, RatiosThatAreNoneAreRefused) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const RatioRecord& fine : {RatioRecord{}, {1, 1, 1}, {1.2, 0, infinity}, {1, 1e-9, 1e9}})
    EXPECT_EQ(refusal_of(with({row("off", {1, 1, 1}), row("all", fine)})), "") << fine.value;
  const std::vector<RatioRecord> wrong{{-1, -1.2, -0.8}, {0, 0, 1},    {infinity, 1, infinity},
                                       {nan, 1, 2},      {1, -0.1, 2}, {1, nan, 2},
                                       {1, 0.5, nan},    {1, 0.5, -2}, {1, 5, 1},
                                       {3, 5, 1},        {1, 0, 2},    {1, 0.5, infinity},
                                       {3, 1, 2},        {1e-9, 1, 1}};
  for (const RatioRecord& ratio : wrong)
    EXPECT_THAT(refusal_of(with({row("off", {1, 1, 1}), row("all", ratio)})), HasSubstr("the ratio of 'all' is "))
        << ratio.value << " " << ratio.low << " " << ratio.high;
}

TEST(CheckKept, AReportWithoutRowsIsRefused) { EXPECT_THAT(refusal_of(with({})), HasSubstr("it has no rows")); }

TEST(CheckKept, TwoRowsOfOneNameAreRefused) {
  EXPECT_THAT(refusal_of(with({row("off", {1, 1, 1}), row("all", {2, 2, 2}), row("all", {1, 1, 1})})),
              HasSubstr("two of its rows have the name 'all'"));
}

TEST(CheckKept, ARowAgainstNoneOfThemIsRefused) {
  auto kept = with({row("off", {1, 1, 1}), row("all", {2, 2, 2})});
  kept.entries[1].baseline = 2;
  EXPECT_THAT(refusal_of(kept), HasSubstr("'all' is held against entry 2, and there are 2"));
}

TEST(CheckKept, BlockRatiosAreRatios) {
  auto kept = measured_against(0, {{"off", {1, 1}}, {"all", {2, 2}}});
  EXPECT_EQ(refusal_of(kept), "");
  kept.entries[1].block_ratios[1] = 0;
  EXPECT_THAT(refusal_of(kept), HasSubstr("a block ratio of 'all' is 0"));
}

TEST(CheckKept, AMetricLiesInItsInterval) {
  auto kept = with({row("all", {1, 1, 1})});
  kept.entries[0].quality.emplace().metrics["top1"] = {0.9, 0.8, 1};
  EXPECT_EQ(refusal_of(kept), "");
  kept.entries[0].quality->metrics["top1"] = {0.9, 1, 0.8};
  EXPECT_THAT(refusal_of(kept), HasSubstr("top1 of 'all' is 0.9 (1 to 0.8)"));
  kept.entries[0].quality->metrics.clear();
  kept.entries[0].quality->variant_against_labels["top1"] = {0.9, 1, 0.8};
  EXPECT_THAT(refusal_of(kept), HasSubstr("top1 of 'all'"));
}

}  // namespace
}  // namespace culprit
