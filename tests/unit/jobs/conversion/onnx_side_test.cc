#include <gmock/gmock.h>

#include "compare/editable_model.h"
#include "conversion/sides/side.h"
#include "side_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const char* const chain = R"(
chain (float[3] x, float[3] z) => (float[3] y, float[3] other)
<float[3] w = {1, 2, 3}>
{
  a = Add(x, w)
  b = Relu(a)
  y = Neg(b)
  other = Neg(z)
})";

class OnnxSideTest : public SideBench {
 protected:
  OnnxSideTest() {
    add_sample({{"x", Tensor::of<float>({3}, {1, -5, 2})}, {"z", Tensor::of<float>({3}, {1, 1, 1})}});
    add_sample({{"x", Tensor::of<float>({3}, {-9, 0, 0})}, {"z", Tensor::of<float>({3}, {2, 2, 2})}});
  }

  [[nodiscard]] int value(const std::string& name) const { return value_named(side->network(), name); }
  [[nodiscard]] int layer(const std::string& name) const { return layer_making(side->network(), name); }
  [[nodiscard]] SideFeed feed(const std::string& name) const {
    return {value(name), {Tensor::of<float>({3}, {7, 8, -9}), Tensor::of<float>({3}, {1, 1, 1})}};
  }

  std::unique_ptr<Side> side = side_of(chain);
};

std::vector<float> numbers(const ViewOutcome& outcome, int value, std::size_t sample = 0) {
  return testing::floats_of(outcome.values.at(value).at(sample));
}

TEST_F(OnnxSideTest, ShowsValuesBesideTheOutputs) {
  const auto outcome = look(*side, {.values = {value("a"), value("b")}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("a")), ElementsAre(2, -3, 5));
  EXPECT_THAT(numbers(outcome, value("b"), 1), ElementsAre(0, 2, 3));
  ASSERT_EQ(outcome.outputs.size(), 2U);
  ASSERT_EQ(outcome.outputs[0].size(), 2U);
  EXPECT_EQ(outcome.outputs[0][0].name, "y");
  EXPECT_THAT(testing::floats_of(outcome.outputs[0][0].value), ElementsAre(-2, 0, -5));
}

TEST_F(OnnxSideTest, WhatIsFedIsUsedAndWhatItsMakerGivesStaysReadable) {
  const auto outcome = look(*side, {.values = {value("a"), value("b"), value("y")}, .feeds = {feed("a")}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("a")), ElementsAre(2, -3, 5));
  EXPECT_THAT(numbers(outcome, value("b")), ElementsAre(7, 8, 0));
  EXPECT_THAT(numbers(outcome, value("y"), 1), ElementsAre(-1, -1, -1));
  EXPECT_THAT(testing::floats_of(outcome.outputs[0][0].value), ElementsAre(-7, -8, 0));
}

TEST_F(OnnxSideTest, AnInputOfTheNetworkCanBeFed) {
  const auto outcome = look(*side, {.values = {value("a")}, .feeds = {feed("x")}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("a")), ElementsAre(8, 10, -6));
}

TEST_F(OnnxSideTest, SomeLayersAlone) {
  const SideView view{.values = {value("b")}, .feeds = {feed("a")}, .only_layers = {{layer("b")}}};
  const auto outcome = look(*side, view);
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("b")), ElementsAre(7, 8, 0));
  EXPECT_THAT(outcome.outputs[0], IsEmpty());
  const auto run = side->prepare(view, samples, folder() / "work").value();
  EXPECT_EQ(load_proto(run.job.model).value().graph().node_size(), 1);
  EXPECT_THAT(run.outputs, ElementsAre("", ""));
}

TEST_F(OnnxSideTest, LayersAloneTakeTheNetworksInputs) {
  const auto outcome = look(*side, {.values = {value("a"), value("b")}, .only_layers = {{layer("a"), layer("b")}}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("b")), ElementsAre(2, 0, 5));
}

TEST_F(OnnxSideTest, LayersAloneMustBeGivenWhatTheyTake) {
  const auto run = side->prepare({.values = {value("y")}, .only_layers = {{layer("y")}}}, samples, folder() / "work");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(run.error().message, HasSubstr("'b'"));
}

