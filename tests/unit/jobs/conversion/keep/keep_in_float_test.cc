// The search for the layers to keep in float, in a diagnosis with a fake executor.
#include "conversion/keep/keep_in_float.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../diagnose_bench.h"
#include "support/conversion_few_bits.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Each number of the kernel lies so many of its steps in half precision above one that half precision has.
void off_half_grid(onnx::ModelProto& net, const std::string& type, int number, float steps) {
  const std::string name = node_of_type(net, type, number).input(1);
  const Tensor half = cast(cast(weight(net, name), DType::f16).value(), DType::f32).value();
  Floats numbers = floats_of(half);
  for (float& one : numbers) one += steps * std::ldexp(1.0F, std::ilogb(one) - 10);
  set_weight(net, name, Tensor::of<float>(half.shape(), numbers));
}

/// Two convolutions and a dense layer, each off the grid of half precision by so much.
onnx::ModelProto three_layers(float first, float second, float third) {
  NetBuilder net(9);
  std::string x = net.op("Relu", {net.conv("x", {.in = 3, .out = 8})});
  x = net.op("Relu", {net.conv(x, {.in = 8, .out = 8})});
  x = net.op("Flatten", {net.op("GlobalAveragePool", {x})});
  onnx::ModelProto made = net.model({{"x", {1, 3, 8, 8}}}, {{net.dense(x, 8, 5), {1, 5}}});
  off_half_grid(made, "Conv", 0, first);
  off_half_grid(made, "Conv", 1, second);
  off_half_grid(made, "Gemm", 0, third);
  return made;
}

/// A sample is decided otherwise where a number is off by more than this.
ChangesDecision beyond(double limit) {
  return [limit](std::span<const Tensor> source, std::span<const Tensor> other) -> std::optional<bool> {
    for (std::int64_t i = 0; i < source[0].count(); ++i)
      if (std::abs(source[0].number(i) - other[0].number(i)) > limit) return true;
    return false;
  };
}

class KeepInFloat : public DiagnoseBench {
 protected:
  std::optional<KeepRecord> kept_of(const onnx::ModelProto& net) {
    found_ = diagnose_net(net, {weights_in_half});
    return found_.keep;
  }
  static std::vector<std::string> names_of(const std::vector<LayerRef>& layers) {
    std::vector<std::string> names;
    names.reserve(layers.size());
    for (const LayerRef& layer : layers) names.push_back(layer.name);
    return names;
  }
  Diagnosis found_;
};

constexpr float far = 0.4F, near = 0.01F;  // steps
constexpr double limit = 1e-4;

TEST_F(KeepInFloat, NamesTheLayerThatCostsAll) {
  sample_count = 4;
  options.changes = beyond(limit);
  const auto keep = kept_of(three_layers(near, far, near));
  ASSERT_TRUE(keep) << found_.message;
  EXPECT_EQ(found_.status, DiagnosisStatus::same);
  EXPECT_EQ(keep->rounding, "float16 weights");
  EXPECT_EQ(keep->samples, 4);
  EXPECT_EQ(keep->changed_by_target, 4);
  EXPECT_EQ(keep->changed_by_rounding, 4);
  EXPECT_THAT(names_of(keep->kept), ElementsAre("Conv_3"));
  EXPECT_TRUE(keep->is_proven);
  EXPECT_EQ(keep->changed_left, 0);
  EXPECT_LE(static_cast<double>(keep->runs), 4 * std::log2(3));
  EXPECT_EQ(keep->option, "node_block_list");
  EXPECT_THAT(found_.message, HasSubstr("4 of 4 samples are decided otherwise; none is where 'Conv_3' stay"));
}

TEST_F(KeepInFloat, RanksLayersByWhatEachCostsAlone) {
  options.changes = beyond(limit);
  const auto keep = kept_of(three_layers(near, far, near));
  ASSERT_TRUE(keep) << found_.message;
  ASSERT_EQ(keep->layers.size(), 3U);
  EXPECT_EQ(keep->layers[0].layer.name, "Conv_3");
  EXPECT_EQ(keep->layers[0].changed, 2);
  EXPECT_GT(keep->layers[0].error, 10 * keep->layers[1].error);
  EXPECT_EQ(keep->layers[1].changed, 0);
  EXPECT_GE(keep->layers[1].error, keep->layers[2].error);
  EXPECT_GT(keep->layers[2].error, 0);
}

