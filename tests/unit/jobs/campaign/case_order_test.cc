#include "campaign/case_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "campaign/find_files.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CampaignFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a.onnx", "b.onnx", "notes.txt", "zoo/c.onnx", "zoo/deep/d.onnx", "zoo/.hidden/e.onnx"})
      put(name);
  }
  void put(const fs::path& name) const {
    fs::create_directories((at() / name).parent_path());
    std::ofstream(at() / name) << "x";
  }
  [[nodiscard]] const fs::path& at() const { return folder_.path(); }
  [[nodiscard]] CampaignFile campaign(std::vector<std::string> models) const {
    return {at() / "campaign.yaml", std::move(models)};
  }
  static std::vector<std::string> titles_of(const CampaignFile& campaign) {
    std::vector<std::string> titles;
    const auto orders = orders_of(campaign);
    EXPECT_TRUE(orders) << orders.error().text();
    for (const CaseOrder& order : orders.value_or(std::vector<CaseOrder>{})) titles.push_back(title_of(order));
    return titles;
  }

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-campaign-").value();
};

TEST(Patterns, StayInOneNameButForTwoStars) {
  EXPECT_TRUE(matches("a.onnx", "*.onnx"));
  EXPECT_FALSE(matches("zoo/a.onnx", "*.onnx"));
  EXPECT_TRUE(matches("zoo/a.onnx", "**/*.onnx"));
  EXPECT_TRUE(matches("a.onnx", "**/*.onnx"));
  EXPECT_TRUE(matches("zoo/x/y/a.onnx", "zoo/**/a.*"));
  EXPECT_FALSE(matches("zoo/x/y/b.onnx", "zoo/**/a.*"));
  EXPECT_TRUE(matches("m7.onnx", "m[0-9].onnx"));
  EXPECT_FALSE(matches(".m.onnx", "*.onnx"));
}

TEST_F(CampaignFolder, PatternsNameFilesInOrder) {
  EXPECT_THAT(find_files(at(), "*.onnx").value(), ElementsAre("a.onnx", "b.onnx"));
  EXPECT_THAT(find_files(at(), "zoo/*.onnx").value(), ElementsAre("zoo/c.onnx"));
  EXPECT_THAT(find_files(at(), "**/*.onnx").value(), ElementsAre("a.onnx", "b.onnx", "zoo/c.onnx", "zoo/deep/d.onnx"));
  EXPECT_THAT(find_files(at(), "zoo/.hidden/*").value(), ElementsAre("zoo/.hidden/e.onnx"));
  EXPECT_THAT(find_files(at(), (at() / "zoo/*.onnx").string()).value(), ElementsAre((at() / "zoo/c.onnx").string()));
}

TEST_F(CampaignFolder, AFileWithASignInItsNameIsThatFile) {
  put("odd[1].onnx");
  EXPECT_THAT(find_files(at(), "odd[1].onnx").value(), ElementsAre("odd[1].onnx"));
}

TEST_F(CampaignFolder, APatternThatNamesNothingSaysWhatIsThere) {
  const auto found = find_files(at(), "zoo/*.tflite");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::not_found);
  EXPECT_THAT(found.error().text(), HasSubstr("zoo/*.tflite names no file"));
  EXPECT_THAT(found.error().text(), HasSubstr("c.onnx"));
  EXPECT_THAT(find_files(at(), "gone/*.onnx").error().text(), HasSubstr("cannot look into the folder"));
  EXPECT_THAT(find_files(at(), "gone.onnx").error().text(), HasSubstr("gone.onnx names no file"));
}

TEST_F(CampaignFolder, EveryModelMeetsEveryOptimizerAndRecipe) {
  CampaignFile given = campaign({"*.onnx", "a.onnx"});
  given.optimizers = {"onnx_optimizer", "onnxruntime"};
  given.recipes = {"default", "all"};
  EXPECT_THAT(titles_of(given),
              ElementsAre("a.onnx onnx_optimizer", "a.onnx onnx_optimizer all", "a.onnx onnxruntime",
                          "a.onnx onnxruntime all", "b.onnx onnx_optimizer", "b.onnx onnx_optimizer all",
                          "b.onnx onnxruntime", "b.onnx onnxruntime all"));
}

