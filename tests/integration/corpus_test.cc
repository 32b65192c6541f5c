// Every case of tests/corpus through the real binary: the faults are found with the right verdict and culprit, the
// clean ones raise no alarm. A new bug is a new file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "integration/corpus_fault.h"
#include "support/corpus_case.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using Words = std::set<std::string>;

Words set_of(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

/// Of every room but those that have tests of their own: models that cannot be judged (corpus_baselines_test.cc), those
/// of other programs (program_corpus_test.cc), and those of the runtime's own optimizations (runtime_corpus_test.cc),
/// whose folders lie one deeper.
std::vector<fs::path> all_cases() {
  const Words elsewhere = {"baselines", "programs"};
  std::vector<fs::path> cases;
  for (const auto& room : fs::directory_iterator(fs::path(CULPRIT_SOURCE) / "tests" / "corpus")) {
    if (!room.is_directory() || elsewhere.contains(room.path().filename())) continue;
    const auto files = corpus_files(room.path().filename());
    cases.insert(cases.end(), files.begin(), files.end());
  }
  std::sort(cases.begin(), cases.end());
  return cases;
}

class Corpus : public ::testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    auto read = read_corpus_case(GetParam());
    ASSERT_TRUE(read) << read.error().text();
    case_ = *read;
    auto written = write_corpus_case(case_, folder_.path());
    ASSERT_TRUE(written) << written.error().text();
  }

  Ran check() { return culprit_check(check_arguments(case_, folder_.path())); }

  TemporaryFolder folder_ = scratch();
  CorpusCase case_;
};

/// Verdicts of the variants in which this pass ran alone.
Words verdicts_of(const nlohmann::json& model, const std::string& pass) {
  Words verdicts;
  for (const auto& variant : model["variants"])
    if (variant["recipe"]["passes"] == nlohmann::json::array({pass})) verdicts.insert(variant["verdict"]);
  return verdicts;
}

Words warnings_of(const nlohmann::json& model) {
  Words codes;
  for (const auto& warning : model["warnings"]) codes.insert(warning["code"]);
  for (const auto& variant : model["variants"])
    for (const auto& warning : variant["warnings"]) codes.insert(warning["code"]);
  return codes;
}

/// With the runtime's optimizations off, and at the deploy level, where the case says it.
void expect_deployed(const nlohmann::json& model, const CorpusCase& expected) {
  if (expected.deployed.empty()) return;
  const auto& passes = expected.faulty ? expected.culprits : expected.fires;
  for (const auto& variant : model["variants"]) {
    if (variant["recipe"]["passes"] != passes) continue;
    EXPECT_EQ(variant["verdict"], expected.verdict) << variant;
    EXPECT_EQ(variant["deployed"]["verdict"], expected.deployed) << variant;
  }
}

/// The culprits alone, in this order, were seen to fail in the same way, and what is left of the recipe to be right.
void expect_shown(const nlohmann::json& model, const CorpusCase& expected) {
  if (expected.room != "interactions") return;
  Words verdicts;
  for (const auto& variant : model["variants"])
    if (variant["recipe"]["passes"] == expected.culprits) verdicts.insert(variant["verdict"]);
  EXPECT_EQ(verdicts, Words{expected.verdict}) << model["variants"];
  EXPECT_TRUE(model["safe_recipe"]["verified"].is_object()) << model["safe_recipe"];
}

TEST_P(Corpus, IsJudgedRightly) {
  CULPRIT_ONE_OF(3);
  const Ran ran = check();
  ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const auto& model = ran.report["models"][0];
  EXPECT_EQ(ran.exit, case_.faulty ? 1 : 0) << case_.about << "\n" << ran.out << ran.err;
  EXPECT_EQ(model["baseline"]["status"], "ok") << model["baseline"];
  EXPECT_FALSE(warnings_of(model).contains("samples_redrawn")) << "its data were weak at first: " << ran.out;

  Words culprits;
  for (const auto& fault : model["faults"]) {
    const Words blamed = set_of(fault["culprits"].get<std::vector<std::string>>());
    culprits.insert(blamed.begin(), blamed.end());
    if (blamed == set_of(case_.culprits)) {
      expect_fault(fault, case_);
    }
  }
  Words expected = set_of(case_.culprits);
  expected.insert(case_.also.begin(), case_.also.end());
  EXPECT_EQ(culprits, expected) << case_.about << "\n" << ran.out;
  for (const auto& pass : case_.fires) {
    const Words verdicts = verdicts_of(model, pass);
    EXPECT_FALSE(verdicts.empty() || verdicts.contains("unchanged")) << pass << " did not change the model";
  }
  expect_deployed(model, case_);
  expect_shown(model, case_);
  for (const auto& code : case_.warnings) EXPECT_THAT(warnings_of(model), ::testing::Contains(code));
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, ::testing::ValuesIn(all_cases()),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace culprit::testing
