// Real models (CULPRIT_ZOO) against figures worked out by hand from the papers' tables of layers, within 1 %. A row of
// a table is: channels in (of one group), channels out, side of the window, height and width of the result, and how
// often.

#include <gtest/gtest.h>

#include <cstdlib>

#include "cost/graph_record.h"
#include "model/model.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

struct Row {
  double in, out, window, height, width, times = 1;
};

/// FLOPs of convolutions without bias: a multiply-add is 2.
double flops_of(const std::vector<Row>& rows) {
  double sum = 0;
  for (const auto& row : rows) {
    sum += row.times * 2 * row.in * row.out * row.window * row.window * row.height * row.width;
  }
  return sum;
}

class ZooCosts : public testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("CULPRIT_ZOO") == nullptr) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  }
  static GraphRecord record_of(const std::string& name, const InputShapes& shapes = {}) {
    const auto model = load_model(fs::path(std::getenv("CULPRIT_ZOO")) / "models" / (name + ".onnx"));
    EXPECT_TRUE(model) << model.error().text();
    return model ? graph_record(*model, shapes) : GraphRecord();
  }
  static void expect_within_1_percent(const GraphRecord& record, double flops) {
    EXPECT_NEAR(record.flops.value_or(0), flops, flops / 100);
    EXPECT_EQ(record.nodes_uncounted, 0);
  }
};

/// CNTK's network (model zoo, mnist): 5x5 to 8 at 28, 5x5 to 16 at 14, 256 to 10. Poolings (2x2, 3x3), additions and
/// Relu are 1.7 % of it, so they are here: each convolution is followed by both, 8 x 28 x 28 and 16 x 14 x 14 elements.
TEST_F(ZooCosts, OfMnist) {
  const double layers = flops_of({{1, 8, 5, 28, 28}, {8, 16, 5, 14, 14}}) + 2 * 256 * 10;
  const double others = 2 * (8 * 28 * 28 + 16 * 14 * 14) + 10 + 4 * 8 * 14 * 14 + 9 * 16 * 4 * 4;
  const GraphRecord record = record_of("mnist-7");
  EXPECT_EQ(record.flops, layers + others) << "all of it, to the last one";
  EXPECT_EQ(layers + others, 1600522);
  // 200 + 8, 3200 + 16, 2560 + 10, and two shapes of 2 for Reshape.
  EXPECT_EQ(record.parameters, 208 + 3216 + 2570 + 4);
}

/// SqueezeNet 1.1 (Iandola et al. 2016, and the release notes of 1.1): a Fire module squeezes to s and expands to e by
/// 1x1 and to e by 3x3.
std::vector<Row> squeezenet() {
  std::vector<Row> rows = {{3, 64, 3, 111, 111}};
  const auto fire = [&](double in, double s, double e, double side) {
    rows.insert(rows.end(), {{in, s, 1, side, side}, {s, e, 1, side, side}, {s, e, 3, side, side}});
  };
  fire(64, 16, 64, 55);
  fire(128, 16, 64, 55);
  fire(128, 32, 128, 27);
  fire(256, 32, 128, 27);
  fire(256, 48, 192, 13);
  fire(384, 48, 192, 13);
  fire(384, 64, 256, 13);
  fire(512, 64, 256, 13);
  rows.push_back({512, 1000, 1, 13, 13});
  return rows;
}

/// A bias and a Relu for each element of each layer, and three poolings of 3x3: 1.2 %.
TEST_F(ZooCosts, OfSqueezeNet) {
  double flops = flops_of(squeezenet());
  EXPECT_NEAR(flops, 2 * 349.15e6, 1e5) << "0.35 billion multiply-adds";
  for (const auto& row : squeezenet()) flops += 2 * row.out * row.height * row.width;
  flops += 9 * (64.0 * 55 * 55 + 128.0 * 27 * 27 + 256.0 * 13 * 13);
  expect_within_1_percent(record_of("light-squeezenet-9"), flops);
  const GraphRecord half = record_of("squeezenet-fp16-7");
  expect_within_1_percent(half, flops);
  EXPECT_EQ(half.parameters, 1235496) << "1.24 million, as the release notes say";
}

