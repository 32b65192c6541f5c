// What the deploy level costs, and that it reaches the runtime. The faults it finds are in tests/corpus/deployed.
#include <gtest/gtest.h>

#include "support/corpus_case.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

class DeployLevelOfTheTool : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto path = fs::path(CULPRIT_SOURCE) / "tests/corpus/deployed/concat-between-pad-and-maxpool.onnxtxt";
    auto read = read_corpus_case(path);
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_TRUE(write_corpus_case(*read, folder_.path()));
  }

  nlohmann::json check(const std::string& level) {
    const Ran ran = culprit_check({folder_.path() / "model.onnx", "--samples", "6", "--confirm", "0", "--no-localize",
                                   "--each", "eliminate_nop_concat,eliminate_identity", "--deploy-level", level});
    EXPECT_FALSE(ran.report.is_null()) << ran.err;
    return ran.report;
  }

  TemporaryFolder folder_ = scratch();
};

TEST_F(DeployLevelOfTheTool, CostsOneSessionAndFewRunsForTheOriginalAndEachDistinctVariant) {
  const auto report_off = check("off"), report_all = check("all");
  const auto& off = report_off["summary"];
  const auto& all = report_all["summary"];
  const auto count = [](const nlohmann::json& summary, const char* what) { return summary["counts"][what].get<int>(); };
  const int distinct = all["distinct_variants"].get<int>();
  EXPECT_EQ(distinct, 1) << "the other pass changes nothing";
  EXPECT_TRUE(report_off["models"][0]["noise_floor"].empty()) << "with optimizations off no bit differs";
  EXPECT_TRUE(report_all["models"][0]["noise_floor"].empty()) << "at level all it does, but nothing in it rounds";
  EXPECT_EQ(count(all, "sessions") - count(off, "sessions"), distinct + 1);
  EXPECT_EQ(count(all, "runs") - count(off, "runs"), distinct * 4 + 6)
      << "of six samples four, and of the original all";
  EXPECT_EQ(count(all, "imports"), count(off, "imports"));
}

TEST_F(DeployLevelOfTheTool, FailsOnlyWhereTheRuntimeOptimizes) {
  const auto verdict_at = [&](const std::string& level) {
    const auto report = check(level);
    const auto& deployed = report["models"][0]["variants"][0]["deployed"];
    if (deployed.is_null()) return std::string("not run");
    EXPECT_EQ(deployed["level"], level);
    EXPECT_EQ(deployed["samples"], 4);
    return deployed["verdict"].get<std::string>();
  };
  EXPECT_EQ(verdict_at("off"), "not run");
  EXPECT_EQ(verdict_at("basic"), "diverged");
  EXPECT_EQ(verdict_at("all"), "diverged");
}

}  // namespace
}  // namespace culprit::testing
