// Perturbations of models that are no ONNX.
#include "base/file.h"
#include "network/tflite/perturb_tflite.h"
#include "unit/models/network/tflite_samples.h"
#include "worker/perturbed_model.h"

namespace culprit {
namespace {

std::vector<NamedTensor> one_sample() {
  return {{"x", Tensor::of<float>({3}, {1, 0, -2})}, {"n", Tensor::of<std::int32_t>({2}, {1, 2})}};
}

TEST(NudgedOthers, WeightsOfTfliteMoveInMemory) {
  const auto made = nudged_model(CULPRIT_SOURCE "/tests/golden/tflite/small.tflite", {7, 2});
  ASSERT_TRUE(made && *made);
  EXPECT_EQ((*made)->bytes, perturbed(small_tflite(), 7, 2)->bytes());
}

TEST(NudgedOthers, OfAGraphOfTensorFlowNothingIsMadeInMemory) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-nudged").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "graph.pb", std::string("\x0a\x02\x0a\x00", 4)));
  const auto made = nudged_model(folder.path() / "graph.pb", {7, 2});
  ASSERT_TRUE(made);
  EXPECT_FALSE(*made);
}

TEST(NudgedOthers, FloatInputsMoveOtherwiseInEachSampleAndDraw) {
  auto inputs = one_sample(), same = one_sample(), other_sample = one_sample(), other_draw = one_sample();
  nudge_inputs(inputs, ModelFormat::tflite, 0, {7, 1});
  nudge_inputs(same, ModelFormat::frozen_graph, 0, {7, 1});
  const auto x = inputs[0].value.as<float>();
  EXPECT_NE(x[0], 1);
  EXPECT_NEAR(x[0], 1, 2e-7);
  EXPECT_EQ(x[1], 0);
  EXPECT_TRUE(inputs[0].value.identical(same[0].value));
  EXPECT_TRUE(inputs[1].value.identical(one_sample()[1].value));
  bool has_other_sample = false, has_other_draw = false;
  for (std::uint64_t i = 1; i < 20; ++i) {
    other_sample = other_draw = one_sample();
    nudge_inputs(other_sample, ModelFormat::tflite, i, {7, 1});
    nudge_inputs(other_draw, ModelFormat::tflite, 0, {7 + i, 1});
    has_other_sample |= !other_sample[0].value.identical(inputs[0].value);
    has_other_draw |= !other_draw[0].value.identical(inputs[0].value);
  }
  EXPECT_TRUE(has_other_sample);
  EXPECT_TRUE(has_other_draw);
}

TEST(NudgedOthers, InputsOfAnOnnxModelStay) {
  auto inputs = one_sample();
  nudge_inputs(inputs, ModelFormat::onnx, 0, {7, 1});
  EXPECT_TRUE(inputs[0].value.identical(one_sample()[0].value));
}

}  // namespace
}  // namespace culprit
