// `culprit optimizers`: the steps of this machine's ONNX Runtime, each proven by a library that leaves it out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "runtime/find_library.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// By name.
std::map<std::string, json> steps_of(const std::vector<std::string>& flags) {
  std::vector<std::string> arguments{"optimizers", "onnxruntime", "--format", "json"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  const Ran ran = culprit(arguments);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  const json runtime = json::parse(ran.out).at(0);
  EXPECT_EQ(runtime["name"], "onnxruntime");
  EXPECT_EQ(runtime["found"], true) << runtime;
  std::map<std::string, json> steps;
  for (const json& step : runtime["steps"])
    EXPECT_TRUE(steps.emplace(step["name"], step).second) << step << " stands there twice";
  return steps;
}

TEST(Optimizers, StepsOfTheRuntimeAreProven) {
  const auto steps = steps_of({});
  const auto is = [&](const std::string& name, const json& kind, const json& level, const json& proof) {
    ASSERT_TRUE(steps.contains(name)) << name;
    EXPECT_EQ(steps.at(name), (json{{"name", name}, {"kind", kind}, {"level", level}, {"proof", proof}}));
  };
  is("ConstantFolding", "transformer", "basic", "by_log");
  is("ConvActivationFusion", "transformer", "extended", "by_log");
  is("Level1_RuleBasedTransformer", "container", "basic", "by_log");
  is("CastFloat16Transformer", "transformer", "off", "always_runs");
  is("Pad_Fusion", "rule", "basic", "by_model");
  is("ReluQuantRewrite", "rule", "extended", "by_model");
  const auto proven = std::ranges::count_if(
      steps, [](const auto& step) { return step.second["proof"] == "by_log" || step.second["proof"] == "by_model"; });
  EXPECT_THAT(proven, Ge(60)) << "1.20 has 62, 1.31 has 68";
}

TEST(Optimizers, WhatDoesNotListenIsNotBelieved) {
  const std::string real = find_onnxruntime("").value().string();
  ::setenv("CULPRIT_TEST_REAL_RUNTIME", real.c_str(), 1);
  const auto steps = steps_of({"--runtime", CULPRIT_TEST_DEAF_RUNTIME});
  ::unsetenv("CULPRIT_TEST_REAL_RUNTIME");
  EXPECT_THAT(steps, SizeIs(Ge(40U)));
  for (const auto& [name, step] : steps) {
    const bool is_rule = step["kind"] == "rule";
    EXPECT_EQ(step["proof"], is_rule ? "none" : "always_runs") << name;
    EXPECT_EQ(is_rule, name == "Pad_Fusion" || name == "NoopElimination") << name << ": others are not in the library";
  }
}

TEST(Optimizers, AllAreListedWithTheirVersions) {
  const Ran ran = culprit({"optimizers"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("onnx_optimizer          0.4.2"), HasSubstr("onnxruntime             1.")));
  const Ran missing = culprit({"optimizers", "--runtime", "9.9.9"});
  EXPECT_EQ(missing.exit, 2) << "it was named";
  EXPECT_THAT(missing.err, HasSubstr("ONNX Runtime 9.9.9 is not in"));
}

TEST(Optimizers, WhatIsNoRuntimeIsRefused) {
  const Ran ran = culprit({"optimizers", "onnxruntime", "--runtime", "/bin/sh"});
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, HasSubstr("cannot load /bin/sh"));
  EXPECT_EQ(culprit({"optimizers", "onnxruntme"}).exit, 2);
}

}  // namespace
}  // namespace culprit::testing
