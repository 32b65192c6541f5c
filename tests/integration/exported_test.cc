// Models as exporters make them run without a flag: inputs that make sense are found, and nothing is blamed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/model.h"
#include "support/exported_models.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::StartsWith;

class Exported : public ::testing::TestWithParam<std::string> {};

TEST_P(Exported, RunsWithoutAFlag) {
  CULPRIT_ONE_OF(3);
  const TemporaryFolder folder = scratch();
  const ExportedModel exported = exported_model(GetParam());
  ASSERT_TRUE(save_model(exported.model, folder.path() / "model.onnx"));
  const Ran ran = culprit_check({folder.path() / "model.onnx"});
  ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const auto& model = ran.report["models"][0];
  EXPECT_EQ(model["baseline"]["status"], "ok") << model["baseline"];
  EXPECT_TRUE(model["faults"].empty()) << model["faults"];
  const auto choices = model["data"]["choices"].get<std::vector<std::string>>();
  for (const std::string& chosen : exported.chosen) EXPECT_THAT(choices, Contains(StartsWith(chosen)));
  for (const std::string& dim : exported.other) {
    EXPECT_TRUE(model["data"]["other_dims"].contains(dim)) << dim << ": " << model["data"];
    EXPECT_NE(model["data"]["other_dims"][dim], model["data"]["dims"][dim]) << dim;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Exported, ::testing::ValuesIn(names_of_exported_models()),
                         [](const auto& parameter) { return parameter.param; });

}  // namespace
}  // namespace culprit::testing