TEST_F(OnnxSideTest, WhatIsFedIsNotMadeByLayersThatAreLeftOut) {
  const auto run =
      side->prepare({.values = {value("a")}, .feeds = {feed("a")}, .only_layers = {{}}}, samples, folder() / "work");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().kind, ErrorKind::unsupported);
}

TEST_F(OnnxSideTest, AnInsertedLayerAlone) {
  const InsertBehind lost = behind(value("a"), "Relu");
  const auto outcome =
      look(*side, {.values = {value("a")}, .feeds = {feed("a")}, .edits = {lost}, .only_layers = {{}}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("a")), ElementsAre(7, 8, 0));
  const InsertBehind at_input = behind(value("x"), "Neg");
  const auto other =
      look(*side, {.values = {value("x")}, .feeds = {feed("x")}, .edits = {at_input}, .only_layers = {{}}});
  ASSERT_TRUE(other.has_run) << other.why;
  EXPECT_THAT(numbers(other, value("x")), ElementsAre(-7, -8, 9));
}

TEST_F(OnnxSideTest, AnEditMayTakeWhatIsFedOnly) {
  const SetInput crossed{.layer = layer("y"), .at = 0, .value = value("a")};
  const auto outcome = look(
      *side,
      {.values = {value("y")}, .feeds = {feed("a"), feed("b")}, .edits = {crossed}, .only_layers = {{layer("y")}}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("y")), ElementsAre(-7, -8, 9));
}

TEST_F(OnnxSideTest, SamplesAreWrittenAgainOnlyWhereTheyMustBe) {
  EXPECT_EQ(side->prepare({.values = {value("a")}}, samples, folder() / "work").value().job.samples, samples);
  const auto part =
      side->prepare({.values = {value("a")}, .only_layers = {{layer("a")}}}, samples, folder() / "work").value();
  const auto pack = read_pack(part.job.samples.front()).value();
  ASSERT_EQ(pack.size(), 1U) << "the other input is needed no more";
  EXPECT_EQ(pack.front().name, "x");
}

TEST_F(OnnxSideTest, NoRunShowsStoredConstantsOrInputs) {
  for (const char* name : {"w", "x"}) {
    const auto run = side->prepare({.values = {value(name)}}, samples, folder() / "work");
    ASSERT_FALSE(run) << name;
    EXPECT_EQ(run.error().kind, ErrorKind::unsupported);
  }
}

TEST_F(OnnxSideTest, SizesThatDifferBetweenSamplesAreFed) {
  const SideFeed sizes{value("b"), {Tensor::of<float>({3}, {1, 2, 3}), Tensor::of<float>({2}, {4, 5})}};
  const auto outcome = look(*side, {.values = {value("y")}, .feeds = {sizes}});
  ASSERT_TRUE(outcome.has_run) << outcome.why;
  EXPECT_THAT(numbers(outcome, value("y"), 1), ElementsAre(-4, -5));
}

TEST_F(OnnxSideTest, FeedsOfTwoRanksAreRefused) {
  const SideFeed ranks{value("b"), {Tensor::of<float>({3}, {1, 2, 3}), Tensor::of<float>({1, 1}, {4})}};
  const auto run = side->prepare({.values = {value("y")}, .feeds = {ranks}}, samples, folder() / "work");
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("'b'"));
}

TEST_F(OnnxSideTest, RunsOfLargeWeightsFindThem) {
  constexpr std::int64_t count = std::int64_t{5} << 20;  // 20 MiB: placed outside the file
  onnx::ModelProto model = onnx_of("g (float[1] x) => (float[N] y)\n{\n  y = Add(x, w)\n}");
  *model.mutable_graph()->add_initializer() =
      to_proto(Tensor::of<float>({count}, std::vector<float>(static_cast<std::size_t>(count), 2)), "w");
  Network network = read_onnx_network(model).value();
  Model whole;
  whole.proto = std::make_shared<onnx::ModelProto>(model);
  auto editable = make_editable_model(whole, folder()).value();
  EXPECT_LT(editable.proto.ByteSizeLong(), 10000U);
  const auto large = open_onnx_side(std::move(editable), std::move(network), {});
  const auto run = large->prepare({}, {}, folder() / "work").value();
  auto written = load_proto(run.job.model).value();
  ASSERT_TRUE(inline_external_data(written, run.job.model.parent_path()));
  EXPECT_GT(written.ByteSizeLong(), static_cast<std::size_t>(4 * count));
}

}  // namespace
}  // namespace culprit
