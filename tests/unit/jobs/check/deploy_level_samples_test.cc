// How many samples variants run on at the deploy level.
#include "deploy_bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

/// Six samples; what is wrong with variants shows on the last one only.
class LateSample : public DeployBench {
 protected:
  LateSample() {
    proposals = {proposal("synthesized", {1, 2, 3, 4, 5, 6})};
    executor.runs_well = [](const RunJob& job) { return job.samples.size() < 6; };
  }
  [[nodiscard]] std::vector<std::size_t> samples_there(const std::string& content) const {
    std::vector<std::size_t> samples;
    for (const RunJob& job : executor.ran) {
      if (job.session.level == Level::all && job.model.stem() == hash128(content).hex())
        samples.push_back(job.samples.size());
    }
    return samples;
  }
};

TEST_F(LateSample, PassesRunThereOnFourSamplesWhatUsersRunOnAll) {
  executor.passes["a"] = changes("new");
  executor.passes["b"] = changes("new");
  executor.recipes["a,b,c"] = changes("all");
  const ModelReport report = check();
  EXPECT_THAT(samples_there("new"), ElementsAre(4));
  EXPECT_THAT(samples_there("all"), ElementsAre(4, 6)) << "as every variant, and then because users run it";
  EXPECT_EQ(runs_there(), 4U) << "and the original, once";
  for (const char* pass : {"a", "b", "a,b,c"}) {
    const Deployed& deployed = variant(report, pass).deployed.value();
    const std::int64_t samples = std::string(pass).size() > 1 ? 6 : 4;
    EXPECT_EQ(deployed.level, "all");
    EXPECT_EQ(deployed.samples, samples);
    EXPECT_EQ(deployed.verdict, Verdict::equivalent);
    EXPECT_EQ(deployed.measurements.at("y").elements, 2 * samples);
    EXPECT_EQ(deployed.confirmed, "");
  }
  EXPECT_EQ(report.safe_recipe->samples, 6);
  EXPECT_THAT(report.safe_recipe->levels, ElementsAre("off", "all"));
  EXPECT_FALSE(variant(report, "c").deployed) << "it changes nothing";
  EXPECT_EQ(control(report, "runtime_optimized").verdict, Verdict::equivalent);
}

TEST_F(LateSample, AFaultInTheSixthSampleIsSeenAndThePassBehindIt) {
  executor.passes["a"] = changes("right");
  executor.passes["b"] = wrong_there("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].kind, FaultKind::runtime);
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("b"));
  EXPECT_EQ(variant(report, "a,b,c").deployed->verdict, Verdict::diverged);
  EXPECT_EQ(variant(report, "a,b,c").deployed->samples, 6);
  EXPECT_EQ(variant(report, "a,b,c").deployed->confirmed, "2/2");
  EXPECT_EQ(variant(report, "b").deployed->samples, 6) << "looked at again, for the default pass list fails";
  EXPECT_EQ(exit_code_of(report, false), 1);
  EXPECT_TRUE(report.safe_recipe->verified);
  EXPECT_THAT(report.safe_recipe->recipe.passes, ElementsAre("a", "c"));
  EXPECT_EQ(report.safe_recipe->samples, 6);
  EXPECT_THAT(report.safe_recipe->levels, ElementsAre("off", "all"));
  EXPECT_THAT(samples_there("right"), ElementsAre(4, 6)) << "what is left of the default pass list";
}

TEST_F(LateSample, WhatTheRoundTripDoesThereIsBlamedOnNoPass) {
  options.recipe = {"a"};  // else b and c, which change nothing, bring it along
  executor.round_trip = wrong_there("trip");
  executor.passes["a"] = changes("new");
  executor.passes["a"].deployed = std::make_shared<Behaviour>(breaks(""));
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
}

TEST_F(LateSample, WhereTimeIsShortTheLevelIsNotCalledVerified) {
  executor.recipes["a,b,c"] = changes("all");
  const auto is_time_up = [this] { return samples_there("all").size() == 1; };
  const ModelReport report =
      check_model(model, proposals, options, {executor, optimizer, folder(), progress, is_time_up}).value();
  EXPECT_EQ(variant(report, "a,b,c").deployed->samples, 4);
  EXPECT_EQ(variant(report, "a,b,c").deployed->verdict, Verdict::equivalent);
  EXPECT_THAT(report.safe_recipe->levels, ElementsAre("off"));
  EXPECT_THAT(report.skipped, testing::Contains("the default pass list at all on all samples"));
}

}  // namespace
}  // namespace culprit
