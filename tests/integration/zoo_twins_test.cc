// Re-weighted twins of the `light-*` models of the zoo, and frozen ones of those with real weights: deep nets whose
// outputs say something, and whose weights passes may rely on. No false alarm on them at any of five seeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "support/outputs.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"
#include "support/twin.h"

namespace culprit::testing {
namespace {

using Json = nlohmann::json;

/// With BatchNormalization right behind a Conv, which fuse_bn_into_conv folds; the number of them that it takes away.
const std::map<std::string, int> normalized{
    {"light-densenet121-9", 59}, {"light-inception_v2-9", 69}, {"light-resnet50-9", 53}, {"light-shufflenet-9", 49}};

class ZooTwins : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    CULPRIT_ONE_OF(4);
    if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
    twin_ = folder_.path() / (GetParam() + ".onnx");
    made_ = culprit({"twin", zoo() / "models" / twin_.filename(), "-o", twin_});
    ASSERT_EQ(made_.exit, 0) << made_.err;
  }

  /// At this seed of the samples: no alarm.
  Json check(int seed, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{twin_, "--samples", "2", "--seed", std::to_string(seed)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = culprit_check(arguments);
    EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
    EXPECT_EQ(ran.does_not_follow, "");
    Json model = ran.report.is_null() ? Json() : ran.report["models"][0];
    EXPECT_EQ(model["baseline"]["status"], "ok") << model["baseline"];
    EXPECT_TRUE(model["faults"].empty()) << model["faults"];
    for (const Json& warning : model["warnings"]) codes_.insert(warning["code"]);
    return model;
  }

  TemporaryFolder folder_ = scratch();
  fs::path twin_;
  Ran made_;
  std::set<std::string> codes_;  ///< of warnings
};

/// Passes of the bundle that make another model.
std::string that_fire(const Json& model) {
  std::string names;
  for (const Json& variant : model["variants"]) {
    if (variant["verdict"] == "unchanged" || variant["recipe"]["passes"].size() != 1) continue;
    names += (names.empty() ? "" : ",") + variant["recipe"]["passes"][0].get<std::string>();
  }
  return names;
}

const Json* variant_of(const Json& model, const std::string& pass) {
  for (const Json& variant : model["variants"]) {
    if (variant["recipe"]["passes"] == Json({pass})) return &variant;
  }
  return nullptr;
}

// Ten times as slow under sanitizers: one seed, and none of the nets with half a gigabyte of weights.
const std::set<std::string> heavy{"light-bvlc_alexnet-9", "light-vgg19-9", "light-zfnet512-9"};

class LightTwins : public ZooTwins {
 protected:
  void SetUp() override {
    if (is_sanitized && heavy.contains(GetParam())) GTEST_SKIP() << "too large for a sanitizer";
    ZooTwins::SetUp();
  }

  /// Asked of the runtime, not of the judge: the plain models have one number in all outputs.
  void expect_says_something() {
    const auto [smallest, largest] = variances_said(made_.out);
    EXPECT_GE(smallest, 0.5) << made_.out;
    EXPECT_LE(largest, 2) << made_.out;
    const auto outputs = outputs_of(twin_, 2);
    ASSERT_EQ(outputs.size(), 2U);
    const Tensor &one = outputs[0].at(0).value, &other = outputs[1].at(0).value;
    ASSERT_EQ(one.count(), 1000);
    EXPECT_GT(distinct_values(one), 500U);
    EXPECT_GT(distance(one, other), 1e-3) << "samples must differ by more than the tolerance";
  }
};

TEST_P(LightTwins, SaySomethingAndDrawNoFalseAlarm) {
  expect_says_something();
  const Json first = check(0);
  const auto folds = normalized.find(GetParam());
  if (folds != normalized.end()) {
    const Json* folded = variant_of(first, "fuse_bn_into_conv");
    ASSERT_NE(folded, nullptr);
    EXPECT_EQ((*folded)["verdict"], "equivalent") << *folded;
    EXPECT_EQ((*folded)["ops_changed"]["BatchNormalization"], -folds->second);
  }
  // Variants do not depend on the seed of the samples: what changes nothing at one changes nothing at any, and then
  // there is nothing to deploy either. (Half a gigabyte of weights takes its time.)
  const std::string fire = that_fire(first);
  EXPECT_EQ(fire.find("fuse_bn_into_conv") == std::string::npos, folds == normalized.end()) << fire;
  const std::vector<std::string> more =
      fire.empty() ? std::vector<std::string>{"--each", "fuse_bn_into_conv", "--deploy-level", "off"}
                   : std::vector<std::string>{"--each", fire};
  for (int seed = 1; seed < (is_sanitized ? 1 : 5); ++seed) check(seed, more);
  EXPECT_FALSE(codes_.contains("floor_hides")) << "well scaled, so that rounding hides nothing";
  EXPECT_FALSE(codes_.contains("constants_became_inputs"));
}

class FrozenTwins : public ZooTwins {};

TEST_P(FrozenTwins, KeepTheirWeightsAndAreJudgedWithoutAFalseAlarm) {
  const Json twin = check(0);
  EXPECT_GE(twin["model"]["ir_version"], 4);
  EXPECT_FALSE(codes_.contains("constants_became_inputs"));
  const auto plain = outputs_of(zoo() / "models" / (GetParam() + ".onnx"), 2);
  const auto frozen = outputs_of(twin_, 2);
  ASSERT_EQ(plain.size(), frozen.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    for (std::size_t j = 0; j < plain[i].size(); ++j) {
      EXPECT_TRUE(plain[i][j].value.identical(frozen[i].at(j).value)) << plain[i][j].name;
    }
  }
}

std::string name_of_case(const ::testing::TestParamInfo<std::string>& parameter) {
  std::string name = parameter.param;
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Light, LightTwins,
                         ::testing::Values("light-bvlc_alexnet-9", "light-densenet121-9", "light-inception_v1-9",
                                           "light-inception_v2-9", "light-resnet50-9", "light-shufflenet-9",
                                           "light-squeezenet-9", "light-vgg19-9", "light-zfnet512-9"),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(Real, FrozenTwins,
                         ::testing::Values("candy-7", "mnist-7", "squeezenet-fp16-7", "ultraface-rfb-320-9"),
                         name_of_case);

}  // namespace
}  // namespace culprit::testing
