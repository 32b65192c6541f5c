// Words that stand for models of a hub.

#include "hub/hub_query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;

std::vector<HubModel> models_of_a_hub() {
  std::vector<HubModel> models;
  for (const auto& [name, opset] : {std::pair("ResNet50", 7), {"ResNet50", 12}, {"ResNet18", 9}, {"YOLO v3", 10}}) {
    models.push_back({name, {std::string(name) + std::to_string(opset) + ".onnx", "", {}}});
    models.back().opset = opset;
    models.back().tags = {"vision"};
    models.back().inputs = {{"x", {"1", "3", "224", "224"}, "tensor(float)"}};
  }
  models.back().tags = {"vision", "detection"};
  return models;
}

std::vector<std::string> meant_by(const std::string& word) {
  const auto query = hub_query_of(word);
  if (!query) return {query.error().message};
  const auto meant = models_meant(models_of_a_hub(), *query);
  if (!meant) return {meant.error().text()};
  std::vector<std::string> words;
  for (const HubModel& model : *meant) words.push_back(word_of(*query, model));
  return words;
}

TEST(HubQueries, MeanTheNewestUnlessOpsetsAreNamed) {
  EXPECT_THAT(meant_by("hub:ResNet50"), ElementsAre("hub:ResNet50@12"));
  EXPECT_THAT(meant_by("hub:resnet50@7"), ElementsAre("hub:ResNet50@7"));
  EXPECT_THAT(meant_by("hub:ResNet*"), ElementsAre("hub:ResNet50@12", "hub:ResNet18@9"));
  EXPECT_THAT(meant_by("hub:*&opset=7-9"), ElementsAre("hub:ResNet50@7", "hub:ResNet18@9"));
  EXPECT_THAT(meant_by("hub:ResNet50&opset=1-20&newest"), ElementsAre("hub:ResNet50@12"));
}

TEST(HubQueries, HaveConditions) {
  EXPECT_THAT(meant_by("hub:*&tag=Detection"), ElementsAre("hub:YOLO v3@10"));
  EXPECT_THAT(meant_by("hub:*&input=1,3,?,...&tag=detection"), ElementsAre("hub:YOLO v3@10"));
  EXPECT_EQ(meant_by("hub:*&input=1,1").size(), 1U) << "what says that there is none";
}

TEST(HubQueries, MayNameTheirHub) {
  EXPECT_THAT(meant_by("hub:owner/models:main#YOLO v3"), ElementsAre("hub:owner/models:main#YOLO v3@10"));
  EXPECT_EQ(hub_query_of("hub:/srv/a#b/models#x")->hub, "/srv/a#b/models");
}

TEST(HubQueries, SayWhatIsWrong) {
  EXPECT_THAT(meant_by("hub:ResNet5O"), ElementsAre("the hub has no model ResNet5O. did you mean ResNet50?"));
  EXPECT_THAT(meant_by("hub:ResNet50@8"), ElementsAre("the hub has no ResNet50 of opset 8. it has it of opset 7, 12"));
  for (const char* word : {"hub:", "hub:#x", "hub:x@", "hub:x@a", "hub:x@0", "hub:x@9-7", "hub:x&",
                           "hub:x&tag=", "hub:x&color=red", "hub:x&input=1,,2"})
    EXPECT_EQ(hub_query_of(word).error().kind, ErrorKind::usage) << word;
}

}  // namespace
}  // namespace culprit
