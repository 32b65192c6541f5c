// Networks that people use, out of four Python packages (scripts/setup networks): each runs without a flag. Speech,
// text in pictures, kinds of files, notes; with states, lengths, If, sequences and float16 inside, dynamic sizes and no
// sample data. Skipped with a word where they are not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/peers.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

struct Network {
  const char* package;
  const char* file;
  /// A pass that really breaks it, alone: the runtime's own checks, and the optimizer without culprit, say so too.
  const char* culprit = "";
};

class Networks : public ::testing::TestWithParam<Network> {};

TEST_P(Networks, RunWithoutAFlag) {
  CULPRIT_ONE_OF(3);
  const fs::path path = network(GetParam().package, GetParam().file);
  if (path.empty()) GTEST_SKIP() << GetParam().file << " is not there: scripts/setup networks";
  const Ran ran = culprit_check({path});
  ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const auto& model = ran.report["models"][0];
  EXPECT_EQ(model["baseline"]["status"], "ok") << model["baseline"];
  const std::string culprit = GetParam().culprit;
  EXPECT_EQ(ran.exit, culprit.empty() ? 0 : 1) << ran.out << ran.err;
  ASSERT_EQ(model["faults"].size(), culprit.empty() ? 0U : 1U) << model["faults"];
  if (culprit.empty()) return;
  EXPECT_EQ(model["faults"][0]["culprits"], nlohmann::json::array({culprit}));
  EXPECT_EQ(model["faults"][0]["verdict"], "rejected");
}

// eliminate_shape_gather puts a scalar where the Gather gave one element, and a Squeeze of it is then refused.
INSTANTIATE_TEST_SUITE_P(All, Networks,
                         ::testing::Values(Network{"basic-pitch", "nmp.onnx"}, Network{"magika", "model.onnx"},
                                           Network{"rapidocr-onnxruntime", "ch_PP-OCRv4_det_infer.onnx"},
                                           Network{"rapidocr-onnxruntime", "ch_PP-OCRv4_rec_infer.onnx"},
                                           Network{"rapidocr-onnxruntime", "ch_ppocr_mobile_v2.0_cls_infer.onnx"},
                                           Network{"silero-vad", "silero_vad.onnx"},
                                           Network{"silero-vad", "silero_vad_16k_op15.onnx", "eliminate_shape_gather"},
                                           Network{"silero-vad", "silero_vad_16k_sequence.onnx"},
                                           Network{"silero-vad", "silero_vad_half.onnx", "eliminate_shape_gather"},
                                           Network{"silero-vad", "silero_vad_op18_ifless.onnx"},
                                           Network{"silero-vad", "silero_vad_openvino_16k.onnx"}),
                         [](const auto& parameter) {
                           std::string name = std::string(parameter.param.package) + "_" +
                                              fs::path(parameter.param.file).stem().string();
                           std::replace_if(
                               name.begin(), name.end(),
                               [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace culprit::testing
