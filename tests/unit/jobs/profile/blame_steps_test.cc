#include "profile/blame/blame_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "profile/speed/speed_verdict.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Steps = std::vector<std::string>;

bool holds(const Steps& steps, const std::string& name) { return std::ranges::find(steps, name) != steps.end(); }

/// Asks a made-up truth: the ratio of these steps, known to 1 %.
BlameRecord blamed(const std::function<double(const Steps&)>& ratio_of, Steps steps = {"a", "b", "c", "d", "e", "f"},
                   SpeedVerdict asked = SpeedVerdict::slower) {
  const BlameSearch search{"all", asked, std::move(steps)};
  auto record = blame_steps(search, [&](const Steps& some) -> Result<SpeedOfSteps> {
    const double value = ratio_of(some);
    const RatioRecord ratio{value, value * 0.99, value * 1.01};
    return SpeedOfSteps{ratio, speed_verdict(ratio), "constants_became_inputs"};
  });
  EXPECT_TRUE(record);
  return record ? *record : BlameRecord{};
}

TEST(BlameSteps, FindsTheOneThatDoesIt) {
  const BlameRecord record = blamed([](const Steps& steps) { return holds(steps, "d") ? 1.3 : 1.0; });
  EXPECT_THAT(record.steps, ElementsAre("d"));
  EXPECT_DOUBLE_EQ(record.with.value, 1.3);
  EXPECT_EQ(record.without_verdict, SpeedVerdict::same);
  EXPECT_EQ(record.message, "d makes it slower");
  EXPECT_THAT(record.because, IsEmpty());
}

TEST(BlameSteps, FindsTwoThatOnlyTogetherDoIt) {
  const BlameRecord record =
      blamed([](const Steps& steps) { return holds(steps, "b") && holds(steps, "e") ? 1.3 : 1.0; });
  EXPECT_THAT(record.steps, ElementsAre("b", "e"));
  EXPECT_EQ(record.without_verdict, SpeedVerdict::same);
}

TEST(BlameSteps, LooksForTheNextOneWhereTheRestIsStillSlower) {
  const BlameRecord record =
      blamed([](const Steps& steps) { return (holds(steps, "b") ? 1.2 : 1.0) * (holds(steps, "e") ? 1.1 : 1.0); });
  EXPECT_THAT(record.steps, ElementsAre("b", "e"));
  EXPECT_DOUBLE_EQ(record.with.value, 1.2 * 1.1);
  EXPECT_DOUBLE_EQ(record.without.value, 1.0);
}

TEST(BlameSteps, AStepThatHelpsDoesNotHideOneThatHarms) {
  const BlameRecord record =
      blamed([](const Steps& steps) { return (holds(steps, "b") ? 1.5 : 1.0) * (holds(steps, "c") ? 0.8 : 1.0); });
  EXPECT_THAT(record.steps, ElementsAre("b"));
  EXPECT_EQ(record.without_verdict, SpeedVerdict::faster);
}

TEST(BlameSteps, WhatMakesItFasterIsFoundLikewise) {
  const BlameRecord record =
      blamed([](const Steps& steps) { return holds(steps, "f") ? 0.7 : 1.0; }, {"a", "f", "g"}, SpeedVerdict::faster);
  EXPECT_THAT(record.steps, ElementsAre("f"));
  EXPECT_EQ(record.message, "f makes it faster");
}

TEST(BlameSteps, WhatComesWithAnyFileIsNoStepsFault) {
  const BlameRecord record = blamed([](const Steps&) { return 1.24; });
  EXPECT_THAT(record.steps, IsEmpty());
  EXPECT_EQ(record.because, "constants_became_inputs");
  EXPECT_THAT(record.message, HasSubstr("without any step"));
  EXPECT_EQ(record.questions, 2);
}

