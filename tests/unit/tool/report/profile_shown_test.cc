// What of a profile is said at a glance.
#include "report/profile_shown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/profile_console.h"
#include "report/profile_json.h"
#include "report/profile_markdown.h"
#include "sample_profiles.h"

namespace culprit {
namespace {

using namespace culprit::testing;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

ProfileEntry entry(const std::string& name, SpeedVerdict verdict, double ratio) {
  ProfileEntry entry;
  entry.name = name;
  entry.verdict = verdict;
  entry.ratio = {ratio, ratio, ratio};
  return entry;
}

ProfileReport many() {
  ProfileReport report;
  report.entries = {entry("a", SpeedVerdict::same, 1.02),    entry("b", SpeedVerdict::faster, 0.9),
                    entry("c", SpeedVerdict::faster, 0.5),   entry("d", SpeedVerdict::slower, 1.1),
                    entry("e", SpeedVerdict::baseline, 1),   entry("f", SpeedVerdict::failed, 1),
                    entry("g", SpeedVerdict::ambiguous, 1.2)};
  report.baseline = 4;
  for (ProfileEntry& one : report.entries) one.baseline = 4;
  return report;
}

std::vector<std::string> names(const ProfileReport& report) {
  std::vector<std::string> names;
  for (const ProfileEntry& one : report.entries) names.push_back(one.name);
  return names;
}

TEST(ProfileShown, WhatTellsMostStaysInItsOrder) {
  const ProfileReport shown = most_telling(many(), 5);
  EXPECT_THAT(names(shown), ElementsAre("c", "d", "e", "f", "g"));
  EXPECT_EQ(shown.entries[shown.baseline].name, "e");
  EXPECT_EQ(what_is_missing(many(), shown), "and 2 more: 1 faster, 1 same");
  EXPECT_THAT(names(most_telling(many(), 2)), ElementsAre("e", "f"));
}

TEST(ProfileShown, BaselinesOfTheirOwnStayAndAreFoundAgain) {
  ProfileReport report = many();
  report.entries.push_back(entry("h", SpeedVerdict::baseline, 1));
  report.entries[0].baseline = report.entries[3].baseline = report.entries[7].baseline = 7;
  const ProfileReport shown = most_telling(report, 4);
  EXPECT_THAT(names(shown), ElementsAre("d", "e", "f", "h"));
  EXPECT_EQ(shown.entries[shown.entries[0].baseline].name, "h");
  EXPECT_EQ(shown.entries[shown.entries[1].baseline].name, "e");
  EXPECT_EQ(shown.entries[shown.entries[3].baseline].name, "h");
}

TEST(ProfileShown, WhatFailedStaysWithItsBaseline) {
  ProfileReport report = many();
  report.entries[5].baseline = 2;  // "f", of a model whose baseline failed
  const ProfileReport shown = most_telling(report, 2);
  EXPECT_THAT(names(shown), ElementsAre("c", "e", "f"));
  EXPECT_EQ(shown.entries[shown.entries[2].baseline].name, "c");
}

TEST(ProfileShown, AllThatFitsIsShown) {
  EXPECT_THAT(most_telling(many(), 7).entries, ::testing::SizeIs(7));
  EXPECT_EQ(what_is_missing(many(), most_telling(many(), 7)), "");
}

TEST(ProfileShown, WhatAGraphCameOfStaysWithIt) {
  ProfileReport report = many();
  for (ProfileEntry& one : report.entries) one.model = "m";
  report.entries[0].level = "off";
  report.entries[0].graph.nodes = 4;
  EXPECT_THAT(names(most_telling(report, 2)), ElementsAre("a", "e", "f"));
}

TEST(ProfileShown, TheConsoleSaysWhatItLeavesOut) {
  const ProfileReport report = crowded_profile();
  EXPECT_THAT(to_console(report, {.width = 120}, "run"), HasSubstr("--verbose shows them"));
  EXPECT_THAT(to_console(report, {.width = 120, .verbose = true}, "run"), Not(HasSubstr("--verbose shows them")));
}

ProfileReport unread() {
  ProfileReport report = single_profile();
  report.warnings = {{"nvml_unread", "no library at all"}, {"rapl_unread", "no package at all"}};
  return report;
}

TEST(ProfileShown, UnreadDevicesAreOneQuietLine) {
  const std::string quiet = to_console(unread(), {.width = 80}, "run");
  EXPECT_THAT(quiet, AllOf(HasSubstr("devices: none readable (--verbose tells why)"), Not(HasSubstr("at all")),
                           Not(HasSubstr("warning"))));
  const std::string verbose = to_console(unread(), {.width = 80, .verbose = true}, "run");
  EXPECT_THAT(verbose,
              AllOf(HasSubstr("no library at all"), HasSubstr("no package at all"), Not(HasSubstr("none readable"))));
  EXPECT_THAT(to_json(unread()), AllOf(HasSubstr("no library at all"), HasSubstr("no package at all")));
  EXPECT_THAT(to_markdown(unread()), AllOf(HasSubstr("- devices: none readable"), Not(HasSubstr("at all"))));
}

TEST(ProfileShown, WhatIsReadIsNotCalledUnread) {
  ProfileReport report = unread();
  report.warnings.pop_back();
  report.entries[0].devices.emplace_back().name = "CPU package 0";
  EXPECT_EQ(unread_devices(report), "no NVIDIA GPU readable");
  report.warnings.clear();
  EXPECT_EQ(unread_devices(report), "");
}

TEST(ProfileShown, AnUnreadGpuIsNewsWhereOneIsUsed) {
  ProfileReport report = unread();
  report.environment.provider = "CPU, CUDA";
  EXPECT_THAT(to_console(report, {.width = 80}, "run"),
              AllOf(HasSubstr("no library at all"), Not(HasSubstr("no package at all"))));
}

}  // namespace
}  // namespace culprit
