// A model of Keras as its graph, run by TensorFlow's own library, where there is one: what is fed is used, and what its
// layer made is still seen.
#include <gmock/gmock.h>

#include "base/file.h"
#include "conversion/sides/side.h"
#include "tensor/pack_file.h"
#include "tensorflow_fixture.h"
#include "unit/models/network/tensorflow_samples.h"

namespace culprit {
namespace {

class KerasRuns : public TensorflowFixture {
 protected:
  void SetUp() override {
    TensorflowFixture::SetUp();
    if (IsSkipped()) return;
    tensorflow::Graph graph;
    add_placeholder(graph, "x", tensorflow_float, {-1});
    add_floats(graph, "relu/Relu", "Relu", {"x"});
    add_floats(graph, "values/relu", "Identity", {"relu/Relu"});
    add_floats(graph, "values/relu/fed", "Identity", {"values/relu"});
    add_constant(graph, "twice/weight", Tensor::of<float>({1}, {2}));
    add_floats(graph, "twice/mul", "Mul", {"values/relu/fed", "twice/weight"});
    add_floats(graph, "values/twice", "Identity", {"twice/mul"});
    add_floats(graph, "twice", "Identity", {"values/twice"});
    const auto file = folder_.path() / "graph.pb";
    ASSERT_TRUE(write_file_atomic(file, graph.SerializeAsString()));
    side = open_keras_side(network_in_keras(), file, folder_.path(), {}).value();
  }

  static KerasRun network_in_keras() {
    Network network;
    network.values = {{.name = "x:0"},
                      {.name = "relu", .made_by = 0},
                      {.name = "twice:0", .made_by = 1},
                      {.name = "twice/weight", .constant = Tensor::of<float>({1}, {2})}};
    for (const int at : {0, 1}) {
      NetworkLayer& layer = network.layers.emplace_back();
      layer.inputs = {at};
      layer.outputs = {at + 1};
    }
    network.inputs = {0};
    network.outputs = {2};
    return {
        network, {{"x:0"}, {"twice:0"}, {}}, {{}, {"values/relu:0", "values/relu/fed:0"}, {"values/twice:0", ""}, {}}};
  }

  /// What the view shows, and then the outputs, each as its only number. The input is 4.
  std::vector<double> look(const SideView& view) {
    const auto sample = folder_.path() / "sample.pack";
    const std::vector<NamedTensor> inputs{{"x:0", Tensor::of<float>({1}, {4})}};
    EXPECT_TRUE(write_pack(sample, inputs));
    const auto prepared = side->prepare(view, {sample}, folder_.path());
    EXPECT_TRUE(prepared) << prepared.error().text();
    auto session = runner()->load(prepared->job.model, prepared->job.session);
    EXPECT_TRUE(session) << session.error().text();
    const auto given = (*session)->run(read_pack(prepared->job.samples.at(0)).value());
    EXPECT_TRUE(given) << given.error().text();
    std::vector<double> found;
    if (!given) return found;
    for (const auto* names : {&prepared->names, &prepared->outputs})
      for (const std::string& name : *names)
        if (!name.empty()) found.push_back(find_value(*given, name)->number(0));
    return found;
  }
  static SideFeed feed(int value, float number) { return {value, {Tensor::of<float>({1}, {number})}}; }

  TemporaryFolder folder_ = TemporaryFolder::create(::testing::TempDir(), "culprit-keras-runs-").value();
  std::unique_ptr<Side> side;
};

TEST_F(KerasRuns, ShowWhatLayersMake) { EXPECT_EQ(look({.values = {1, 2}}), (std::vector<double>{4, 8, 8})); }

TEST_F(KerasRuns, UseWhatIsFedAndShowWhatWasMade) {
  EXPECT_EQ(look({.values = {1}, .feeds = {feed(1, 10)}}), (std::vector<double>{4, 20}));
  EXPECT_EQ(look({.values = {1}, .feeds = {feed(0, 5)}}), (std::vector<double>{5, 10}));
}

TEST_F(KerasRuns, ComputeAPartAlone) {
  EXPECT_EQ(look({.values = {2}, .feeds = {feed(1, 10)}, .only_layers = std::vector<int>{1}}),
            (std::vector<double>{20}));
}

/// As an honest rounding does.
TEST_F(KerasRuns, TakeOtherNumbersAndNewLayersBehindValues) {
  const auto behind = [](int value, const std::string& type, float number) {
    InsertBehind edit;
    edit.value = value;
    edit.layer.type = type;
    edit.constants = {Tensor::of<float>({}, {number})};
    return edit;
  };
  EXPECT_EQ(look({.values = {}, .edits = {SetConstant{3, Tensor::of<float>({1}, {5})}}}), (std::vector<double>{20}));
  EXPECT_EQ(look({.values = {1}, .edits = {behind(1, "Add", 1), behind(1, "Div", 2)}}), (std::vector<double>{2.5, 5}));
  EXPECT_EQ(look({.values = {1}, .edits = {behind(0, "Sub", 1)}}), (std::vector<double>{3, 6}));
  EXPECT_EQ(look({.values = {}, .edits = {behind(2, "Mul", 3)}}), (std::vector<double>{24}));
  InsertBehind half;
  half.value = 1;
  half.layer.type = "Cast";
  half.layer.hyper["to"] = static_cast<std::int64_t>(DType::f16);
  InsertBehind back = half;
  back.layer.hyper["to"] = static_cast<std::int64_t>(DType::f32);
  EXPECT_EQ(look({.values = {1}, .edits = {behind(0, "Add", 1e-4F), half, back}}), (std::vector<double>{4, 8}));
}

}  // namespace
}  // namespace culprit