/// Says that it is slower, whatever the steps.
BlameRecord always_slower(WithoutSteps without_steps) {
  BlameSearch search{"b", SpeedVerdict::slower, {"a"}};
  search.without_steps = without_steps;
  const auto record = blame_steps(search, [](const Steps&) -> Result<SpeedOfSteps> {
    return SpeedOfSteps{{1.3, 1.29, 1.31}, SpeedVerdict::slower};
  });
  EXPECT_TRUE(record);
  return record ? *record : BlameRecord{};
}

TEST(BlameSteps, AnotherModelIsSlowerItself) {
  const BlameRecord record = always_slower(WithoutSteps::other_model);
  EXPECT_EQ(record.message, "the model itself is slower: it is slower without any step of the runtime as well");
  EXPECT_EQ(record.without_verdict, std::nullopt) << "nothing was left out, so nothing was measured without it";
}

TEST(BlameSteps, OnlyAnOptimizerThatWritesIsSaidToWrite) {
  EXPECT_THAT(always_slower(WithoutSteps::session).message, Not(HasSubstr("writes")));
  EXPECT_THAT(always_slower(WithoutSteps::other_written_model).message, HasSubstr("the model itself"));
  EXPECT_THAT(always_slower(WithoutSteps::written_file).message, HasSubstr("optimizer writes"));
}

TEST(BlameSteps, WhatIsNotSoWhenItIsLookedAtIsSaid) {
  const BlameRecord record = blamed([](const Steps&) { return 1.0; });
  EXPECT_THAT(record.steps, IsEmpty());
  EXPECT_THAT(record.message, HasSubstr("it is so no more"));
}

TEST(BlameSteps, UnsureAnswersAreCountedAndNotTakenForAYes) {
  const BlameRecord record = blamed([](const Steps& steps) {
    if (holds(steps, "f")) return 1.3;
    return steps.size() == 3 ? 1.03 : 1.0;
  });
  EXPECT_THAT(record.steps, ElementsAre("f"));
  EXPECT_GT(record.unsure, 0);
  EXPECT_THAT(record.message, HasSubstr("no sure answer"));
}

/// 'c' of four does it; each question takes ten seconds, and so many have the time.
BlameRecord blamed_in_time(int questions, bool is_last_cut = false) {
  BlameSearch search{"all", SpeedVerdict::slower, {"a", "b", "c", "d"}};
  int asked = 0;
  search.is_time_up = [&] { return asked >= questions; };
  search.seconds_a_question = 7;
  const auto record = blame_steps(search, [&](const Steps& steps) -> Result<SpeedOfSteps> {
    ++asked;
    SpeedOfSteps answer{{1, 0.99, 1.01}, SpeedVerdict::same, "", 10};
    if (holds(steps, "c")) answer = {{1.3, 1.29, 1.31}, SpeedVerdict::slower, "", 10};
    if (is_last_cut && asked == questions) answer = {{1.3, 0.7, 2}, SpeedVerdict::ambiguous, "", 4, true};
    return answer;
  });
  EXPECT_TRUE(record);
  return record ? *record : BlameRecord{};
}

