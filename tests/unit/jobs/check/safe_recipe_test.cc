#include "check/explain/safe_recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace culprit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

using End = SafeSearch::End;
using Order = MinimalFailure::Order;

const RecipeAnswer clean{RecipeAnswer::State::clean};
RecipeAnswer fails(const std::string& how = "diverged") { return {RecipeAnswer::State::fails, how}; }

/// Do these occur in this order?
bool in_order(const Passes& passes, const Passes& wanted) {
  std::size_t next = 0;
  for (const std::string& pass : passes) {
    if (next < wanted.size() && pass == wanted[next]) ++next;
  }
  return next == wanted.size();
}

bool has(const Passes& passes, const std::string& pass) { return std::ranges::find(passes, pass) != passes.end(); }

class SafeRecipeSearch : public testing::Test {
 protected:
  SafeSearch search(KnownPlaces known = {}) {
    RecipeQuestions trials(
        [this](const Passes& passes) -> Result<RecipeAnswer> {
          asked.push_back(passes);
          return shows(passes);
        },
        [this](const Passes& passes) -> Result<RecipeAnswer> {
          return shows_again ? shows_again(passes) : shows(passes);
        },
        budget);
    SafeSearch found = find_safe_recipe(trials, recipe, known);
    error = trials.error();
    return found;
  }

  Passes kept(const SafeSearch& found) { return passes_at(recipe, found.kept); }
  Passes culprits(const SafeSearch& found, std::size_t number) {
    return passes_at(recipe, found.interactions.at(number).minimal.places);
  }

  Passes recipe = {"a", "b", "c", "d", "e", "f", "g", "h"};
  std::function<Result<RecipeAnswer>(const Passes&)> shows, shows_again;
  std::size_t budget = 300;
  std::vector<Passes> asked;
  std::optional<Error> error;
};

TEST_F(SafeRecipeSearch, ACleanRecipeIsSafeAtOnceThoughAPassFailsAlone) {
  shows = [](const Passes&) { return clean; };
  const SafeSearch found = search({{}, {2}, {}});
  EXPECT_EQ(found.end, End::verified);
  EXPECT_EQ(kept(found), recipe);
  EXPECT_THAT(found.left_out, IsEmpty());
  EXPECT_THAT(asked, SizeIs(1));
}

TEST_F(SafeRecipeSearch, PassesThatFailAloneGoFirst) {
  shows = [](const Passes& p) { return has(p, "c") || has(p, "f") ? fails() : clean; };
  const SafeSearch found = search({{}, {2, 5}, {}});
  EXPECT_THAT(kept(found), ElementsAre("a", "b", "d", "e", "g", "h"));
  EXPECT_THAT(found.interactions, IsEmpty());
  EXPECT_THAT(found.left_out, ElementsAre(Field(&LeftOutPlace::place, 2), Field(&LeftOutPlace::place, 5)));
}

TEST_F(SafeRecipeSearch, TwoThatFailTogetherInThisOrderAreFoundAndOneOfThemGoes) {
  shows = [](const Passes& p) { return in_order(p, {"c", "g"}) ? fails() : clean; };
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::verified);
  ASSERT_THAT(found.interactions, SizeIs(1));
  EXPECT_THAT(culprits(found, 0), ElementsAre("c", "g"));
  EXPECT_EQ(found.interactions[0].minimal.order, Order::matters);
  EXPECT_TRUE(found.interactions[0].minimal.complete);
  EXPECT_THAT(kept(found), SizeIs(7));
  EXPECT_LT(asked.size(), 40U);
}

TEST_F(SafeRecipeSearch, AnOrderThatDoesNotMatterIsKnown) {
  shows = [](const Passes& p) { return has(p, "c") && has(p, "g") ? fails() : clean; };
  EXPECT_EQ(search().interactions.at(0).minimal.order, Order::either);
}

