// Manifests of hubs, right and wrong ones, and the models that one asks for.

#include "hub/hub_manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hub/hub_filter.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* two_models = R"json([
  {"model": "MNIST", "model_path": "vision/mnist/mnist-7.onnx", "onnx_version": "1.2", "opset_version": 7,
   "metadata": {"model_sha": "0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef", "model_bytes": 26454,
                "tags": ["vision", "classification"],
                "io_ports": {"inputs": [{"name": "Input3", "shape": [1, 1, 28, 28], "type": "tensor(float)"}],
                             "outputs": [{"name": "Plus214", "shape": [1, 10], "type": "tensor(float)"}]},
                "model_with_data_path": "vision/mnist/mnist-7.tar.gz", "model_with_data_sha": "ab"}},
  {"model": "BERT", "model_path": "text/bert.onnx", "opset_version": 10, "unknown": 3,
   "metadata": {"tags": ["text", 3], "io_ports": {"inputs": [{"name": "ids", "shape": ["batch", 256, null]}, 3]}}}])json";

std::vector<std::string> names_of(const std::vector<HubModel>& models) {
  std::vector<std::string> names;
  for (const HubModel& model : models) names.push_back(model.name + std::to_string(model.opset));
  return names;
}

HubModel named(const std::string& name, std::int64_t opset) {
  HubModel model{name, {name + ".onnx", ""}};
  model.opset = opset;
  return model;
}

TEST(HubManifests, TellOfEachModel) {
  const auto models = hub_manifest_of(two_models, "here").value();
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models[0].file.path, "vision/mnist/mnist-7.onnx");
  EXPECT_EQ(models[0].file.sha256, "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
  EXPECT_EQ(models[0].file.bytes, 26454U);
  EXPECT_THAT(models[0].tags, ElementsAre("vision", "classification"));
  EXPECT_THAT(models[0].inputs[0].shape, ElementsAre("1", "1", "28", "28"));
  EXPECT_EQ(models[0].with_data->path, "vision/mnist/mnist-7.tar.gz");
  EXPECT_EQ(models[0].with_data->sha256, "") << "no digest has two digits";
  EXPECT_THAT(models[1].inputs[0].shape, ElementsAre("batch", "256", ""));
  EXPECT_FALSE(models[1].with_data);
}

TEST(HubManifests, AreWrittenAsTheyAreRead) {
  const auto models = hub_manifest_of(two_models, "here").value();
  const std::string text = as_hub_manifest(models);
  EXPECT_EQ(as_hub_manifest(hub_manifest_of(text, "there").value()), text);
  EXPECT_THAT(text, HasSubstr("\"model_with_data_path\": \"vision/mnist/mnist-7.tar.gz\""));
}

TEST(HubManifests, WhatIsNoneIsSaid) {
  for (const char* text :
       {"", "{}", "<html>", "3", "[3", R"([{"model": "a"}])", R"([{"model": 3, "model_path": "a"}])", "[3]"})
    EXPECT_EQ(hub_manifest_of(text, "here").error().kind, ErrorKind::bad_input) << text;
  EXPECT_THAT(hub_manifest_of(R"([{"model": "a", "model_path": "b"}, {}])", "here").error().message,
              HasSubstr("here: entry 2 has no 'model' or no 'model_path'"));
}

TEST(HubFilters, ChooseByNameTagOpsetAndShape) {
  const auto models = hub_manifest_of(two_models, "here").value();
  HubFilter filter;
  EXPECT_EQ(filtered(models, filter).size(), 2U);
  filter.name = "m?i*";
  EXPECT_THAT(names_of(filtered(models, filter)), ElementsAre("MNIST7"));
  filter = {};
  filter.tags = {"Text"};
  EXPECT_THAT(names_of(filtered(models, filter)), ElementsAre("BERT10"));
  filter.tags = {"text", "vision"};
  EXPECT_THAT(filtered(models, filter), IsEmpty());
  filter = {};
  filter.least_opset = 8;
  EXPECT_THAT(names_of(filtered(models, filter)), ElementsAre("BERT10"));
  filter = {};
  filter.inputs = {shape_pattern_of("--input", "1,?,28,...").value()};
  EXPECT_THAT(names_of(filtered(models, filter)), ElementsAre("MNIST7"));
  filter.outputs = {shape_pattern_of("--output", "1,11").value()};
  EXPECT_THAT(filtered(models, filter), IsEmpty());
  filter = {};
  filter.inputs = {shape_pattern_of("--input", "batch,256,?").value()};
  EXPECT_THAT(names_of(filtered(models, filter)), ElementsAre("BERT10"));
  for (const char* wrong : {"1,,2", "...,2", ","}) EXPECT_FALSE(shape_pattern_of("--input", wrong)) << wrong;
}

TEST(HubFilters, StarsStandForAnyLetters) {
  for (const auto& [pattern, expected] : std::vector<std::pair<std::string, bool>>{{"*", true},
                                                                                   {"resnet*", true},
                                                                                   {"*50*", true},
                                                                                   {"resnet50-v1-7", true},
                                                                                   {"r*5?-*7", true},
                                                                                   {"resnet", false},
                                                                                   {"*8", false},
                                                                                   {"?", false},
                                                                                   {"**v1**", true}}) {
    HubFilter filter;
    filter.name = pattern;
    EXPECT_EQ(!filtered({named("ResNet50-v1-7", 7)}, filter).empty(), expected) << pattern;
  }
}

TEST(HubFilters, TheNewestOfANameIsTheOneOfTheHighestOpset) {
  const std::vector<HubModel> models{named("a", 7), named("b", 12), named("a", 13), named("a", 13), named("a", 9)};
  HubFilter filter;
  filter.newest_only = true;
  EXPECT_THAT(names_of(filtered(models, filter)), ElementsAre("b12", "a13"));
  EXPECT_EQ(hub_model_named(models, "A")->opset, 13);
  EXPECT_EQ(hub_model_named(models, "a", 9)->opset, 9);
  EXPECT_EQ(hub_model_named(models, "a", 8).error().hint, "it has it of opset 7, 9, 13");
  EXPECT_EQ(hub_model_named({named("resnet50", 7)}, "resnet5").error().hint, "did you mean resnet50?");
}

}  // namespace
}  // namespace culprit