TEST_F(CampaignFolder, JobsHaveOnlyTheAxesThatTheyKnow) {
  CampaignFile given = campaign({"a.onnx"});
  given.jobs = {CampaignJob::check, CampaignJob::profile, CampaignJob::eval};
  given.optimizers = {"onnxruntime"};
  given.recipes = {"nop", "all"};
  given.data = {"notes.txt"};
  given.pairs = {{"a.onnx", "b.onnx"}};
  EXPECT_THAT(titles_of(given), ElementsAre("a.onnx onnxruntime nop notes.txt", "a.onnx onnxruntime all notes.txt",
                                            "profile a.onnx onnxruntime notes.txt", "eval a.onnx notes.txt",
                                            "diagnose a.onnx b.onnx notes.txt"));
}

TEST_F(CampaignFolder, WhatIsNotThereIsSaidBeforeAnythingRuns) {
  CampaignFile given = campaign({"a.onnx"});
  given.data = {"gone.npz"};
  EXPECT_THAT(orders_of(given).error().text(), HasSubstr("data: there is no "));
  given.data = {"default"};
  given.pairs = {{"a.onnx", "gone.tflite"}};
  EXPECT_THAT(orders_of(given).error().text(), HasSubstr("pairs: there is no "));
  EXPECT_THAT(orders_of(campaign({"gone.onnx"})).error().text(), HasSubstr("models: gone.onnx names no file"));
}

TEST_F(CampaignFolder, ModelsOfHubsHaveTheTaskOfTheirTag) {
  CampaignFile asked = campaign({"hub:*", "a.onnx"});
  asked.tasks = {{"detection", "detection"}, {"vision", "classification"}};
  const auto ask_hub = [](const std::string& word) -> Result<std::vector<HubChoice>> {
    EXPECT_EQ(word, "hub:*");
    return std::vector{HubChoice{"hub:SSD@12", {"Detection", "vision"}}, {"hub:GPT@10", {"text"}}};
  };
  const auto orders = orders_of(asked, ask_hub).value();
  std::vector<std::string> commands;
  for (const CaseOrder& order : orders) commands.push_back(command_of(order));
  EXPECT_THAT(commands, ElementsAre("culprit check a.onnx --jobs 1", "culprit check hub:GPT@10 --jobs 1",
                                    "culprit check hub:SSD@12 --jobs 1 --task detection"));
  asked.flags[CampaignJob::check] = {"--task", "tensor"};
  EXPECT_THAT(orders_of(asked, ask_hub)->back().flags, ElementsAre("--task", "tensor"));
  EXPECT_FALSE(orders_of(asked)) << "nobody may ask the hub";
}

TEST(CaseOrders, AreCommandsOfTheTool) {
  const CaseOrder order{CampaignJob::check, "-a.onnx", "", "onnxruntime", "x,y", "rows.npz", "1.20.1", {"--strict"}};
  EXPECT_THAT(words_of(order), ElementsAre("check", "./-a.onnx", "--optimizer", "onnxruntime", "--passes", "x,y",
                                           "--data", "rows.npz", "--runtime", "1.20.1", "--jobs", "1", "--strict"));
  EXPECT_THAT(words_of({CampaignJob::check, "a.onnx", "", "", "all", "", "", {"--jobs", "3"}}),
              ElementsAre("check", "a.onnx", "--all-passes", "--jobs", "3"));
  EXPECT_THAT(words_of({CampaignJob::diagnose, "a.onnx", "a.tflite", "", "", "", ""}),
              ElementsAre("diagnose", "a.onnx", "a.tflite"));
}

TEST(CaseOrders, ComeBackOutOfTheirDescriptions) {
  const CaseOrder order{CampaignJob::check, "ü \"a\".onnx", "",          "onnxruntime", "x,y",
                        "rows.npz",         "1.20.1",       {"--strict"}};
  EXPECT_EQ(order_of(as_description(order)).value(), order);
  for (const char* wrong : {"", "[]", "{}", R"({"job":"chekc"})", R"({"job":"check","model":3})", "{\"job\""})
    EXPECT_FALSE(order_of(wrong)) << wrong;
}

}  // namespace
}  // namespace culprit
