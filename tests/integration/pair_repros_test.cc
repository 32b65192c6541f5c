// The repros of faults of conversions, run alone with public packages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion_rows.h"
#include "model/model.h"
#include "support/diagnosed.h"
#include "support/peers.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

class PairRepros : public ::testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    CULPRIT_ONE_OF(20);
    python_ = peers_python();
    if (python_.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
  }

  fs::path python_;
};

TEST_P(PairRepros, ShowTheirFaultAlone) {
  const ConversionRow& row = conversion_rows().at(GetParam());
  if (row.truth.empty()) return;
  const TemporaryFolder folder = scratch();
  const auto source = folder.path() / "source.onnx", file = folder.path() / "target.onnx", run = folder.path() / "run";
  ASSERT_TRUE(save_model(source_of(row), source));
  ASSERT_TRUE(save_model(target_of(row), file));
  const Ran ran = culprit({"diagnose", source, file, "--run-dir", run});
  ASSERT_EQ(ran.exit, 1) << ran.out << ran.err;
  ASSERT_TRUE(fs::remove(source) && fs::remove(file));
  const auto report = nlohmann::json::parse(read_file(run / "report.json").value());
  for (const auto& fault : report.at("faults")) {
    if (fault.at("repro").is_null()) continue;
    const fs::path repro = run / fault.at("repro").get<std::string>();
    EXPECT_TRUE(follows_schema(repro / "repro.json", "pair_repro.schema.json")) << fault.at("id");
    const auto [status, said] = run_python(python_, repro / "repro.py");
    EXPECT_EQ(status, 1) << fault.at("id") << said;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PairRepros, ::testing::Range<std::size_t>(0, conversion_rows().size()),
                         [](const auto& row) { return conversion_rows().at(row.param).name; });

TEST(PairRepro, IsNamedAndCanBeLeftOut) {
  const TemporaryFolder folder = scratch();
  const auto source = folder.path() / "source.onnx", file = folder.path() / "target.onnx", run = folder.path() / "run";
  onnx::ModelProto net = cnn_net();
  ASSERT_TRUE(save_model(net, source));
  wrong_weight("Conv", 1, 1, one_wrong)(net);
  ASSERT_TRUE(save_model(net, file));
  const auto repro_of = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> words{"diagnose", source, file, "--run-dir", run};
    words.insert(words.end(), flags.begin(), flags.end());
    const Ran ran = culprit(words);
    EXPECT_EQ(ran.exit, 1) << ran.err;
    EXPECT_TRUE(follows_schema(run / "report.json"));
    return nlohmann::json::parse(read_file(run / "report.json").value()).at("faults").at(0).at("repro");
  };
  EXPECT_EQ(repro_of({}), "repro/F1");
  for (const char* name : {"source.onnx", "target.onnx", "repro.py", "repro.json", "README.md"})
    EXPECT_TRUE(fs::exists(run / "repro" / "F1" / name)) << name;
  EXPECT_TRUE(follows_schema(run / "repro" / "F1" / "repro.json", "pair_repro.schema.json"));
  EXPECT_TRUE(repro_of({"--no-repro"}).is_null());
  EXPECT_FALSE(fs::exists(run / "repro"));
}

}  // namespace
}  // namespace culprit::testing
