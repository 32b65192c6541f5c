// Views of a TFLite network, run by LiteRT where it is.
#include <gmock/gmock.h>

#include "base/folder.h"
#include "conversion/readings/show_values.h"
#include "conversion/sides/side.h"
#include "support/tflite_executor.h"
#include "support/tflite_net.h"

namespace culprit {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using testing::floats_in_order;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TfliteNet;

class TfliteSideRuns : public ::testing::Test {
 protected:
  TfliteSideRuns()
      : folder_(TemporaryFolder::create(std::filesystem::temp_directory_path(), "culprit-tflite").value()) {
    std::filesystem::create_directories(folder_.path() / "work");
  }
  void SetUp() override {
    if (const std::string why = executor_.open(); !why.empty()) GTEST_SKIP() << why;
    open(testing::small_cnn(), {{"x", floats_in_order({1, 4, 4, 1})}});
  }
  void open(TfliteFile file, const std::vector<NamedTensor>& sample) {
    side = open_tflite_side(std::move(file), folder_.path(), {}).value();
    samples_ = {folder_.path() / "sample.pack"};
    ASSERT_TRUE(write_pack(samples_[0], sample));
  }
  [[nodiscard]] int value(const std::string& name) const { return testing::tflite_value(side->network(), name); }
  [[nodiscard]] int layer(const std::string& native) const { return testing::tflite_layer(side->network(), native); }

  ViewOutcome look(const SideView& view) {
    ViewRuns runs(*side, executor_, folder_.path() / "work");
    return runs.run(view, samples_).value();
  }
  /// What a value is in a view.
  std::vector<float> numbers(const std::string& name, SideView view) {
    view.values = {value(name)};
    const auto outcome = look(view);
    EXPECT_TRUE(outcome.has_run) << outcome.why;
    if (!outcome.has_run) return {};
    const auto given = outcome.values.at(value(name)).at(0).as<float>();
    return {given.begin(), given.end()};
  }
  [[nodiscard]] SideFeed feed(const std::string& name, const Shape& shape, const std::vector<float>& given) const {
    return {value(name), {Tensor::of<float>(shape, given)}};
  }
  static InsertBehind behind(int value, const std::string& type) {
    InsertBehind edit;
    edit.value = value;
    edit.layer.type = type;
    return edit;
  }

