// What the graph of a model of Keras calls the values of its layers.
#include "network/keras/keras_graph.h"

#include <gmock/gmock.h>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* list = R"({"inputs": ["picture:0"], "outputs": ["dense:0"],
  "values": {"conv/preactivation": {"shown": "values/conv/preactivation:0", "fed": "values/conv/preactivation/fed:0"},
             "conv": {"shown": "values/conv:0", "fed": "values/conv/fed:0"},
             "dense": {"shown": "values/dense:0", "fed": ""}}})";

class KerasGraphs : public ::testing::Test {
 protected:
  Result<KerasGraph> read(const std::string& text) {
    EXPECT_TRUE(write_file_atomic(folder_.path() / "list.json", text));
    return read_keras_graph(folder_.path() / "list.json");
  }

  /// conv, its Relu, dense, and a layer that the graph does not have.
  static Network network() {
    Network made;
    made.values = {{.name = "picture"},
                   {.name = "", .made_by = 0, .is_visible = false},
                   {.name = "conv", .made_by = 1},
                   {.name = "dense", .made_by = 2},
                   {.name = "unknown", .made_by = 3}};
    const auto add = [&](std::int64_t native, int from, int to) {
      NetworkLayer& layer = made.layers.emplace_back();
      layer.native = native;
      layer.inputs = {from};
      layer.outputs = {to};
    };
    add(0, 0, 1);
    add(0, 1, 2);
    add(1, 2, 3);
    add(2, 2, 4);
    made.inputs = {0};
    made.outputs = {3};
    return made;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(::testing::TempDir(), "culprit-keras-").value();
};

TEST_F(KerasGraphs, AreReadFromAList) {
  const auto graph = read(list);
  ASSERT_TRUE(graph) << graph.error().text();
  EXPECT_THAT(graph->inputs, ElementsAre("picture:0"));
  EXPECT_THAT(graph->outputs, ElementsAre("dense:0"));
  EXPECT_EQ(graph->values.at("conv").fed, "values/conv/fed:0");
  EXPECT_EQ(graph->values.at("dense").fed, "");
}

TEST_F(KerasGraphs, WhatIsNoListIsRefused) {
  for (const char* text : {"", "[]", "{}", R"({"inputs": [1], "outputs": [], "values": {}})",
                           R"({"inputs": [], "outputs": [], "values": {"conv": {"shown": "x"}}})",
                           R"({"inputs": [], "outputs": [], "values": {"conv": "x"}})"}) {
    const auto graph = read(text);
    ASSERT_FALSE(graph) << text;
    EXPECT_EQ(graph.error().kind, ErrorKind::bad_input);
    EXPECT_THAT(graph.error().message, HasSubstr("list.json"));
  }
}

TEST_F(KerasGraphs, TellWhichTensorsAreWhichValues) {
  const auto run = as_run_by(network(), read(list).value());
  ASSERT_TRUE(run) << run.error().text();
  const auto& values = run->network.values;
  EXPECT_EQ(values[0].name, "picture:0");
  EXPECT_EQ(run->tensors[0].shown, "");
  EXPECT_EQ(values[2].name, "conv");
  EXPECT_EQ(run->tensors[2].shown, "values/conv:0");
  EXPECT_EQ(run->tensors[2].fed, "values/conv/fed:0");
  EXPECT_EQ(values[3].name, "dense:0") << "an output is called as its tensor";
  EXPECT_EQ(run->tensors[3].shown, "values/dense:0");
}

TEST_F(KerasGraphs, ShowWhatLiesBeforeAnActivationInsideOfALayer) {
  const auto run = as_run_by(network(), read(list).value()).value();
  EXPECT_TRUE(run.network.values[1].is_visible);
  EXPECT_EQ(run.network.values[1].name, "conv/preactivation");
  EXPECT_EQ(run.tensors[1].shown, "values/conv/preactivation:0");
}

TEST_F(KerasGraphs, WhatTheGraphLacksCannotBeSeen) {
  const auto run = as_run_by(network(), read(list).value()).value();
  EXPECT_FALSE(run.network.values[4].is_visible);
  EXPECT_EQ(run.tensors[4].shown, "");
}

TEST_F(KerasGraphs, OtherInputsThanTheFileHasAreRefused) {
  auto graph = read(list).value();
  graph.inputs.emplace_back("more:0");
  const auto run = as_run_by(network(), graph);
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("2 inputs and 1 outputs, and its file tells of 1 and 1"));
}

}  // namespace
}  // namespace culprit
