// Badly scaled convolutions with a BatchNormalization that is folded into them: no false alarm.
#include <gtest/gtest.h>

#include "model/model.h"
#include "support/scaled_conv.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

/// All layers through one run of the tool at one seed; the report has them in this order.
class ScaledConvs : public ::testing::TestWithParam<int> {};

TEST_P(ScaledConvs, AreFoldedRightly) {
  CULPRIT_ONE_OF(5);
  const auto folder = scratch();
  std::vector<std::string> arguments;
  std::vector<ScaledConv> layers;
  for (const auto& layer : scaled_convs()) {
    layers.push_back(layer);
    arguments.push_back(folder.path() / (layer.name + ".onnx"));
    ASSERT_TRUE(save_model(model_of(layer), arguments.back()));
  }
  arguments.insert(arguments.end(), {"--each", "fuse_bn_into_conv", "--seed", std::to_string(GetParam())});
  const Ran ran = culprit_check(arguments);
  ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  EXPECT_EQ(ran.exit, 0) << ran.out;
  ASSERT_EQ(ran.report["models"].size(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    SCOPED_TRACE(layers[i].name);
    const auto& model = ran.report["models"][i];
    EXPECT_EQ(model["baseline"]["status"], "ok") << model["baseline"];
    EXPECT_TRUE(model["faults"].empty()) << model["faults"];
    ASSERT_EQ(model["variants"].size(), 1U);
    const auto& variant = model["variants"][0];
    EXPECT_TRUE(variant["verdict"] == "equivalent" || variant["verdict"] == "deviates") << variant;
    EXPECT_EQ(variant["ops_changed"].value("BatchNormalization", 0), -1) << variant["ops_changed"];
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, ScaledConvs, ::testing::Range(0, 5),
                         [](const auto& parameter) { return "seed" + std::to_string(parameter.param); });

}  // namespace
}  // namespace culprit::testing
