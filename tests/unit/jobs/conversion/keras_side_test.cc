// What a model of Keras is asked for, with a made-up list of its tensors; nothing is run.
#include <gmock/gmock.h>

#include "base/file.h"
#include "conversion/sides/side.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class KerasSides : public ::testing::Test {
 protected:
  KerasSides() {
    const fs::path graph = folder_.path() / "graph.pb";
    EXPECT_TRUE(write_file_atomic(graph, ""));
    std::filesystem::create_directories(folder_.path() / "views");
    side = open_keras_side(run(), graph, folder_.path() / "views", {}).value();
    sample = folder_.path() / "sample.pack";
    const std::vector<NamedTensor> inputs{{"picture:0", Tensor::of<float>({1}, {3})}};
    EXPECT_TRUE(write_pack(sample, inputs));
  }

  /// picture -> conv -> dense
  static KerasRun run() {
    Network network;
    network.values = {{.name = "picture:0"},
                      {.name = "conv", .made_by = 0},
                      {.name = "dense:0", .made_by = 1},
                      {.name = "hidden", .made_by = 0, .is_visible = false}};
    for (const int at : {0, 1}) {
      NetworkLayer& layer = network.layers.emplace_back();
      layer.type = at == 0 ? "Conv" : "Gemm";
      layer.inputs = {at};
      layer.outputs = {at + 1};
    }
    network.inputs = {0};
    network.outputs = {2};
    return {network,
            {{"picture:0"}, {"dense:0"}, {}},
            {{}, {"values/conv:0", "values/conv/fed:0"}, {"values/dense:0", ""}, {}}};
  }

  Result<PreparedRun> prepare(const SideView& view) { return side->prepare(view, {sample}, folder_.path()); }
  static SideFeed feed(int value) { return {value, {Tensor::of<float>({1}, {5})}}; }
  [[nodiscard]] static std::vector<std::string> names_in(const fs::path& pack) {
    const auto tensors = read_pack(pack);
    EXPECT_TRUE(tensors);
    std::vector<std::string> names;
    if (tensors)
      for (const NamedTensor& tensor : *tensors) names.push_back(tensor.name);
    return names;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(::testing::TempDir(), "culprit-keras-side-").value();
  fs::path sample;
  std::unique_ptr<Side> side;
};

TEST_F(KerasSides, ShowValuesBesideTheOutputs) {
  const auto made = prepare({.values = {1}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(made->outputs, ElementsAre("dense:0"));
  EXPECT_THAT(made->names, ElementsAre("values/conv:0"));
  EXPECT_THAT(made->job.session.fetch, ElementsAre("dense:0", "values/conv:0"));
  EXPECT_THAT(made->job.session.feed, IsEmpty());
  EXPECT_THAT(made->job.samples, ElementsAre(sample));
  EXPECT_TRUE(fs::exists(made->job.model));
}

TEST_F(KerasSides, WhatIsFedIsShownAsItsLayerMadeIt) {
  const auto made = prepare({.values = {1}, .feeds = {feed(1)}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(made->job.session.fetch, ElementsAre("dense:0", "values/conv:0"));
  EXPECT_THAT(made->job.session.feed, ElementsAre("values/conv/fed:0"));
  EXPECT_THAT(names_in(made->job.samples.at(0)), ElementsAre("picture:0", "values/conv/fed:0"));
}

TEST_F(KerasSides, InputsAreFedInThePlaceOfTheSamples) {
  const auto made = prepare({.values = {1}, .feeds = {feed(0)}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(made->job.session.feed, IsEmpty());
  EXPECT_THAT(names_in(made->job.samples.at(0)), ElementsAre("picture:0"));
  const auto given = read_pack(made->job.samples.at(0));
  ASSERT_TRUE(given);
  EXPECT_EQ(find_value(*given, "picture:0")->number(0), 5);
}

TEST_F(KerasSides, WhatNobodyUsesIsNotFed) {
  const auto made = prepare({.values = {}, .feeds = {feed(2)}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(made->job.session.feed, IsEmpty());
}

TEST_F(KerasSides, APartIsAskedForWithoutTheOutputs) {
  const auto made = prepare({.values = {2}, .feeds = {feed(1)}, .only_layers = std::vector<int>{1}});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_THAT(made->outputs, ElementsAre(""));
  EXPECT_THAT(made->job.session.fetch, ElementsAre("values/dense:0"));
}

TEST_F(KerasSides, AreNeverRepairedNorAskedForWhatNoRunShows) {
  for (const Edit& edit : {Edit(Bypass{0}), Edit(SetType{0, "Relu", {}})}) {
    const auto edited = prepare({.values = {}, .edits = {edit}});
    ASSERT_FALSE(edited);
    EXPECT_EQ(edited.error().kind, ErrorKind::unsupported);
  }
  const auto hidden = prepare({.values = {3}});
  ASSERT_FALSE(hidden);
  EXPECT_THAT(hidden.error().message, HasSubstr("'hidden'"));
  EXPECT_FALSE(prepare({.values = {}, .feeds = {feed(3)}}));
}

}  // namespace
}  // namespace culprit