  std::unique_ptr<Side> side;
  testing::TfliteExecutor executor_;
  TemporaryFolder folder_;
  std::vector<std::filesystem::path> samples_;
};

TEST_F(TfliteSideRuns, ShowsValuesBesideTheOutputs) {
  const auto outcome = look({.values = {value("pool"), value("dense"), value("y")}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(outcome.values.at(value("pool"))[0].as<float>(), ElementsAre(4, 6, 12, 14));
  EXPECT_THAT(outcome.values.at(value("dense"))[0].as<float>(), ElementsAre(36, 72));
  ASSERT_EQ(outcome.outputs.size(), 1U);
  ASSERT_EQ(outcome.outputs[0].size(), 1U);
  EXPECT_EQ(outcome.outputs[0][0].name, "y");
}

TEST_F(TfliteSideRuns, WhatIsFedIsUsedAndWhatItsMakerGivesStaysReadable) {
  const SideView view{.values = {}, .feeds = {feed("pool", {1, 2, 2, 1}, {1, 2, 3, 4})}};
  EXPECT_THAT(numbers("dense", view), ElementsAre(10, 20));
  EXPECT_THAT(numbers("pool", view), ElementsAre(4, 6, 12, 14));
}

TEST_F(TfliteSideRuns, AnInputOfTheNetworkCanBeFed) {
  EXPECT_THAT(numbers("dense", {.values = {}, .feeds = {feed("x", {1, 4, 4, 1}, std::vector<float>(16, 2))}}),
              ElementsAre(4, 8));
}

TEST_F(TfliteSideRuns, WhatIsFedMayHaveAnotherBatch) {
  SideView view{.values = {}, .feeds = {feed("flat", {2, 4}, {1, 1, 1, 1, 2, 2, 2, 2})}};
  EXPECT_THAT(numbers("dense", view), ElementsAre(4, 8, 8, 16));
}

TEST_F(TfliteSideRuns, SomeLayersAlone) {
  const SideView view{.values = {value("dense")},
                      .feeds = {feed("flat", {1, 4}, {1, 2, 3, 4})},
                      .only_layers = {{layer("FULLY_CONNECTED")}}};
  EXPECT_THAT(numbers("dense", view), ElementsAre(10, 20));
  EXPECT_THAT(look(view).outputs[0], IsEmpty());
  const auto run = side->prepare(view, samples_, folder_.path() / "work").value();
  EXPECT_EQ(TfliteFile::open(run.job.model).value().graph().subgraphs[0].operators.size(), 1U);
  EXPECT_THAT(run.outputs, ElementsAre(""));
}

TEST_F(TfliteSideRuns, AFusedActivationAlone) {
  const int hidden = side->network().layers[static_cast<std::size_t>(layer("RELU"))].inputs[0];
  const SideFeed given{hidden, {Tensor::of<float>({1, 1, 2, 1}, {-3, 3})}};
  EXPECT_THAT(numbers("conv", {.values = {}, .feeds = {given}, .only_layers = {{layer("RELU")}}}), ElementsAre(0, 3));
}

TEST_F(TfliteSideRuns, LayersAloneMustBeGivenWhatTheyTake) {
  const auto outcome = look({.values = {value("dense")}, .only_layers = {{layer("FULLY_CONNECTED")}}});
  EXPECT_FALSE(outcome.has_run);
  EXPECT_THAT(outcome.why, HasSubstr("'flat'"));
}

TEST_F(TfliteSideRuns, WhatIsFedIsNotMadeByLayersThatAreLeftOut) {
  EXPECT_FALSE(
      look({.values = {value("flat")}, .feeds = {feed("flat", {1, 4}, {1, 2, 3, 4})}, .only_layers = {{}}}).has_run);
}

TEST_F(TfliteSideRuns, AnInsertedLayerAlone) {
  const SideFeed given = feed("flat", {1, 4}, {-1, 2, -3, 4});
  EXPECT_THAT(
      numbers("flat", {.values = {}, .feeds = {given}, .edits = {behind(value("flat"), "Relu")}, .only_layers = {{}}}),
      ElementsAre(0, 2, 0, 4));
  const SideFeed input = feed("x", {1, 1, 2, 1}, {-1, 2});
  EXPECT_THAT(numbers("x", {.values = {}, .feeds = {input}, .edits = {behind(value("x"), "Neg")}, .only_layers = {{}}}),
              ElementsAre(1, -2));
}

TEST_F(TfliteSideRuns, AnEditMayTakeWhatIsFedOnly) {
  const SetInput crossed{.layer = layer("SOFTMAX"), .at = 0, .value = value("flat")};
  EXPECT_THAT(numbers("y", {.values = {},
                            .feeds = {feed("flat", {1, 2}, {0, 0}), feed("dense", {1, 2}, {0, 9})},
                            .edits = {crossed},
                            .only_layers = {{layer("SOFTMAX")}}}),
              Each(0.5F));
}

TEST_F(TfliteSideRuns, NoRunShowsConstantsInputsOrWhatIsBeforeAFusedActivation) {
  const int hidden = side->network().layers[static_cast<std::size_t>(layer("RELU"))].inputs[0];
  const int kernel = side->network().layers[static_cast<std::size_t>(layer("CONV_2D"))].inputs[1];
  for (const int one : {hidden, kernel, value("x")}) EXPECT_FALSE(look({.values = {one}}).has_run) << one;
}

TEST_F(TfliteSideRuns, FeedsOfAnotherTypeAreRefused) {
  const SideFeed wrong{value("flat"), {Tensor::of<std::int32_t>({1, 4}, {1, 2, 3, 4})}};
  EXPECT_THAT(look({.values = {value("dense")}, .feeds = {wrong}}).why, HasSubstr("'flat'"));
}

TEST_F(TfliteSideRuns, OperatorsBeforeAFeedDoNotRun) {
  const auto run = side->prepare({.values = {value("dense")}, .feeds = {feed("flat", {1, 4}, {1, 2, 3, 4})}}, samples_,
                                 folder_.path() / "work")
                       .value();
  EXPECT_EQ(TfliteFile::open(run.job.model).value().graph().subgraphs[0].operators.size(), 2U);
}

/// Each edit as the layer that it makes computes.
TEST_F(TfliteSideRuns, EditsCompute) {
  using Wholes = std::vector<std::int64_t>;
  const auto dense = [&](const std::vector<Edit>& edits) { return numbers("dense", {.values = {}, .edits = edits}); };
  EXPECT_THAT(dense({SetConstant{
                  .value = -1, .tensor = Tensor::of<float>({2}, {1, 2}), .layer = layer("FULLY_CONNECTED"), .at = 2}}),
              ElementsAre(37, 74));
  EXPECT_THAT(dense({SetType{layer("RELU"), "Clip", {{"min", 0.0}, {"max", 6.0}}}}), ElementsAre(22, 44));
  EXPECT_THAT(dense({SetType{layer("RELU"), "Clip", {{"min", 0.0}, {"max", 5.0}}}}), ElementsAre(19, 38));
  EXPECT_THAT(dense({SetType{layer("RELU"), "Neg", {}}}), ElementsAre(-16, -32));
  EXPECT_THAT(dense({Bypass{layer("RELU")}}), ElementsAre(36, 72));
  EXPECT_THAT(dense({behind(value("pool"), "Neg")}), ElementsAre(-36, -72));
  EXPECT_THAT(dense({SetType{
                  layer("MAX_POOL_2D"), "AveragePool", {{"kernel_shape", Wholes{2, 2}}, {"strides", Wholes{2, 2}}}}}),
              ElementsAre(26.25F, 52.5F));
  EXPECT_THAT(dense({SetHyper{layer("MAX_POOL_2D"), "strides", Wholes{1, 1}},
                     SetHyper{layer("MAX_POOL_2D"), "kernel_shape", Wholes{3, 3}}}),
              ElementsAre(9 + 10 + 13 + 14, 92));
  EXPECT_THAT(numbers("pool", {.values = {},
                               .edits = {SetHyper{layer("MAX_POOL_2D"), "pads", Wholes{1, 1, 1, 1}}},
                               .only_layers = {{layer("CONV_2D"), layer("RELU"), layer("MAX_POOL_2D")}}}),
              ElementsAre(0, 1, 2, 7, 9, 10, 11, 13, 14));
  EXPECT_THAT(numbers("conv", {.values = {}, .edits = {SetHyper{layer("CONV_2D"), "pads", Wholes{2, 1, 0, 1}}}}),
              ElementsAre(0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_THAT(numbers("y", {.values = {}, .edits = {Bypass{layer("SOFTMAX")}}}), ElementsAre(36, 72));
}

TEST_F(TfliteSideRuns, WhatFollowsFromConstantsIsShown) {
  TfliteNet net({1, 2});
  const auto half = net.constant(cast(Tensor::of<float>({2}, {1, 2}), DType::f16).value());
  const auto real = net.node("DEQUANTIZE", {half}, "real", {2});
  open(net.file({net.node("ADD", {TfliteNet::x, real}, "sum", {1, 2})}), {{"x", Tensor::of<float>({1, 2}, {3, 4})}});
  EXPECT_THAT(numbers("real", {}), ElementsAre(1, 2));
  const SetConstant edit{.value = value("real"), .tensor = Tensor::of<float>({2}, {5, 6})};
  EXPECT_THAT(numbers("y", {.values = {}, .edits = {edit}}), ElementsAre(8, 10));
}

TEST_F(TfliteSideRuns, StoredIntegersAreShownAndFed) {
  TfliteNet net({1, 2});
  const auto stored = net.node("QUANTIZE", {TfliteNet::x}, "stored", {1, 2}, {}, DType::i8);
  net.quantize(stored, 0.5F, 3);
  open(net.file({net.node("DEQUANTIZE", {stored}, "real", {1, 2})}), {{"x", Tensor::of<float>({1, 2}, {3, 4})}});
  const auto shown = look({.values = {value("stored")}});
  ASSERT_TRUE(shown.has_run) << shown.why;
  EXPECT_THAT(shown.values.at(value("stored"))[0].as<std::int8_t>(), ElementsAre(9, 11));
  const SideFeed given{value("stored"), {Tensor::of<std::int8_t>({1, 2}, {3, 5})}};
  EXPECT_THAT(numbers("y", {.values = {}, .feeds = {given}}), ElementsAre(0, 1));
}

}  // namespace
}  // namespace culprit
