#include "profile/gate/regressions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "gate_rows.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Regressions, TimeCountsOnlyWhereBothIntervalsLieApart) {
  const auto kept = with({row("all", {0.8, 0.78, 0.82})});
  EXPECT_THAT(regressions(kept, with({row("all", {0.86, 0.83, 0.89})})), IsEmpty()) << "apart, and by less than 3 %";
  const auto found = regressions(kept, with({row("all", {0.9, 0.86, 0.94})}));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "time");
  EXPECT_THAT(found[0].message, HasSubstr("was 0.8"));
  EXPECT_THAT(regressions(kept, with({row("all", {0.9, 0.7, 1.2})})), IsEmpty()) << "nobody knows";
  EXPECT_THAT(regressions(kept, with({row("all", {0.5, 0.49, 0.51})})), IsEmpty()) << "faster";
}

TEST(Regressions, TheBaselineRowHasNoTimeOfItsOwn) {
  auto kept = with({row("off", {1, 1, 1})}), now = with({row("off", {1.2, 1.1, 1.3})});
  kept.entries[0].verdict = SpeedVerdict::baseline;
  EXPECT_THAT(regressions(kept, now), IsEmpty());
}

TEST(Regressions, WhatFailsNowAndDidNotIsOne) {
  const auto kept = with({row("all", {1, 1, 1})});
  auto now = kept;
  now.entries[0].verdict = SpeedVerdict::failed;
  now.entries[0].failure = "no such operator";
  const auto found = regressions(kept, now);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].what, "failed");
  EXPECT_THAT(regressions(now, now), IsEmpty()) << "it failed before as well";
}

TEST(Regressions, MemoryByMoreThanATenth) {
  const auto kept = with({row("all", {1, 1, 1})});
  auto now = kept;
  now.entries[0].memory->run_peak = 1099;  // 990 more than at the start were kept
  EXPECT_THAT(regressions(kept, now), IsEmpty());
  now.entries[0].memory->run_peak = 1100;
  EXPECT_THAT(regressions(kept, now), SizeIs(1));
  now.entries[0].memory->start = 500;
  EXPECT_THAT(regressions(kept, now), IsEmpty()) << "the process had that before";
  now.entries[0].memory->start = 2000;
  EXPECT_THAT(regressions(kept, now), IsEmpty()) << "less than nothing";
  now.entries[0].memory->start = 10;
  now.entries[0].runtime = "1.22.1";
  EXPECT_THAT(regressions(kept, now), IsEmpty()) << "another library has another size";
}

TEST(Regressions, AMetricWhoseIntervalIsWhollyLower) {
  auto kept = with({row("all", {1, 1, 1})});
  kept.entries[0].quality.emplace();
  kept.entries[0].quality->task = "classification";
  kept.entries[0].quality->metrics["top1_agreement"] = {0.99, 0.98, 1};
  auto now = kept;
  now.entries[0].quality->metrics["top1_agreement"] = {0.97, 0.95, 0.985};
  EXPECT_THAT(regressions(kept, now), IsEmpty());
  now.entries[0].quality->metrics["top1_agreement"] = {0.9, 0.88, 0.92};
  const auto found = regressions(kept, now);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].metric, "top1_agreement");
}

TEST(Regressions, RowsAreFoundByTheirNames) {
  const auto kept = with({row("all", {0.5, 0.5, 0.5})}), now = with({row("basic", {2, 2, 2})});
  EXPECT_THAT(regressions(kept, now), IsEmpty());
  EXPECT_THAT(not_compared(kept, now),
              ElementsAre(Field(&Warning::code, nothing_to_compare), Field(&Warning::code, "row_not_kept"),
                          Field(&Warning::code, "row_gone")));
  EXPECT_THAT(not_compared(kept, kept), IsEmpty());
}

TEST(Regressions, TimesWithoutAnIntervalAreNotComparedAndThatIsSaid) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto sure = with({row("all", {1.7, 1.6, 1.8})}), few = with({row("all", {1, 0, infinity})});
  const auto none = with({row("all", {})});
  EXPECT_THAT(not_compared(few, sure),
              ElementsAre(Field(&Warning::message, HasSubstr("the kept report has no interval"))));
  EXPECT_THAT(not_compared(sure, few),
              ElementsAre(Field(&Warning::message, HasSubstr("this profile has no interval"))));
  EXPECT_THAT(not_compared(none, sure), SizeIs(1));
  EXPECT_THAT(regressions(none, sure), IsEmpty()) << "nothing is not zero";
  auto failed = sure;
  failed.entries[0].verdict = SpeedVerdict::failed;
  EXPECT_THAT(not_compared(few, failed), IsEmpty()) << "said already";
}

TEST(Regressions, ARowThatNobodyTimedIsNotComparedAndThatIsSaid) {
  const auto sure = with({row("all", {1.7, 1.6, 1.8})});
  auto none = with({row("all", {})});
  none.entries[0].verdict = SpeedVerdict::not_measured;
  EXPECT_THAT(not_compared(sure, none),
              ElementsAre(Field(&Warning::message, HasSubstr("this profile has not measured it"))));
  EXPECT_THAT(not_compared(none, sure),
              ElementsAre(Field(&Warning::message, HasSubstr("the kept report has not measured it"))));
  EXPECT_THAT(regressions(sure, none), IsEmpty());
  EXPECT_THAT(regressions(none, sure), IsEmpty());
}

TEST(Regressions, ErrorsAgainstLabelsAreWorseWhereTheyAreLarger) {
  auto kept = with({row("all", {1, 1, 1})}), now = kept;
  for (ProfileReport* report : {&kept, &now}) report->entries[0].quality.emplace().task = "tensor";
  for (const char* metric : {"mae", "rmse", "wer", "cer"}) {
    kept.entries[0].quality->variant_against_labels = {{metric, {0.1, 0.09, 0.11}}};
    now.entries[0].quality->variant_against_labels = {{metric, {0.3, 0.28, 0.32}}};
    EXPECT_THAT(regressions(kept, now), SizeIs(1)) << metric;
    EXPECT_THAT(regressions(now, kept), IsEmpty()) << metric;
  }
}

TEST(Regressions, OfRelativeErrorsTheLargerIsWorse) {
  auto kept = with({row("all", {1, 1, 1})}), now = kept;
  for (ProfileReport* report : {&kept, &now}) report->entries[0].quality.emplace().task = "tensor";
  kept.entries[0].quality->metrics["relative_error"] = {1e-3, 1e-3, 2e-3};
  now.entries[0].quality->metrics["relative_error"] = {1e-6, 1e-6, 2e-6};
  EXPECT_THAT(regressions(kept, now), IsEmpty());
  EXPECT_THAT(regressions(now, kept), SizeIs(1));
}

}  // namespace
}  // namespace culprit
