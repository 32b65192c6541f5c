// Real models (CULPRIT_ZOO): each gets a right outcome. Skipped with a word where the zoo is not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<std::string> zoo_models() {
  std::vector<std::string> models;
  if (zoo().empty()) return {"none"};
  for (const auto& entry : fs::directory_iterator(zoo() / "models"))
    if (entry.path().extension() == ".onnx") models.push_back(entry.path().stem());
  std::sort(models.begin(), models.end());
  return models;
}

class Zoo : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder";
  }
  Ran check(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{zoo() / "models" / (GetParam() + ".onnx"), "--samples", "2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return culprit_check(arguments);
  }
};

std::size_t count_warnings(const nlohmann::json& warnings, const std::string& code) {
  return static_cast<std::size_t>(
      std::count_if(warnings.begin(), warnings.end(), [&](const auto& warning) { return warning["code"] == code; }));
}

/// IR 3 models keep their weights among the inputs; the round trip makes them overridable. That is said once, and no
/// pass is blamed.
void expect_round_trip_said_once(const nlohmann::json& model) {
  EXPECT_EQ(count_warnings(model["warnings"], "constants_became_inputs"), model["model"]["ir_version"] == 3 ? 1U : 0U);
  for (const auto& variant : model["variants"])
    EXPECT_EQ(count_warnings(variant["warnings"], "constants_became_inputs"), 0U) << variant["id"];
}

TEST_P(Zoo, GetsARightOutcome) {
  CULPRIT_ONE_OF(3);
  const Ran ran = check();
  ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const auto& model = ran.report["models"][0];
  if (GetParam() == "superresolution-ext-18") {
    EXPECT_EQ(ran.exit, 3) << ran.out;
    EXPECT_EQ(model["baseline"]["status"], "does_not_load");
    EXPECT_THAT(model["baseline"]["message"].get<std::string>(), HasSubstr("com.microsoft.extensions"));
    EXPECT_THAT(ran.out + ran.err, HasSubstr("com.microsoft.extensions"));
    return;
  }
  const bool is_light = GetParam().starts_with("light-");  // constant weights: one number in all 1,000 outputs
  EXPECT_EQ(ran.exit, is_light ? 3 : 0) << ran.out << ran.err;
  EXPECT_EQ(model["baseline"]["status"], is_light ? "weak_data" : "ok") << model["baseline"];
  EXPECT_TRUE(model["faults"].empty()) << model["faults"];
  expect_round_trip_said_once(model);
  EXPECT_EQ(ran.report["summary"]["counts"]["imports"], 2)
      << "one import serves every pass, and one the control optimizer_repeat";
}

INSTANTIATE_TEST_SUITE_P(All, Zoo, ::testing::ValuesIn(zoo_models()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace culprit::testing