/// ResNet-50 (He et al. 2015, table 1) at 224 x 224, the variant with the stride in the 3x3 ("v1.5"), which this model
/// is: 4.09 billion multiply-adds. With the stride in the first 1x1, as in the paper, they would be 3.8 billion.
TEST_F(ZooCosts, OfResNet50) {
  std::vector<Row> rows = {{3, 64, 7, 112, 112}};
  const auto stage = [&](double in, double inner, double side, double blocks) {
    const double out = 4 * inner, before = in == 64 ? side : 2 * side;
    rows.insert(rows.end(),
                {{in, inner, 1, before, before}, {in, out, 1, side, side}});  // the first block, its shortcut
    rows.insert(rows.end(), {{out, inner, 1, side, side, blocks - 1}, {inner, inner, 3, side, side, blocks}});
    rows.push_back({inner, out, 1, side, side, blocks});
  };
  stage(64, 64, 56, 3);
  stage(256, 128, 28, 4);
  stage(512, 256, 14, 6);
  stage(1024, 512, 7, 3);
  const double flops = flops_of(rows) + 2.0 * 2048 * 1000;
  EXPECT_NEAR(flops, 2 * 4.089e9, 2e6);
  expect_within_1_percent(record_of("light-resnet50-9"), flops);
}

/// The detector RFB-320 of Ultra-Light-Fast-Generic-Face-Detector-1MB at 320 x 240, read off its graph: separable
/// convolutions, one RFB block, heads at four scales.
TEST_F(ZooCosts, OfUltraface) {
  std::vector<Row> rows = {{3, 16, 3, 120, 160}};
  const auto separable = [&](double in, double out, double height, double width, double times = 1) {
    rows.insert(rows.end(), {{1, in, 3, height, width, times}, {in, out, 1, height, width, times}});
  };
  separable(16, 32, 120, 160);
  separable(32, 32, 60, 80, 2);
  separable(32, 64, 30, 40);
  separable(64, 64, 30, 40, 2);
  // The RFB block: three branches of 1x1 to 8, then 3x3 to 16 (by 12 in the third), a dilated 3x3; joined, and a
  // shortcut.
  rows.insert(rows.end(), {{64, 8, 1, 30, 40, 3},
                           {8, 16, 3, 30, 40, 2},
                           {8, 12, 3, 30, 40},
                           {12, 16, 3, 30, 40},
                           {16, 16, 3, 30, 40, 3},
                           {48, 64, 1, 30, 40},
                           {64, 64, 1, 30, 40}});
  separable(64, 6, 30, 40);
  separable(64, 12, 30, 40);
  separable(64, 128, 15, 20);
  separable(128, 128, 15, 20, 2);
  separable(128, 4, 15, 20);
  separable(128, 8, 15, 20);
  separable(128, 256, 8, 10);
  separable(256, 256, 8, 10);
  separable(256, 4, 8, 10);
  separable(256, 8, 8, 10);
  rows.push_back({256, 64, 1, 8, 10});
  separable(64, 256, 4, 5);
  rows.insert(rows.end(), {{256, 6, 3, 4, 5}, {256, 12, 3, 4, 5}});
  double flops = flops_of(rows);
  EXPECT_NEAR(flops, 2 * 100.4e6, 1e5);
  // 2 860 480 elements are normalized (2), 2 980 160 go through a Relu: 4 % of it.
  flops += 2 * 2860480.0 + 2980160.0;
  expect_within_1_percent(record_of("ultraface-rfb-320-raw-9"), flops);
  expect_within_1_percent(record_of("ultraface-rfb-320-9"), flops);
}

TEST_F(ZooCosts, OfModelsThatNeedASample) {
  // Operators that ONNX has dropped, an open batch: 20.4 billion multiply-adds at 720 x 720.
  expect_within_1_percent(record_of("candy-7", {{"inputImage", {1, 3, 720, 720}}}), 41.2e9);
  EXPECT_EQ(record_of("candy-7").flops, std::nullopt);
  expect_within_1_percent(record_of("basic-pitch-15", {{"serving_default_input_2:0", {1, 43844, 1}}}), 1.052e9);
}

/// Everything hangs on the rate, which is an input: the branch of 16 kHz is two thirds Fourier transform and LSTM.
TEST_F(ZooCosts, OfSilero) {
  const auto model = load_model(fs::path(std::getenv("CULPRIT_ZOO")) / "models" / "silero-vad-16.onnx");
  ASSERT_TRUE(model) << model.error().text();
  const SeenValues seen = {{"input", {DType::f32, {1, 576}, {}}},
                           {"state", {DType::f32, {2, 1, 128}, {}}},
                           {"sr", {DType::i64, {}, Tensor::of<std::int64_t>({}, {16000})}}};
  // Frames at 128 steps of 640 padded: 4 of 256 by 258; then 129, 128, 64, 64, 128 channels, 4, 2, 1, 1 of them.
  const double convolutions =
      2 * (4.0 * 256 * 258 + 4.0 * 3 * 129 * 128 + 2.0 * 3 * 128 * 64 + 3.0 * 64 * 64 + 3.0 * 64 * 128);
  const double lstm = 2.0 * 512 * (128 + 128);
  expect_within_1_percent(graph_record(*model, seen), convolutions + lstm);
}

}  // namespace
}  // namespace culprit