TEST_F(SafeRecipeSearch, ThreeThatFailTogether) {
  shows = [](const Passes& p) { return in_order(p, {"a", "d", "h"}) ? fails() : clean; };
  const SafeSearch found = search();
  EXPECT_THAT(culprits(found, 0), ElementsAre("a", "d", "h"));
  EXPECT_EQ(found.interactions[0].minimal.order, Order::unknown) << "asked of pairs only";
  EXPECT_THAT(kept(found), SizeIs(7));
}

TEST_F(SafeRecipeSearch, SuspectsAreAskedFirst) {
  shows = [](const Passes& p) { return in_order(p, {"c", "g"}) ? fails() : clean; };
  search();
  const std::size_t without_suspects = asked.size();
  asked.clear();
  EXPECT_THAT(culprits(search({{}, {}, {2, 4, 6}}), 0), ElementsAre("c", "g"));
  EXPECT_THAT(asked.at(1), ElementsAre("c", "e", "g"));
  EXPECT_LT(asked.size(), without_suspects);
}

TEST_F(SafeRecipeSearch, SuspectsThatDoNotExplainItAreOnlyAHint) {
  shows = [](const Passes& p) { return in_order(p, {"c", "g"}) ? fails() : clean; };
  EXPECT_THAT(culprits(search({{}, {}, {0, 1}}), 0), ElementsAre("c", "g"));
}

TEST_F(SafeRecipeSearch, TwoIndependentInteractionsAreBothFound) {
  shows = [](const Passes& p) {
    if (in_order(p, {"a", "c"})) return fails("diverged");
    return in_order(p, {"f", "h"}) ? fails("rejected") : clean;
  };
  const SafeSearch found = search();
  ASSERT_THAT(found.interactions, SizeIs(2));
  EXPECT_THAT(culprits(found, 0), ElementsAre("a", "c"));
  EXPECT_THAT(culprits(found, 1), ElementsAre("f", "h"));
  EXPECT_THAT(kept(found), SizeIs(6));
  EXPECT_EQ(found.end, End::verified);
  EXPECT_THAT(found.left_out, ElementsAre(Field(&LeftOutPlace::interaction, 0), Field(&LeftOutPlace::interaction, 1)));
}

std::vector<Passes> all_culprits(const SafeSearch& found, const Passes& recipe) {
  std::vector<Passes> all;
  for (const auto& interaction : found.interactions) all.push_back(passes_at(recipe, interaction.minimal.places));
  return all;
}

TEST_F(SafeRecipeSearch, InteractionsThatShareAPassAreAllNamed) {
  shows = [](const Passes& p) { return in_order(p, {"b", "d"}) || in_order(p, {"b", "g"}) ? fails() : clean; };
  const SafeSearch found = search();
  EXPECT_THAT(kept(found), ElementsAre("a", "c", "d", "e", "f", "g", "h")) << "without b both are gone";
  EXPECT_THAT(all_culprits(found, recipe), testing::UnorderedElementsAre(Passes{"b", "d"}, Passes{"b", "g"}));
  EXPECT_EQ(found.interactions[1].minimal.order, Order::matters);
  EXPECT_THAT(found.left_out, ElementsAre(Field(&LeftOutPlace::interaction, 0)));
}

TEST_F(SafeRecipeSearch, AlsoThreeAndWithAnotherFailure) {
  shows = [](const Passes& p) {
    if (in_order(p, {"a", "b", "c"})) return fails("rejected");
    if (in_order(p, {"c", "e"})) return fails("diverged");
    return in_order(p, {"e", "h"}) ? fails("diverged") : clean;
  };
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::verified);
  EXPECT_THAT(all_culprits(found, recipe),
              testing::UnorderedElementsAre(Passes{"a", "b", "c"}, Passes{"c", "e"}, Passes{"e", "h"}));
}

