#include "cli/commands/twin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;

TEST(Twin, SaysWhatWasDone) {
  TwinFacts facts;
  facts.kind = TwinKind::reweighted;
  facts.made = 239, facts.replaced = 28, facts.elements = 25'608'360, facts.left_alone = 1;
  facts.frozen = 269, facts.ir_before = 3, facts.ir_version = 4, facts.bytes = 102'500'000;
  facts.calibration = {107, 2, 1, 3, 0.934, 1.081};
  EXPECT_EQ(twin_text({"resnet.onnx", "twin.onnx", {}, ""}, facts, 80),
            "twin.onnx: re-weighted twin of resnet.onnx, 102.5 MB\n"
            "  frozen: 269 initializers no longer among the inputs, IR 3 -> 4\n"
            "  weights by seed 0: 239 made, 28 replaced, 25.6 M elements; 1 constant left\n"
            "  alone\n"
            "  calibrated: 107 layers in 1 round on 3 samples, variance 0.93 to 1.08; 2\n"
            "  layers of one value or not finite\n");
  facts.calibration = {};
  EXPECT_THAT(twin_text({"a.onnx", "b.onnx", {}, ""}, facts, 80), HasSubstr("  not calibrated: no layer in reach\n"));
  facts.kind = TwinKind::frozen;
  facts.ir_before = 4;
  EXPECT_EQ(twin_text({"a.onnx", "b.onnx", {}, ""}, facts, 80),
            "b.onnx: frozen twin of a.onnx, 102.5 MB\n"
            "  frozen: 269 initializers no longer among the inputs\n"
            "  weights as they were\n");
}

}  // namespace
}  // namespace culprit
