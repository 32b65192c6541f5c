#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

/// What the report says of the safe recipe, and what becomes of the file that is handed over.
class SafeRecipeOfModel : public Bench {
 protected:
  SafeRecipe safe() { return check().safe_recipe.value(); }

  Result<Delivery> deliver(const Deliver& to_users) {
    return check_and_deliver(model, proposals, options, {executor, optimizer, folder(), progress}, to_users);
  }
};

TEST_F(SafeRecipeOfModel, WhereNothingFailsItIsTheBundle) {
  executor.passes["a"] = changes("new");
  const SafeRecipe recipe = safe();
  EXPECT_THAT(recipe.recipe.passes, ElementsAre("a", "b", "c"));
  EXPECT_THAT(recipe.left_out, IsEmpty());
  EXPECT_TRUE(recipe.verified);
  EXPECT_EQ(recipe.samples, 3);
  EXPECT_THAT(recipe.levels, ElementsAre("off"));
}

TEST_F(SafeRecipeOfModel, WhatIsLeftOutHasAReasonWithTheFault) {
  executor.passes["b"] = breaks("wrong b");
  executor.recipes["a,c"] = breaks("wrong a and c", 3);
  const SafeRecipe recipe = safe();
  EXPECT_THAT(recipe.recipe.passes, ElementsAre("c"));
  ASSERT_EQ(recipe.left_out.size(), 2U);
  EXPECT_EQ(recipe.left_out[0].pass, "a");
  EXPECT_THAT(recipe.left_out[0].reason, HasSubstr("wrong together with c: output 'y' differs by 3"));
  EXPECT_THAT(recipe.left_out[0].reason, HasSubstr("(F2)"));
  EXPECT_THAT(recipe.left_out[1].reason, HasSubstr("wrong alone: output 'y' differs by 0.5"));
  EXPECT_THAT(recipe.left_out[1].reason, HasSubstr("(F1)"));
}

TEST_F(SafeRecipeOfModel, OfPassesThatAreNamedItIsAPart) {
  options.recipe = {"c", "halves", "b"};
  executor.passes["b"] = breaks("wrong");
  const SafeRecipe recipe = safe();
  EXPECT_THAT(recipe.recipe.passes, ElementsAre("c"));
  EXPECT_THAT(recipe.left_out, ElementsAre(Field(&LeftOut::reason, "gives half a model by design"),
                                           Field(&LeftOut::reason, HasSubstr("wrong alone"))));
}

TEST_F(SafeRecipeOfModel, NoneIsLookedForWherePassesRunAlone) {
  options.each = {"a", "b"};
  EXPECT_FALSE(check().safe_recipe.has_value());
}

TEST_F(SafeRecipeOfModel, ARoundTripAtFaultLeavesNone) {
  executor.round_trip = breaks("trip");
  const SafeRecipe recipe = safe();
  EXPECT_FALSE(recipe.verified);
  EXPECT_THAT(recipe.message, HasSubstr("import and export alone are at fault"));
}

TEST_F(SafeRecipeOfModel, AModelThatDoesNotRunLeavesNone) {
  executor.original.running = failure(Ending::threw, "no");
  const SafeRecipe recipe = safe();
  EXPECT_FALSE(recipe.verified);
  EXPECT_THAT(recipe.message, HasSubstr("nothing could be verified: the model does not run"));
}

TEST_F(SafeRecipeOfModel, WhereAllFailNothingIsLeft) {
  for (const char* pass : {"a", "b", "c"}) executor.passes[pass] = breaks(std::string("wrong ") + pass);
  const SafeRecipe recipe = safe();
  EXPECT_FALSE(recipe.verified);
  EXPECT_THAT(recipe.recipe.passes, IsEmpty());
  EXPECT_THAT(recipe.message, HasSubstr("every part of the default pass list that was tried fails"));
}

TEST_F(SafeRecipeOfModel, AFailureThatComesOnceLeavesItOpen) {
  executor.recipes["a,b,c"] = breaks("unlucky");
  executor.recipes["a,b,c"].bad_runs = 1;
  const SafeRecipe recipe = safe();
  EXPECT_FALSE(recipe.verified);
  EXPECT_THAT(recipe.message, HasSubstr("what is left could not be verified: output 'y'"));
}

TEST_F(SafeRecipeOfModel, WhatUsersRunThatWasNotJudgedIsNoSuccess) {
  executor.passes["a"] = changes("new");
  executor.recipes["a,b,c"] = breaks("unlucky");
  executor.recipes["a,b,c"].bad_runs = 1;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent) << "something was judged, but users do not run that";
  EXPECT_EQ(variant(report, "a,b,c").verdict, Verdict::inconclusive);
  EXPECT_EQ(exit_code_of(report, false), 3);
  EXPECT_EQ(open_question(report), "the default pass list could not be judged");
}

