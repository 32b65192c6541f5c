#include "trial/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

class Plan : public testing::Test {
 protected:
  Plan() {
    for (const char* name : {"a", "b", "c"}) passes.push_back({name, "fuse", Contract::equivalent, true, true, ""});
    passes.push_back({"outside", "other", Contract::equivalent, false, false, ""});
    passes.push_back({"renames", "other", Contract::interface, false, false, ""});
    passes.push_back({"halves", "other", Contract::partition, false, false, ""});
  }

  [[nodiscard]] std::vector<std::string> planned() const {
    std::vector<std::string> recipes;
    const auto plan = make_plan(options, optimizer).value();
    for (const auto& variant : plan) recipes.push_back(join(variant.recipe.passes, ","));
    return recipes;
  }

  OptimizerTraits optimizer;
  std::vector<PassInfo>& passes = optimizer.steps;
  PlanOptions options;
};

TEST_F(Plan, ByDefaultEachPassOfTheBundleAloneAndTheBundleOnce) {
  EXPECT_THAT(planned(), ElementsAre("a", "b", "c", "a,b,c"));
  const auto plan = make_plan(options, optimizer).value();
  EXPECT_TRUE(plan.back().is_bundle);
  EXPECT_EQ(plan.back().recipe.repeat, Repeat::once);
  EXPECT_FALSE(plan.front().is_bundle);
}

TEST_F(Plan, AllPassesAddsTheOthersAlone) {
  options.all_passes = true;
  EXPECT_THAT(planned(), ElementsAre("a", "b", "c", "outside", "renames", "halves", "a,b,c"));
}

TEST_F(Plan, OrdersReplaceItAndUsersRunTheirOwn) {
  options.orders = {{"a", "b", "c"}, {"b", "a", "c"}, {"c", "b", "a"}};
  EXPECT_THAT(planned(), ElementsAre("a,b,c", "b,a,c", "c,b,a"));
  const auto plan = make_plan(options, optimizer).value();
  EXPECT_TRUE(plan.front().is_bundle);
  EXPECT_FALSE(plan.back().is_bundle);
  EXPECT_EQ(recipe_of_users(plan, options), nullptr) << "nothing of it is searched";
  options.orders = {{"a", "c"}, {"c", "nothing"}};
  EXPECT_THAT(make_plan(options, optimizer).error().message, testing::HasSubstr("--steps"));
}

TEST_F(Plan, EachAndRecipeReplaceIt) {
  options.each = {"outside", "a"};
  EXPECT_THAT(planned(), ElementsAre("outside", "a"));
  options.each.clear();
  options.recipe = {"c", "a"};
  EXPECT_THAT(planned(), ElementsAre("c,a"));
  EXPECT_FALSE(make_plan(options, optimizer)->front().is_bundle);
}

TEST_F(Plan, ARecipePromisesWhatItsWeakestPassDoes) {
  const auto contract = [&](std::vector<std::string> names) {
    return plan_for(std::move(names), options, optimizer).contract;
  };
  EXPECT_EQ(contract({"a", "b"}), Contract::equivalent);
  EXPECT_EQ(contract({"a", "renames"}), Contract::interface);
  EXPECT_EQ(contract({"renames", "a"}), Contract::interface);
  EXPECT_EQ(contract({"renames", "halves"}), Contract::partition);
}

TEST_F(Plan, RepeatAndOptimizerGoIntoEveryRecipe) {
  options.repeat = Repeat::stable;
  options.optimizer = "another";
  const auto plan = make_plan(options, optimizer).value();
  for (const auto& variant : plan) {
    EXPECT_EQ(variant.recipe.repeat, Repeat::stable);
    EXPECT_EQ(variant.recipe.optimizer, "another");
  }
}

TEST_F(Plan, NoBundleNoBundleVariant) {
  for (PassInfo& pass : passes) pass.in_bundle = false;
  EXPECT_THAT(planned(), SizeIs(0));
}

TEST_F(Plan, ARecipeInPartIsNamedSo) {
  PlannedVariant part;
  part.recipe.passes = {"a"};
  EXPECT_EQ(name_of(part), "a");
  part.rewrites.budget = 3;
  EXPECT_EQ(name_of(part), "a, some rewrites");
}

}  // namespace
}  // namespace culprit
