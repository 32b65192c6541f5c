// Is the recomputation of a report able to fail? Each lie about one thing must be found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "support/corpus_case.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

class Recompute : public ::testing::Test {
 protected:
  /// One check for all: each test edits a copy of its report.
  static void SetUpTestSuite() {
    const TemporaryFolder folder = scratch();
    const auto read =
        read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests/corpus/faults/pad-into-maxpool-of-negatives.onnxtxt");
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_TRUE(write_corpus_case(*read, folder.path()));
    const Ran ran = culprit_check({folder.path() / "model.onnx"});
    ASSERT_EQ(ran.exit, 1) << ran.err;
    ASSERT_EQ(ran.does_not_follow, "");
    checked_ = ran.report;
  }
  void SetUp() override { ASSERT_FALSE(report_.is_null()) << "the check failed"; }

  Json& model() { return report_["models"][0]; }
  Json& faulty() {
    for (auto& variant : model()["variants"])
      if (variant["verdict"] == "diverged") return variant;
    throw std::logic_error("no variant diverged");
  }
  Json& measured() { return *faulty()["measurements"].begin(); }
  void expect(const std::string& complaint) { EXPECT_THAT(recompute(report_), HasSubstr(complaint)); }

  inline static Json checked_;
  Json report_ = checked_;
};

TEST_F(Recompute, FindsAnotherVerdict) {
  faulty()["verdict"] = "equivalent";
  expect("the report says equivalent, its own numbers diverged");
}

TEST_F(Recompute, FindsCountsThatHideADifference) {
  measured()["beyond_floor"] = 0;
  measured()["beyond_tolerance"] = 0;
  expect("0 elements are beyond what rounding explains, the worst");
}

TEST_F(Recompute, FindsALimitThatTheWorstElementWasNotHeldAgainst) {
  measured()["floor"] = 100;
  expect(" / 100 is not ");
}

TEST_F(Recompute, FindsAFloorThatIsNotTheSumOfItsParts) {
  model()["noise_floor"]["y"] = {{"abs", 100},  {"rel", 1},       {"deviation", 1}, {"rms", 100},
                                 {"eps", 1e-7}, {"step", 0},      {"samples", 1},   {"scales", 1},
                                 {"draws", 1},  {"discarded", 0}, {"ties", 0},      {"stepped", false}};
  expect("is not the sum of its parts");
}

TEST_F(Recompute, FindsEvidenceOfSomethingElse) {
  faulty()["evidence"] = {{"stage", "load"}, {"ending", "threw"}};
  expect("its own numbers rejected");
}

TEST_F(Recompute, FindsAFaultThatWasNotConfirmed) {
  faulty()["confirmed"] = nullptr;
  expect("was not confirmed");
}

TEST_F(Recompute, FindsAFaultyVariantThatNoFaultNames) {
  model()["faults"] = Json::array();
  expect("no fault names it");
}

TEST_F(Recompute, FindsAFaultThatNamesAVariantWithoutOne) {
  for (const auto& variant : model()["variants"])
    if (variant["verdict"] == "unchanged") model()["faults"][0]["variants"].push_back(variant["id"]);
  expect("which is unchanged");
}

/// An initializer twice makes the optimizer read freed memory: its bundle fails in another way each time, or not at
/// all.
TEST_F(Recompute, LetsTheControlNameWhatIsMadeInTwoWays) {
  Json control = model()["faults"][0];
  control["id"] = "F2";
  control["kind"] = "control";
  control["culprits"] = {"optimizer_repeat"};
  control["control"] = "optimizer_repeat";
  for (const auto& variant : model()["variants"])
    if (variant["verdict"] == "unchanged") control["variants"] = {variant["id"]};
  model()["faults"].push_back(control);
  report_["summary"]["faults"] = 2;
  EXPECT_EQ(recompute(report_), "");
}

TEST_F(Recompute, FindsTotalsThatDoNotAddUp) {
  report_["summary"]["by_verdict"]["diverged"] = 7;
  expect("summary: by_verdict");
}

}  // namespace
}  // namespace culprit::testing
