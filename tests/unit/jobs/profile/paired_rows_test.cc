#include "profile/gate/paired_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate_rows.h"
#include "profile/gate/regressions.h"

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// One model, measured twice: once against 'all', once against 'off'. The numbers are those of real reports.
const std::vector<double> all_one(6, 1);
ProfileReport kept_against_all() {
  return measured_against(1, {{"off", {0.350, 0.343, 0.347, 0.341, 0.349, 0.345}}, {"all", all_one}});
}
ProfileReport now_against_off() {
  return measured_against(0, {{"off", all_one}, {"all", {3.026, 2.941, 3.007, 2.859, 2.917, 2.987}}});
}

TEST(PairedRows, RatiosToTwoRowsAreHeldAgainstOne) {
  const auto kept = kept_against_all(), now = now_against_off();
  const auto pairs = paired_rows(kept, now);
  ASSERT_THAT(pairs, SizeIs(2));
  EXPECT_EQ(pairs[0].against, "off");
  EXPECT_FALSE(pairs[0].has_time) << "it is what both are held against";
  EXPECT_TRUE(pairs[1].has_time);
  EXPECT_NEAR(pairs[1].before.value, 1 / 0.346, 0.01);
  EXPECT_NEAR(pairs[1].before.low, 1 / 0.350, 1e-9);
  EXPECT_NEAR(pairs[1].before.high, 1 / 0.341, 1e-9);
  EXPECT_EQ(pairs[1].after, now.entries[1].ratio);
  EXPECT_THAT(regressions(kept, now), IsEmpty()) << "the same model as ever";
  EXPECT_THAT(regressions(now, kept), IsEmpty());
  EXPECT_THAT(not_compared(kept, now), ElementsAre(Field(&Warning::code, "kept_rebased")));
  EXPECT_FALSE(is_blind(kept, now));
}

TEST(PairedRows, WhatIsWorseOnTheCommonRowIsFound) {
  const auto kept = kept_against_all();
  const auto now = measured_against(0, {{"off", all_one}, {"all", {4.1, 4.2, 4.1, 4.2, 4.1, 4.2}}});
  const auto found = regressions(kept, now);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].entry, "all");
  EXPECT_THAT(found[0].message, HasSubstr("x the time of 'off'"));
}

TEST(PairedRows, TheBaselineOfTheKeptReportWillDoWhereThatOfThisOneIsNotThere) {
  const auto now =
      measured_against(0, {{"new", all_one}, {"off", {2, 2.1, 2, 2.1, 2, 2.1}}, {"all", {6, 6, 6, 6, 6, 6}}});
  const auto pairs = paired_rows(kept_against_all(), now);
  ASSERT_THAT(pairs, SizeIs(2));
  EXPECT_EQ(pairs[0].against, "all");
  EXPECT_EQ(pairs[0].before, kept_against_all().entries[0].ratio) << "as it was";
  EXPECT_NEAR(pairs[0].after.low, 2.0 / 6, 1e-9) << "block by block";
  EXPECT_NEAR(pairs[0].after.high, 2.1 / 6, 1e-9);
}

TEST(PairedRows, RowsOfOtherBlocksAreAsUnsureAsBothTogether) {
  auto now = measured_against(0, {{"new", all_one}, {"off", {2, 2.2, 2, 2.2, 2, 2.2}}, {"all", {6, 5, 6, 5, 6, 5}}});
  now.entries[1].block_ratios.pop_back();
  const RatioRecord after = paired_rows(kept_against_all(), now)[0].after;
  EXPECT_NEAR(after.low, 2.0 / 6, 1e-9);
  EXPECT_NEAR(after.high, 2.2 / 5, 1e-9);
}

TEST(PairedRows, AThirdRowWillDoAndWithoutOneTheGateIsBlind) {
  const auto kept = measured_against(0, {{"old", all_one}, {"off", {2, 2, 2, 2, 2, 2}}, {"all", {1, 1, 1, 1, 1, 1}}});
  auto now = measured_against(0, {{"new", all_one}, {"off", {4, 4, 4, 4, 4, 4}}, {"all", {3, 3, 3, 3, 3, 3}}});
  EXPECT_THAT(paired_rows(kept, now)[1].against, "off");
  EXPECT_NEAR(paired_rows(kept, now)[1].after.value, 0.75, 1e-9);
  EXPECT_THAT(regressions(kept, now), ElementsAre(Field(&RegressionRecord::entry, "all"))) << "0.5, and now 0.75";
  now.entries[1].verdict = SpeedVerdict::failed;
  EXPECT_EQ(paired_rows(kept, now)[1].against, "all") << "off is no measure any more";
  now.entries[2].ratio.low = 0;
  EXPECT_EQ(paired_rows(kept, now)[1].against, std::nullopt);
  EXPECT_TRUE(is_blind(kept, now));
  EXPECT_EQ(not_compared(kept, now).front().code, no_common_row);
  EXPECT_THAT(not_compared(kept, now).front().message, HasSubstr("--against 'old'"));
}

TEST(PairedRows, RowsWithBaselinesOfTheirOwnAreNoMeasureForEachOther) {
  const auto kept = kept_against_all();
  auto now = measured_against(0, {{"new", all_one}, {"off", {2, 2, 2, 2, 2, 2}}, {"all", all_one}});
  now.entries[2].baseline = 2;
  EXPECT_EQ(paired_rows(kept, now)[0].against, "off") << "only itself is beside it";
  EXPECT_FALSE(paired_rows(kept, now)[0].has_time);
}

TEST(PairedRows, DecisionsToldByTwoBaselinesAreNotCompared) {
  auto kept = kept_against_all(), now = now_against_off();
  for (ProfileReport* report : {&kept, &now}) report->entries[1].quality.emplace().task = "classification";
  kept.entries[1].quality->metrics["top1_agreement"] = {1, 1, 1};
  now.entries[1].quality->metrics["top1_agreement"] = {0.5, 0.4, 0.6};
  EXPECT_THAT(regressions(kept, now), IsEmpty()) << "one agrees with 'all', the other with 'off'";
  EXPECT_THAT(not_compared(kept, now), Contains(Field(&Warning::code, "quality_not_compared")));
  kept.entries[1].quality->variant_against_labels["top1"] = {1, 1, 1};
  now.entries[1].quality->variant_against_labels["top1"] = {0.5, 0.4, 0.6};
  EXPECT_THAT(regressions(kept, now), SizeIs(1)) << "labels are the same";
}

}  // namespace
}  // namespace culprit