TEST_F(SafeRecipeSearch, OneInteractionCostsARecipeForEachFurtherPassOfIt) {
  shows = [](const Passes& p) { return in_order(p, {"a", "d", "h"}) ? fails() : clean; };
  EXPECT_THAT(search().interactions, SizeIs(1));
  for (const char* pass : {"a", "d", "h"}) {
    Passes without = recipe;
    std::erase(without, pass);
    EXPECT_EQ(std::ranges::count(asked, without), 1) << pass << ": it could hide another one";
  }
}

TEST_F(SafeRecipeSearch, TheSearchForOverlappingOnesIsBounded) {
  recipe = {};
  for (char name = 'a'; name <= 'z'; ++name) recipe.emplace_back(1, name);
  shows = [](const Passes& p) { return has(p, "a") && p.size() > 1 ? fails() : clean; };  // a with any other
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::verified);
  EXPECT_THAT(kept(found), SizeIs(25)) << "only a goes";
  EXPECT_EQ(found.interactions.size(), 1U + 8U);
  EXPECT_LT(asked.size(), 120U);
}

TEST_F(SafeRecipeSearch, APassThatFailsWhereAnotherDoesNotHideItIsNoInteraction) {
  shows = [](const Passes& p) {
    if (in_order(p, {"b", "c"})) return fails("rejected");
    return has(p, "d") && !has(p, "b") ? fails("diverged") : clean;
  };
  EXPECT_THAT(all_culprits(search(), recipe), ElementsAre(Passes{"b", "c"}));
}

TEST_F(SafeRecipeSearch, AnotherFailureOnTheWayIsNotTakenForThisOne) {
  shows = [](const Passes& p) {
    if (in_order(p, {"b", "g"})) return fails("diverged");
    return has(p, "g") ? fails("rejected") : clean;  // the part, without what makes it diverge
  };
  EXPECT_THAT(culprits(search(), 0), ElementsAre("b", "g"));
}

TEST_F(SafeRecipeSearch, RemovingOneUncoversAnother) {
  // b hides what d does; b itself fails with c.
  shows = [](const Passes& p) {
    if (in_order(p, {"b", "c"})) return fails("rejected");
    return has(p, "d") && !has(p, "b") ? fails("diverged") : clean;
  };
  const SafeSearch found = search();
  EXPECT_THAT(kept(found), ElementsAre("a", "b", "d", "e", "f", "g", "h")) << "c goes, for b must stay";
  EXPECT_THAT(found.interactions, SizeIs(1));
}

TEST_F(SafeRecipeSearch, WhatWasUncoveredIsFoundAsWell) {
  // Whichever of b and c goes, d and e fail.
  shows = [](const Passes& p) {
    if (in_order(p, {"b", "c"})) return fails("rejected");
    return in_order(p, {"d", "e"}) ? fails("diverged") : clean;
  };
  const SafeSearch found = search();
  ASSERT_THAT(found.interactions, SizeIs(2));
  EXPECT_THAT(culprits(found, 1), ElementsAre("d", "e"));
  EXPECT_EQ(found.end, End::verified);
}

TEST_F(SafeRecipeSearch, WhatWasLeftOutEarlyComesBackIfItMay) {
  // h fails with a, b and c: without h all of them may stay, though a was left out first.
  shows = [](const Passes& p) { return has(p, "h") && (has(p, "a") || has(p, "b") || has(p, "c")) ? fails() : clean; };
  const SafeSearch found = search({{}, {0}, {}});
  EXPECT_EQ(found.end, End::verified);
  EXPECT_THAT(kept(found), ElementsAre("a", "b", "c", "d", "e", "f", "g"));
}

TEST_F(SafeRecipeSearch, HalfModelsAreNeverPartOfIt) {
  shows = [](const Passes& p) { return has(p, "b") ? fails() : clean; };
  const SafeSearch found = search({{1}, {}, {}});
  EXPECT_EQ(found.end, End::verified);
  EXPECT_THAT(kept(found), SizeIs(7));
  EXPECT_EQ(found.left_out.at(0).why, LeftOutPlace::Why::unfit);
}

