#include "campaign/campaign_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<CampaignFile> read(const std::string& text) { return campaign_of(text, "runs/campaign.yaml"); }

std::string complaint_about(const std::string& text) {
  const auto campaign = read(text);
  return campaign ? "no complaint" : campaign.error().text();
}

TEST(CampaignFiles, SayWhatIsTriedWithWhat) {
  const auto campaign = read(
      "models: [a.onnx, 'zoo/**/*.onnx']\njobs: [check, profile]\noptimizers: onnxruntime\n"
      "recipes: [default, all]\ndata: rows.npz\nruntimes: [1.20.1, default]\nflags: {check: --strict --samples 5}\n");
  ASSERT_TRUE(campaign) << campaign.error().text();
  EXPECT_THAT(campaign->models, ElementsAre("a.onnx", "zoo/**/*.onnx"));
  EXPECT_THAT(campaign->jobs, ElementsAre(CampaignJob::check, CampaignJob::profile));
  EXPECT_THAT(campaign->optimizers, ElementsAre("onnxruntime"));
  EXPECT_THAT(campaign->recipes, ElementsAre("default", "all"));
  EXPECT_THAT(campaign->data, ElementsAre("rows.npz"));
  EXPECT_THAT(campaign->runtimes, ElementsAre("1.20.1", "default"));
  EXPECT_THAT(campaign->flags.at(CampaignJob::check), ElementsAre("--strict", "--samples", "5"));
  EXPECT_EQ(campaign->folder(), std::filesystem::path("runs"));
}

TEST(CampaignFiles, TakeAFlagWithSpacesOutOfAList) {
  const auto campaign = read("models: a.onnx\nflags:\n  check: [--data, my rows.npz]\n");
  ASSERT_TRUE(campaign) << campaign.error().text();
  EXPECT_THAT(campaign->flags.at(CampaignJob::check), ElementsAre("--data", "my rows.npz"));
}

TEST(CampaignFiles, NameTheLineOfWhatIsWrong) {
  EXPECT_THAT(complaint_about("models: a.onnx\noptimisers: [x]\n"),
              HasSubstr("runs/campaign.yaml: line 2: there is no key 'optimisers'; did you mean 'optimizers'?"));
  EXPECT_THAT(complaint_about("models: a.onnx\njobs: [chekc]\n"), HasSubstr("line 2: there is no job 'chekc'"));
  EXPECT_THAT(complaint_about("models: a.onnx\njobs: [diagnose]\n"), HasSubstr("list them under 'pairs'"));
  EXPECT_THAT(complaint_about("models: [a.onnx, a.onnx]\n"), HasSubstr("'a.onnx' is in 'models' twice"));
  EXPECT_THAT(complaint_about("models: []\n"), HasSubstr("'models' must be a word or a list of words"));
  EXPECT_THAT(complaint_about("models: {a: b}\n"), HasSubstr("'models' must be a word or a list of words"));
  EXPECT_THAT(complaint_about("models: a.onnx\nflags: {profil: x}\n"), HasSubstr("did you mean 'profile'?"));
  EXPECT_THAT(complaint_about("models: a.onnx\nflags: {check: {a: b}}\n"), HasSubstr("flags are a line such as"));
  EXPECT_THAT(complaint_about("pairs: [{source: a.onnx}]\n"), HasSubstr("a source and a target"));
  EXPECT_THAT(complaint_about("jobs: check\n"), HasSubstr("names no models"));
  EXPECT_THAT(complaint_about(""), HasSubstr("names no models"));
  EXPECT_THAT(complaint_about("models: [a.onnx"), HasSubstr("no YAML that makes sense"));
  EXPECT_THAT(complaint_about("models: a.onnx\n---\nmodels: b.onnx\n"), HasSubstr("several documents"));
}

}  // namespace
}  // namespace culprit
