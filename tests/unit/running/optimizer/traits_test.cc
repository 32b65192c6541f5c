#include "optimizer/traits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "optimizer/onnxruntime/runtime_traits.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

HarvestedStep step(const char* name, StepKind kind, Level level, StepProof proof = StepProof::by_log) {
  return {name, kind, level, proof};
}

/// Two transformers, a container with two rules, one step at each of two higher levels, and one that always runs.
Harvest harvest() {
  return {"1.99.0",
          {step("Casts", StepKind::transformer, Level::off, StepProof::always_runs),
           step("Level1_RuleBasedTransformer", StepKind::container, Level::basic),
           step("Folding", StepKind::transformer, Level::basic), step("Gelu", StepKind::transformer, Level::extended),
           step("Nchwc", StepKind::transformer, Level::layout),
           step("Pad_Fusion", StepKind::rule, Level::basic, StepProof::by_model),
           step("ConvBNFusion", StepKind::rule, Level::basic, StepProof::none)}};
}

OptimizerTraits runtime(Level level = Level::all) { return runtime_traits(harvest(), level).value(); }

TEST(RuntimeTraits, LevelsHoldThoseBelowThem) {
  const OptimizerTraits traits = runtime();
  ASSERT_THAT(traits.bundles, SizeIs(3)) << "level all adds nothing to layout, and is the users'";
  EXPECT_EQ(traits.bundles[0].name, "basic");
  EXPECT_THAT(traits.bundles[0].steps, ElementsAre("Folding", "Pad_Fusion", "ConvBNFusion"));
  EXPECT_THAT(traits.bundles[1].steps, ElementsAre("Folding", "Gelu", "Pad_Fusion", "ConvBNFusion"));
  EXPECT_EQ(traits.bundles[2].name, "all");
  EXPECT_THAT(traits.bundles[2].steps, ElementsAre("Folding", "Gelu", "Nchwc", "Pad_Fusion", "ConvBNFusion"));
}

TEST(RuntimeTraits, WhatRunsAboveTheUsersLevelIsNoStep) {
  const OptimizerTraits traits = runtime(Level::basic);
  ASSERT_THAT(traits.bundles, SizeIs(1));
  EXPECT_THAT(traits.bundles[0].steps, ElementsAre("Folding", "Pad_Fusion", "ConvBNFusion"));
}

TEST(RuntimeTraits, ALibraryWithoutStepsIsNoOptimizer) {
  const auto traits = runtime_traits({"1.99.0", {}}, Level::all);
  ASSERT_FALSE(traits);
  EXPECT_THAT(traits.error().text(), HasSubstr("has no steps at level all"));
}

TEST(RuntimeTraits, OlderLibrariesHaveNoLevelLayout) {
  Harvest older = harvest();
  std::erase_if(older.steps, [](const HarvestedStep& one) { return one.level == Level::layout; });
  const auto traits = runtime_traits(older, Level::layout);
  ASSERT_FALSE(traits);
  EXPECT_EQ(traits.error().kind, ErrorKind::usage);
  EXPECT_THAT(traits.error().text(), HasSubstr("has no level layout"));
  EXPECT_TRUE(runtime_traits(older, Level::all));
}

TEST(RecipeOf, AWholeLevelLeavesNothingOut) {
  const OptimizerTraits traits = runtime();
  const Recipe recipe = recipe_of(traits, traits.bundles.back().steps);
  EXPECT_THAT(recipe.disabled, IsEmpty());
  EXPECT_TRUE(runs_in_session(recipe) && is_whole_level(recipe));
}

TEST(RecipeOf, OneStepLeavesOutAllOthers) {
  const Recipe recipe = recipe_of(runtime(), {"Gelu"});
  EXPECT_THAT(recipe.disabled,
              ElementsAre("Level1_RuleBasedTransformer", "Folding", "Nchwc", "Pad_Fusion", "ConvBNFusion"));
  EXPECT_EQ(recipe.level, "all");
  EXPECT_FALSE(is_whole_level(recipe));
}

TEST(RecipeOf, AContainerIsOnWhileOneOfItsRulesIs) {
  EXPECT_THAT(recipe_of(runtime(), {"Pad_Fusion"}).disabled, ElementsAre("Folding", "Gelu", "Nchwc", "ConvBNFusion"));
  EXPECT_THAT(recipe_of(runtime(), {"Folding", "Gelu", "Nchwc"}).disabled,
              ElementsAre("Level1_RuleBasedTransformer", "Pad_Fusion", "ConvBNFusion"));
}

TEST(RecipeOf, NothingAtAllIsARoundTripWithAllLeftOut) {
  const Recipe recipe = recipe_of(runtime(), {});
  EXPECT_THAT(recipe.passes, IsEmpty());
  EXPECT_THAT(recipe.disabled, SizeIs(6)) << "what always runs is no step";
}

TEST(RecipeOf, ALowerLevelLeavesOutItsOwnStepsOnly) {
  const Recipe recipe = recipe_of(runtime(), {"Pad_Fusion", "ConvBNFusion"}, Repeat::once, "basic");
  EXPECT_THAT(recipe.disabled, ElementsAre("Folding"));
}

TEST(RecipeOf, ASetIsKeptInTheOrderOfTheSteps) {
  EXPECT_EQ(recipe_of(runtime(), {"Nchwc", "Folding"}), recipe_of(runtime(), {"Folding", "Nchwc"}));
  OptimizerTraits ordered;
  ordered.steps.resize(2);
  ordered.steps[0].name = "a";
  ordered.steps[1].name = "b";
  EXPECT_THAT(recipe_of(ordered, {"b", "a"}).passes, ElementsAre("b", "a"));
  EXPECT_FALSE(runs_in_session(recipe_of(ordered, {"b", "a"})));
}

TEST(WithoutStep, IsLeftOut) {
  const Recipe pair = recipe_of(runtime(), {"Folding", "Gelu"});
  const Recipe rest = without_step(pair, 0, nullptr);
  EXPECT_THAT(rest.passes, ElementsAre("Gelu"));
  EXPECT_EQ(rest.disabled.back(), "Folding");
  EXPECT_THAT(without_step({"onnx_optimizer", {"a", "b"}}, 1, nullptr).disabled, IsEmpty()) << "of a file";
}

TEST(Suspects, AreThoseNamedAndAllRulesOfAContainer) {
  EXPECT_THAT(suspects_of(runtime(), {"Gelu", "Unknown"}), ElementsAre("Gelu"));
  EXPECT_THAT(suspects_of(runtime(), {"Level1_RuleBasedTransformer", "Folding"}),
              ElementsAre("Folding", "Pad_Fusion", "ConvBNFusion"));
  EXPECT_THAT(suspects_of(runtime(), {}), IsEmpty());
}

}  // namespace
}  // namespace culprit
