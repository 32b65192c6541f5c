#include "localize/rewrite_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace culprit {
namespace {

using State = RewriteAnswer::State;
using testing::ElementsAre;
using testing::HasSubstr;

/// Visits "0", "1", ... of one pass; the test says which of those made are bad together.
struct FakeRecipe {
  std::uint64_t count = 0;
  std::function<State(const std::set<std::uint64_t>& made, std::size_t again)> judge;
  std::size_t asked = 0;

  RewriteOracle oracle() {
    return [this](const RewriteLimits& limits, std::size_t again) -> Result<RewriteAnswer> {
      ++asked;
      RewriteAnswer answer;
      std::set<std::uint64_t> made;
      for (std::uint64_t visit = 0; visit < count; ++visit) {
        const RewriteSite site{"pass", std::to_string(visit)};
        if (limits.budget && answer.trace.count >= *limits.budget) break;
        if (std::ranges::find(limits.skip, site) != limits.skip.end()) continue;
        made.insert(visit);
        ++answer.trace.count;
        if (limits.trace) answer.trace.visits.push_back({site, "Conv", {}});
        answer.fingerprint = {visit + 1, made.size()};
      }
      answer.state = judge(made, again);
      if (answer.state == State::unknown) answer.message = "the checker refuses it";
      return answer;
    };
  }
};

FakeRecipe fails_with(std::uint64_t count, std::set<std::uint64_t> bad) {
  return {count, [bad = std::move(bad)](const auto& made, std::size_t) {
            return std::ranges::any_of(bad, [&](auto one) { return made.contains(one); }) ? State::fails : State::right;
          }};
}

std::vector<std::string> places(const RewriteSearch& search) {
  std::vector<std::string> result;
  for (const BadRewrite& bad : search.found) result.push_back(bad.visit.site.output);
  return result;
}

TEST(RewriteSearch, FindsTheOneBadRewriteWhereverItIs) {
  for (std::uint64_t bad = 0; bad < 9; ++bad) {
    FakeRecipe recipe = fails_with(9, {bad});
    const auto search = find_bad_rewrites(recipe.oracle()).value();
    ASSERT_THAT(places(search), ElementsAre(std::to_string(bad)));
    EXPECT_TRUE(search.complete) << search.message;
    EXPECT_EQ(search.found[0].number, bad + 1);
    EXPECT_EQ(search.found[0].of, 9u);
    EXPECT_EQ(search.found[0].held, 2u);
    EXPECT_EQ(search.found[0].asked, 2u);
    EXPECT_NE(search.found[0].before, search.found[0].after);
    EXPECT_EQ(search.asked, recipe.asked);
  }
}

TEST(RewriteSearch, TenThousandRewritesInTwentyQuestions) {
  for (const std::uint64_t bad : {0, 1, 4'999, 5'000, 7'777, 9'998, 9'999}) {
    FakeRecipe recipe = fails_with(10'000, {bad});
    const auto search = find_bad_rewrites(recipe.oracle()).value();
    EXPECT_THAT(places(search), ElementsAre(std::to_string(bad)));
    EXPECT_TRUE(search.complete);
    EXPECT_LE(recipe.asked, 20u);
  }
}

TEST(RewriteSearch, FindsAllThatAreIndependent) {
  FakeRecipe recipe = fails_with(1'000, {17, 18, 500, 999});
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_THAT(places(search), testing::UnorderedElementsAre("17", "18", "500", "999"));
  EXPECT_TRUE(search.complete);
  EXPECT_LE(recipe.asked, 20u * 4);
}

TEST(RewriteSearch, TwoThatFailTogetherAreOneFoundAndItsRemovalIsEnough) {
  FakeRecipe recipe{100, [](const auto& made, std::size_t) {
                      return made.contains(20) && made.contains(60) ? State::fails : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_THAT(places(search), ElementsAre("60"));  // the one that completes it
  EXPECT_TRUE(search.complete);
}

TEST(RewriteSearch, ALaterRewriteThatMendsLeavesARealBoundary) {
  // 10 breaks, 30 mends, 50 breaks again: not monotone.
  FakeRecipe recipe{64, [](const auto& made, std::size_t) {
                      const bool broken = (made.contains(10) && !made.contains(30)) || made.contains(50);
                      return broken ? State::fails : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_THAT(places(search), ElementsAre("50"));
  EXPECT_TRUE(search.complete);
}

TEST(RewriteSearch, WhatFailsWithoutRewritesBlamesNone) {
  FakeRecipe recipe{10, [](const auto&, std::size_t) { return State::fails; }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_TRUE(search.found.empty());
  EXPECT_FALSE(search.complete);
  EXPECT_THAT(search.message, HasSubstr("without any rewrite"));
}

TEST(RewriteSearch, ARightRecipeHasNone) {
  FakeRecipe recipe = fails_with(10, {});
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_TRUE(search.found.empty());
  EXPECT_FALSE(search.complete);
  EXPECT_THAT(search.message, HasSubstr("is right"));
  EXPECT_EQ(recipe.asked, 2u);
}

TEST(RewriteSearch, ACrashInAPredicateIsNoRewriteS) {
  // It dies when all three rewrites are made and the passes go on looking.
  const RewriteOracle oracle = [](const RewriteLimits& limits, std::size_t) -> Result<RewriteAnswer> {
    RewriteAnswer answer;
    const bool goes_on = !limits.budget || *limits.budget > 3;
    answer.state = goes_on ? State::fails : State::right;
    answer.trace.count = goes_on ? 3 : *limits.budget;
    if (!goes_on) answer.fingerprint = {1, *limits.budget};
    if (limits.trace) answer.trace.visits.assign(3, {{"pass", "y"}, "Conv", {}});
    if (goes_on && limits.trace_predicates) answer.trace.asking = RewriteVisit{{"other", "z"}, "Add", {}, true};
    return answer;
  };
  const auto search = find_bad_rewrites(oracle).value();
  EXPECT_TRUE(search.found.empty());
  EXPECT_EQ(
      search.message,
      "it fails after the last of 3 rewrites (pass at 'y'), when the predicate of other is asked about 'z' (Add)");
}

TEST(RewriteSearch, ACrashInARewriteIsFound) {
  const RewriteOracle oracle = [](const RewriteLimits& limits, std::size_t) -> Result<RewriteAnswer> {
    RewriteAnswer answer;
    const bool skips = std::ranges::find(limits.skip, RewriteSite{"pass", "2"}) != limits.skip.end();
    const bool dies = !skips && (!limits.budget || *limits.budget >= 3);
    answer.trace.count = dies ? 3 : std::min<std::uint64_t>(limits.budget.value_or(9), 9);
    answer.state = dies ? State::fails : State::right;
    if (!dies) answer.fingerprint = {1, answer.trace.count};
    for (std::uint64_t i = 0; limits.trace && i < answer.trace.count; ++i)
      answer.trace.visits.push_back({{"pass", std::to_string(i)}, "Conv", {}});
    return answer;
  };
  const auto search = find_bad_rewrites(oracle).value();
  EXPECT_THAT(places(search), ElementsAre("2"));
  EXPECT_TRUE(search.complete);
}

TEST(RewriteSearch, WhatCannotBeCountedIsSaid) {
  const RewriteOracle oracle = [](const RewriteLimits& limits, std::size_t) -> Result<RewriteAnswer> {
    RewriteAnswer answer;
    answer.state = limits.budget ? State::right : State::fails;
    return answer;
  };
  EXPECT_THAT(find_bad_rewrites(oracle).value().message, HasSubstr("before any rewrite"));
}

TEST(RewriteSearch, StepsAroundWhatSaysNothing) {
  // Between 30 and 40 rewrites the model is half made; the culprit lies beyond.
  FakeRecipe recipe{64, [](const auto& made, std::size_t) {
                      if (made.size() >= 30 && made.size() < 40) return State::unknown;
                      return made.contains(45) ? State::fails : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_THAT(places(search), ElementsAre("45"));
  EXPECT_TRUE(search.complete);
}

TEST(RewriteSearch, WhatLiesWithinWhatSaysNothingIsProvenByLeavingItOut) {
  FakeRecipe recipe{64, [](const auto& made, std::size_t) {
                      if (made.size() >= 30 && made.size() < 40) return State::unknown;
                      return made.contains(34) ? State::fails : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  ASSERT_THAT(places(search), ElementsAre("34"));
  EXPECT_TRUE(search.complete);
  EXPECT_TRUE(search.found[0].by_removal);
  EXPECT_EQ(search.found[0].number, 35u);
  EXPECT_EQ(search.found[0].held, 2u);
  EXPECT_THAT(search.message, HasSubstr("without it the pass list is right"));
  EXPECT_THAT(search.message, HasSubstr("the checker refuses it"));
}

TEST(RewriteSearch, OneThatFailsInAnotherWayUntilTheNextIsMadeIsFound) {
  // The second names the operator in the message of the first one's failure.
  FakeRecipe recipe{22, [](const auto& made, std::size_t) {
                      if (!made.contains(20)) return State::right;
                      return made.contains(21) ? State::fails : State::unknown;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  ASSERT_THAT(places(search), ElementsAre("20"));
  EXPECT_TRUE(search.complete) << search.message;
  EXPECT_LE(search.asked, 12u);
}

TEST(RewriteSearch, WhatIsNotProvenByLeavingItOutIsNarrowedOnly) {
  FakeRecipe recipe{64, [](const auto& made, std::size_t) {
                      if (made.size() >= 30 && made.size() < 40) return State::unknown;
                      return made.contains(33) || made.contains(34) ? State::fails : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_TRUE(search.found.empty());
  EXPECT_FALSE(search.complete);
  EXPECT_THAT(search.message, HasSubstr("among the rewrites 30 to 40"));
  EXPECT_THAT(search.message, HasSubstr("the checker refuses it"));
}

TEST(RewriteSearch, TwoKindsOfFailureAreToldApart) {
  // Wrong values from 20 on; the checker refuses what 50 makes, whatever the values.
  FakeRecipe recipe{64, [](const auto& made, std::size_t) {
                      if (made.contains(50)) return State::fails;
                      return made.contains(20) ? State::unknown : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  ASSERT_THAT(places(search), ElementsAre("20", "50"));
  EXPECT_EQ(search.found[0].otherwise, "the checker refuses it");
  EXPECT_EQ(search.found[0].number, 21u);
  EXPECT_EQ(search.found[0].held, 2u);
  EXPECT_NE(search.found[0].before, search.found[0].after);
  EXPECT_EQ(search.found[1].otherwise, "");
  EXPECT_EQ(search.found[1].number, 50u) << "with the first left out";
  EXPECT_FALSE(search.found[1].by_removal);
  EXPECT_TRUE(search.complete);
  EXPECT_EQ(search.message,
            "rewrite 21 of 64 (pass at '20') goes wrong in another way, and was left out to see this: the checker "
            "refuses it");
  EXPECT_EQ(search.asked, recipe.asked);
}

TEST(RewriteSearch, SomeOfAnotherKindOneBehindTheOtherAreLeftOut) {
  FakeRecipe recipe{32, [](const auto& made, std::size_t) {
                      if (made.contains(30)) return State::fails;
                      return made.contains(20) || made.contains(21) || made.contains(25) ? State::unknown
                                                                                         : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_THAT(places(search), ElementsAre("20", "21", "25", "30"));
  EXPECT_TRUE(search.complete);
}

TEST(RewriteSearch, OneOfAnotherKindThatFlickersIsNotToldApart) {
  FakeRecipe recipe{64, [](const auto& made, std::size_t again) {
                      if (made.contains(50)) return State::fails;
                      return made.contains(20) && again == 0 ? State::unknown : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle()).value();
  EXPECT_TRUE(search.found.empty());
  EXPECT_FALSE(search.complete);
  EXPECT_THAT(search.message, HasSubstr("among the rewrites 21 to 51"));
}

TEST(RewriteSearch, FlickerIsCountedAndSaid) {
  FakeRecipe recipe{64, [](const auto& made, std::size_t again) {
                      return made.contains(45) && again != 2 ? State::fails : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle(), {.confirmations = 3}).value();
  ASSERT_THAT(places(search), ElementsAre("45"));
  EXPECT_EQ(search.found[0].asked, 4u);
  EXPECT_EQ(search.found[0].held, 3u);
  EXPECT_TRUE(search.flickers);
  EXPECT_FALSE(search.complete) << "that would be a certainty";
  EXPECT_THAT(search.message, HasSubstr("flickers"));
}

TEST(RewriteSearch, WhatIsRightByChanceIsAskedForAgain) {
  // Every second time it does not show.
  std::size_t asked = 0;
  FakeRecipe recipe{64, [&](const auto& made, std::size_t) {
                      return made.contains(45) && ++asked % 2 == 0 ? State::fails : State::right;
                    }};
  const auto search = find_bad_rewrites(recipe.oracle(), {.confirmations = 2, .doubts = 1}).value();
  EXPECT_THAT(places(search), ElementsAre("45"));
  EXPECT_TRUE(search.flickers);
  EXPECT_FALSE(search.complete);
}

TEST(RewriteSearch, EndsWhenNothingIsTriedAnyMore) {
  std::size_t asked = 0;
  FakeRecipe recipe = fails_with(1000, {500});
  const RewriteOracle oracle = [&, inner = recipe.oracle()](const RewriteLimits& limits,
                                                            std::size_t again) -> Result<RewriteAnswer> {
    if (++asked > 5) return RewriteAnswer{State::ended, {}, {}, "the time is spent"};
    return inner(limits, again);
  };
  const auto search = find_bad_rewrites(oracle).value();
  EXPECT_TRUE(search.found.empty());
  EXPECT_EQ(search.message, "it is among the rewrites 501 to 625: the time is spent");
  EXPECT_EQ(asked, 6u);
}

TEST(RewriteSearch, StopsAtTheLimits) {
  FakeRecipe few = fails_with(10'000, {5'000});
  const auto search = find_bad_rewrites(few.oracle(), {.most_asked = 8}).value();
  EXPECT_TRUE(search.found.empty());
  EXPECT_THAT(search.message, HasSubstr("among the rewrites"));
  EXPECT_LE(few.asked, 8u);
  std::set<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 50; ++i) all.insert(i);
  FakeRecipe many = fails_with(50, all);
  const auto several = find_bad_rewrites(many.oracle(), {.most_asked = 10'000, .most_found = 5}).value();
  EXPECT_EQ(several.found.size(), 5u);
  EXPECT_FALSE(several.complete);
  EXPECT_THAT(several.message, HasSubstr("more than 5"));
}

TEST(RewriteSearch, ErrorsEndIt) {
  const RewriteOracle interrupted = [](const RewriteLimits&, std::size_t) -> Result<RewriteAnswer> {
    return fail(ErrorKind::interrupted, "stop");
  };
  EXPECT_EQ(find_bad_rewrites(interrupted).error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