TEST_F(KeepInFloat, NamesTwoWhereOneIsNotEnough) {
  options.changes = beyond(limit);
  const auto keep = kept_of(three_layers(far, near, far));
  ASSERT_TRUE(keep) << found_.message;
  EXPECT_THAT(names_of(keep->kept), ElementsAre("Conv_1", "Gemm_7"));
  EXPECT_TRUE(keep->is_proven);
}

TEST_F(KeepInFloat, LeavesOutLayersThatTheTargetHoldsAsTheyAre) {
  options.changes = beyond(limit);
  const auto keep = kept_of(three_layers(0, far, near));
  ASSERT_TRUE(keep) << found_.message;
  std::vector<LayerRef> layers;
  for (const LayerCost& cost : keep->layers) layers.push_back(cost.layer);
  EXPECT_THAT(names_of(layers), ElementsAre("Conv_3", "Gemm_7"));
}

TEST_F(KeepInFloat, IsNotAskedWhereTheTargetDecidesAsTheSource) {
  options.changes = beyond(1);
  EXPECT_FALSE(kept_of(three_layers(near, far, near)));
  EXPECT_EQ(found_.status, DiagnosisStatus::same);
}

TEST_F(KeepInFloat, IsNotAskedWhereNothingIsDecided) {
  options.changes = [](auto, auto) { return std::optional<bool>(); };
  EXPECT_FALSE(kept_of(three_layers(near, far, near)));
}

TEST_F(KeepInFloat, IsNotAskedOfATargetInFloat) {
  options.changes = [](auto, auto) { return std::optional(true); };
  EXPECT_FALSE(diagnose_net(three_layers(near, far, near), {}).keep);
}

/// Of twenty samples three are decided otherwise where they are far off, and the last where it is off by a little: so
/// by what seems enough on the samples that are looked at first.
TEST_F(KeepInFloat, HoldsOnSamplesThatWereNotSearched) {
  sample_count = 20;
  std::vector<double> samples;  // what the source gives first for each; the target is asked first, in their order
  options.changes = [&](std::span<const Tensor> source, std::span<const Tensor> other) {
    if (samples.size() < 20) samples.push_back(source[0].number(0));
    const auto sample = std::ranges::find(samples, source[0].number(0)) - samples.begin();
    const bool is_far = *beyond(limit)(source, other), is_off = *beyond(0)(source, other);
    return std::optional(sample < 3 ? is_far : sample == 19 && is_off && !is_far);
  };
  const auto keep = kept_of(three_layers(near, far, near));
  ASSERT_TRUE(keep) << found_.message;
  EXPECT_EQ(keep->changed_by_rounding, 3);
  EXPECT_THAT(names_of(keep->kept), ElementsAre("Conv_1", "Conv_3", "Gemm_7"));
  EXPECT_TRUE(keep->is_proven);
}

TEST(KeepRecordWords, TellASetAndWhatIsLeftOfMany) {
  KeepRecord keep;
  keep.samples = 8;
  keep.changed_by_target = 2;
  EXPECT_EQ(to_string(keep), "2 of 8 samples are decided otherwise, and none where the source is rounded likewise");
  keep.changed_by_rounding = 2;
  keep.is_proven = true;
  for (int i = 0; i < 8; ++i) keep.kept.push_back({"layer" + std::to_string(i), "Conv", i});
  EXPECT_THAT(to_string(keep), HasSubstr("none is where 'layer0', 'layer1', 'layer2', 'layer3', 'layer4', 'layer5', "
                                         "2 more stay in float"));
  keep.is_proven = false;
  keep.changed_left = 1;
  EXPECT_THAT(to_string(keep), HasSubstr("; 1 still where all layers stay in float"));
}

}  // namespace
}  // namespace culprit::testing