TEST_F(SafeRecipeSearch, ARecipeThatIsNotMonotoneGivesWhatWasVerified) {
  shows = [](const Passes& p) { return p.size() % 2 == 0 && p.size() > 2 ? fails() : clean; };
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::verified);
  EXPECT_EQ(*shows(kept(found)), clean);
}

TEST_F(SafeRecipeSearch, EverythingFails) {
  shows = [](const Passes& p) { return p.empty() ? clean : fails(); };
  const SafeSearch found = search({{}, {0, 1, 2, 3, 4, 5, 6, 7}, {}});
  EXPECT_EQ(found.end, End::nothing_left);
  EXPECT_THAT(kept(found), IsEmpty());
  EXPECT_THAT(found.left_out, SizeIs(8));
}

TEST_F(SafeRecipeSearch, AFailureThatDoesNotComeAgainIsNobodys) {
  shows = [](const Passes& p) { return p.size() == 8 ? fails() : clean; };
  shows_again = [](const Passes&) { return RecipeAnswer{}; };
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::unclear);
  EXPECT_THAT(found.interactions, IsEmpty());
}

TEST_F(SafeRecipeSearch, APartThatDoesNotFailAgainIsNotBlamed) {
  shows = [](const Passes& p) { return in_order(p, {"c", "g"}) ? fails() : clean; };
  shows_again = [](const Passes& p) { return p.size() == 2 ? RecipeAnswer{} : fails(); };
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::comes_and_goes);
  EXPECT_FALSE(found.interactions.at(0).minimal.confirmed);
}

TEST_F(SafeRecipeSearch, WhatTheRoundTripDoesIsNoPassesDoing) {
  shows = [](const Passes&) { return fails(); };
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::comes_and_goes);
  EXPECT_FALSE(found.interactions.at(0).minimal.confirmed);
  EXPECT_THAT(found.interactions[0].minimal.places, IsEmpty());
}

TEST_F(SafeRecipeSearch, ASpentBudgetIsSaid) {
  shows = [](const Passes& p) { return in_order(p, {"c", "g"}) ? fails() : clean; };
  budget = 6;
  const SafeSearch found = search();
  EXPECT_EQ(found.end, End::cut_short);
  EXPECT_THAT(asked, SizeIs(6));
  ASSERT_THAT(found.interactions, SizeIs(1));
  EXPECT_FALSE(found.interactions[0].minimal.complete);
  EXPECT_TRUE(in_order(culprits(found, 0), {"c", "g"})) << "at most these";
}

TEST_F(SafeRecipeSearch, NoRecipeIsAskedForTwice) {
  shows = [](const Passes& p) { return in_order(p, {"a", "c"}) || in_order(p, {"f", "g", "h"}) ? fails() : clean; };
  search();
  std::ranges::sort(asked);
  EXPECT_TRUE(std::ranges::adjacent_find(asked) == asked.end());
}

TEST_F(SafeRecipeSearch, AnInterruptionEndsIt) {
  shows = [this](const Passes& p) -> Result<RecipeAnswer> {
    if (asked.size() > 3) return fail(ErrorKind::interrupted, "interrupted");
    return in_order(p, {"c", "g"}) ? fails() : clean;
  };
  EXPECT_NE(search().end, End::verified);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, ErrorKind::interrupted);
  EXPECT_THAT(asked, SizeIs(4)) << "nothing is asked after it";
}

TEST_F(SafeRecipeSearch, APassMayStandTwice) {
  recipe = {"a", "b", "a"};
  shows = [](const Passes& p) { return std::ranges::count(p, "a") == 2 ? fails() : clean; };
  const SafeSearch found = search();
  EXPECT_THAT(culprits(found, 0), ElementsAre("a", "a"));
  EXPECT_THAT(kept(found), ElementsAre("b", "a"));
}

}  // namespace
}  // namespace culprit