TEST_F(SafeRecipeOfModel, WhatIsAsARoundTripThatIsInconclusiveIsNotVerified) {
  executor.round_trip = breaks("trip");
  executor.round_trip.bad_runs = 1;
  Behaviour idle;
  idle.skipped = true;
  for (const char* pass : {"a", "b", "c"}) executor.passes[pass] = idle;
  const ModelReport report = check();
  EXPECT_EQ(control(report, "round_trip").verdict, Verdict::inconclusive);
  EXPECT_EQ(variant(report, "a,b,c").same_as, SameAs::round_trip);
  EXPECT_FALSE(report.safe_recipe.value().verified);
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(SafeRecipeOfModel, TheFileThatLiesOnTheDiskIsRunAgain) {
  executor.passes["a"] = changes("new");
  const fs::path out = folder() / "out.onnx";
  const auto delivery = deliver([&](const ModelReport& report, const fs::path& variant) -> Result<fs::path> {
    EXPECT_TRUE(report.safe_recipe->verified);
    fs::copy_file(variant, out);
    return out;
  });
  ASSERT_TRUE(delivery);
  EXPECT_TRUE(delivery->is_delivered);
  EXPECT_TRUE(delivery->verified);
  EXPECT_EQ(delivery->samples, 3);
  EXPECT_THAT(delivery->levels, ElementsAre("off"));
  EXPECT_EQ(executor.ran.back().model, out);
  EXPECT_TRUE(executor.ran.back().fresh_process);
  EXPECT_EQ(executor.ran.back().samples.size(), 3U);
}

TEST_F(SafeRecipeOfModel, AndAtTheDeployLevelOnAllSamplesToo) {
  proposals = {proposal("synthesized", {1, 2, 3, 4, 5, 6})};
  options.deploy_level = Level::all;
  executor.passes["a"] = changes("new");
  executor.runs_well = [](const RunJob& job) { return job.samples.size() < 6 || !job.fresh_process; };
  const auto delivery = deliver([&](const ModelReport&, const fs::path&) -> Result<fs::path> {
    Behaviour out;
    out.deployed = std::make_shared<Behaviour>(breaks(""));
    executor.give(folder() / "out.onnx", out);
    return folder() / "out.onnx";
  });
  ASSERT_TRUE(delivery);
  EXPECT_TRUE(delivery->is_delivered);
  EXPECT_FALSE(delivery->verified) << "the sixth sample shows it";
  EXPECT_THAT(delivery->message, HasSubstr("wrong at all: output 'y'"));
}

TEST_F(SafeRecipeOfModel, AFileThatCameOutBrokenIsNotVerified) {
  executor.passes["a"] = changes("new");
  const auto delivery = deliver([&](const ModelReport&, const fs::path&) -> Result<fs::path> {
    executor.original.running = failure(Ending::threw, "Protobuf parsing failed");  // of all files that nobody made
    executor.original.stage = RunOutcome::Stage::load;
    return folder() / "out.onnx";
  });
  ASSERT_TRUE(delivery);
  EXPECT_TRUE(delivery->is_delivered);
  EXPECT_FALSE(delivery->verified);
  EXPECT_THAT(delivery->message, HasSubstr("rejected at off: "));
  EXPECT_THAT(delivery->message, HasSubstr("Protobuf parsing failed"));
  EXPECT_THAT(delivery->levels, IsEmpty());
}

TEST_F(SafeRecipeOfModel, AFileThatComputesSomethingElseIsNotVerified) {
  executor.passes["a"] = changes("new");
  const auto delivery = deliver([&](const ModelReport&, const fs::path&) -> Result<fs::path> {
    executor.original.shift_y = 1;
    return folder() / "out.onnx";
  });
  ASSERT_TRUE(delivery);
  EXPECT_FALSE(delivery->verified);
  EXPECT_THAT(delivery->message, HasSubstr("wrong at off: output 'y' differs by 1"));
}

TEST_F(SafeRecipeOfModel, ARecipeThatChangesNothingHandsOverNoFile) {
  fs::path given = "something";
  const auto delivery = deliver([&](const ModelReport&, const fs::path& variant) -> Result<fs::path> {
    given = variant;
    return fs::path();
  });
  EXPECT_EQ(given, "");
  EXPECT_FALSE(delivery->is_delivered);
  EXPECT_FALSE(delivery->verified);
}

TEST_F(SafeRecipeOfModel, NothingIsHandedOverThatWasNotVerified) {
  executor.round_trip = breaks("trip");
  const auto delivery = deliver([&](const ModelReport&, const fs::path&) -> Result<fs::path> {
    ADD_FAILURE();
    return fs::path();
  });
  EXPECT_FALSE(delivery->is_delivered);
}

TEST_F(SafeRecipeOfModel, AnErrorOfTheDiskIsPassedOn) {
  const auto delivery =
      deliver([](const ModelReport&, const fs::path&) -> Result<fs::path> { return fail(ErrorKind::io, "no space"); });
  ASSERT_FALSE(delivery);
  EXPECT_EQ(delivery.error().message, "no space");
}

}  // namespace
}  // namespace culprit