TEST(BlameSteps, WhatWasAskedAndWhatIsOpenIsTold) {
  const BlameRecord record = blamed_in_time(4);
  EXPECT_THAT(record.steps, IsEmpty());
  EXPECT_EQ(record.with, RatioRecord()) << "no step was found, so none does it alone";
  EXPECT_EQ(record.without_verdict, std::nullopt);
  ASSERT_EQ(record.answers.size(), 4U);
  EXPECT_THAT(record.answers[0].steps, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(record.answers[1].steps, IsEmpty());
  EXPECT_THAT(record.answers[2].steps, ElementsAre("a", "b"));
  EXPECT_EQ(record.answers[3].verdict, SpeedVerdict::slower);
  EXPECT_THAT(record.open, ElementsAre("c", "d"));
  EXPECT_THAT(record.message, HasSubstr("of 4 steps 2 are open"));
  EXPECT_DOUBLE_EQ(record.seconds, 40);
  EXPECT_DOUBLE_EQ(record.seconds_left, 30) << "c, d, and all but the one that does it";
}

TEST(BlameSteps, AQuestionThatTheTimeEndedIsNoAnswer) {
  const BlameRecord record = blamed_in_time(4, true);
  EXPECT_THAT(record.open, ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(record.message, HasSubstr("of 4 steps all are open"));
  EXPECT_DOUBLE_EQ(record.seconds, 34);
  const BlameRecord at_once = blamed_in_time(1, true);
  EXPECT_THAT(at_once.message, HasSubstr("spent before anything was sure"));
  EXPECT_THAT(at_once.open, ElementsAre("a", "b", "c", "d"));
  EXPECT_DOUBLE_EQ(at_once.seconds_left, 7 * 7)
      << "all, none, ab, cd, c, d, abc: by what a question is thought to take";
}

TEST(BlameSteps, WithoutTimeNothingIsAskedAndTheTimeIsTold) {
  const BlameRecord record = blamed_in_time(0);
  EXPECT_EQ(record.questions, 0);
  EXPECT_THAT(record.open, ElementsAre("a", "b", "c", "d"));
  EXPECT_DOUBLE_EQ(record.seconds_left, 49);
}

TEST(BlameSteps, WhatIsForetoldIsEnough) {
  std::vector<std::int64_t> ahead;
  for (const char* lone : {"a", "b", "c", "d", "e"}) {
    BlameSearch search{"all", SpeedVerdict::slower, {"a", "b", "c", "d", "e"}};
    ahead.clear();
    search.foretell = [&](const BlameAhead& told) { ahead.push_back(told.asked + told.questions); };
    const auto record = blame_steps(search, [&](const Steps& steps) -> Result<SpeedOfSteps> {
      const bool is_slow = holds(steps, lone);
      return SpeedOfSteps{{1, 1, 1}, is_slow ? SpeedVerdict::slower : SpeedVerdict::same, "", 1};
    });
    ASSERT_TRUE(record);
    EXPECT_THAT(record->steps, ElementsAre(lone));
    EXPECT_THAT(record->open, IsEmpty());
    EXPECT_GE(ahead.front(), record->questions) << lone;
    EXPECT_EQ(ahead.back(), record->questions) << lone;
  }
}

TEST(BlameSteps, WhatTheFileHasMoreWithoutAnyStepIsTold) {
  BlameSearch search{"all", SpeedVerdict::slower, {"a"}};
  const auto record = blame_steps(search, [](const Steps&) -> Result<SpeedOfSteps> {
    SpeedOfSteps answer{{1.3, 1.29, 1.31}, SpeedVerdict::slower};
    answer.ops_changed = {{"Erf", 16}};
    return answer;
  });
  ASSERT_TRUE(record);
  EXPECT_EQ(record->ops_changed, (std::map<std::string, std::int64_t>{{"Erf", 16}}));
}

TEST(BlameSteps, WhenTheTimeIsSpentItSaysSo) {
  int asked = 0;
  BlameSearch search{"all", SpeedVerdict::slower, {"a", "b", "c", "d"}};
  search.is_time_up = [&] { return ++asked > 4; };
  const auto record = blame_steps(search, [](const Steps& steps) -> Result<SpeedOfSteps> {
    const RatioRecord ratio{1.3, 1.29, 1.31};
    if (holds(steps, "a")) return SpeedOfSteps{ratio, SpeedVerdict::slower};
    return SpeedOfSteps{{1, 0.99, 1.01}, SpeedVerdict::same};
  });
  ASSERT_TRUE(record);
  EXPECT_THAT(record->message, HasSubstr("time was spent"));
}

TEST(BlameSteps, AnErrorEndsIt) {
  const auto record = blame_steps({"all", SpeedVerdict::slower, {"a"}}, [](const Steps&) -> Result<SpeedOfSteps> {
    return fail(ErrorKind::io, "the disk is full");
  });
  ASSERT_FALSE(record);
  EXPECT_EQ(record.error().message, "the disk is full");
}

}  // namespace
}  // namespace culprit
