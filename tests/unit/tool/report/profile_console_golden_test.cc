// What a person reads of a profile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/text.h"
#include "golden.h"
#include "report/layout.h"
#include "report/profile_console.h"
#include "report/profile_markdown.h"
#include "report/written_report.h"
#include "sample_profiles.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string shown(const ProfileReport& report, int width, bool verbose = false) {
  return to_console(report, {.width = width, .verbose = verbose}, "run");
}

TEST(ProfileConsole, IsAsItWas) {
  expect_golden("profile_levels_80.txt", shown(levels_profile(), 80));
  expect_golden("profile_levels_120.txt", shown(levels_profile(), 120));
  expect_golden("profile_levels_verbose.txt", shown(levels_profile(), 80, true));
  expect_golden("profile_single.txt", shown(single_profile(), 80));
  expect_golden("profile_hostile.txt", shown(hostile_profile(), 80));
  expect_golden("profile_crowded.txt", shown(crowded_profile(), 120));
  expect_golden("profile_sweep.txt", shown(timed_profile(), 80));
  expect_golden("profile_empty.txt", shown(empty_profile(), 80));
}

TEST(ProfileConsole, SmallNumbersHaveUnitsAndWhatIsNotCountedIsSaid) {
  ProfileReport report = levels_profile();
  GraphRecord& graph = report.entries[0].graph;
  graph.parameters = 1;
  graph.flops = 20;
  graph.moved = 160;
  graph.nodes_uncounted = 3;
  report.entries[3].nodes->baseline_other_seconds = 0.0003;
  const std::string text = to_console(report, {.width = 200, .verbose = true}, "run");
  EXPECT_THAT(text, HasSubstr("1 parameter, 20 FLOP a run, 160 B moved (+ 3 nodes not counted)"));
  EXPECT_THAT(text, HasSubstr("20 + 3 nodes not counted"));
  EXPECT_THAT(text, HasSubstr("160 B + 3 nodes not counted"));
  EXPECT_THAT(text, HasSubstr("of the baseline's nodes 300 us stand against none of these"));
}

TEST(ProfileConsole, ARatioWithoutAnIntervalShowsNone) {
  ProfileReport report = levels_profile();
  report.entries[1].ratio = {0.96, 0.96, 0.96};
  EXPECT_THAT(to_console(report, {}, "run"), Not(HasSubstr("0.960 x (")));
  EXPECT_THAT(to_console(report, {}, "run"), HasSubstr("0.960 x"));
}

TEST(ProfileConsole, NoLineIsTooLongAndNothingSteersTheTerminal) {
  for (const ProfileReport& report :
       {levels_profile(), single_profile(), hostile_profile(), crowded_profile(), empty_profile()}) {
    for (const int width : {80, 120}) {
      for (const bool verbose : {false, true}) {
        const std::string text = shown(report, width, verbose);
        EXPECT_EQ(text.find('\x1b'), std::string::npos);
        for (const std::string& line : split(text, '\n')) {
          EXPECT_LE(display_width(line), width) << line;
          EXPECT_FALSE(line.ends_with(' ')) << line;
        }
      }
    }
  }
}

TEST(ProfileConsole, ColoursChangeNothingButTheColour) {
  const ProfileReport report = levels_profile();
  const std::string coloured = to_console(report, {.colour = true}, "run");
  EXPECT_THAT(coloured, HasSubstr("\x1b[1;31mSLOWER\x1b[0m"));
  EXPECT_EQ(printable(coloured, coloured.size(), /*one_line=*/false), shown(report, 80));
}

TEST(ProfileConsole, SaysWhatToDoAboutAnAmbiguousVerdictAndOnlyThen) {
  EXPECT_THAT(shown(levels_profile(), 80), HasSubstr("--until-sure"));
  ProfileReport sure = levels_profile();
  sure.entries.pop_back();
  EXPECT_THAT(shown(sure, 80), Not(HasSubstr("--until-sure")));
}

TEST(ProfileConsole, SaysWhereTooFewBlocksWereMadeForAVerdict) {
  ProfileReport few = levels_profile();
  few.entries[4].ratio = {0.9, 0, std::numeric_limits<double>::infinity()};
  few.entries[4].block_ratios = {0.8, 1};
  EXPECT_THAT(shown(few, 120), HasSubstr("2 blocks are too few for a verdict"));
  EXPECT_THAT(shown(few, 120), HasSubstr("AMBIGUOUS: too few blocks were made for a verdict"));
  EXPECT_THAT(to_markdown(few, {}), HasSubstr("2 blocks are too few for a verdict"));
  EXPECT_THAT(shown(levels_profile(), 120), Not(HasSubstr("too few")));
}

TEST(ProfileConsole, ARowThatNobodyTimedIsNotAmbiguous) {
  ProfileReport report = levels_profile();
  report.entries[4].verdict = SpeedVerdict::not_measured;
  report.entries[4].ratio = {};
  EXPECT_THAT(shown(report, 120), AllOf(HasSubstr("not measured"), Not(HasSubstr("AMBIGUOUS"))));
  EXPECT_THAT(to_markdown(report, {}), AllOf(HasSubstr("not measured"), Not(HasSubstr("AMBIGUOUS"))));
}

TEST(ProfileConsole, DoesNotAskToBeSureWhereTheTimeForThatWasSpent) {
  ProfileReport report = levels_profile();
  report.warnings.push_back({"budget_spent", "more with --budget 120s"});
  EXPECT_THAT(shown(report, 120), AllOf(HasSubstr("--budget 120s"), Not(HasSubstr("--until-sure"))));
}

TEST(ProfileConsole, IsKnownAgainAsOurs) {
  for (const ProfileReport& report : {levels_profile(), single_profile(), hostile_profile(), empty_profile()})
    EXPECT_TRUE(is_printed_report(shown(report, 80)));
  EXPECT_FALSE(is_printed_report("profile  of 4 entries\n"));
  EXPECT_FALSE(is_printed_report("profile  4 entries\nin my diary\n"));
}

}  // namespace
}  // namespace culprit
