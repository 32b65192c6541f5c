// Models that ONNX Runtime's own optimizations break, and models that they change and leave right: `check` says which.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "support/corpus_case.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

/// "wrong", of "1.20.1 right, 1.31.1 wrong from basic" and 1.31.1; "" where the version is not in it.
std::string state_in(const std::string& levels, const std::string& version) {
  for (const std::string& one : split(levels, ',')) {
    const auto words = split(trim(one), ' ');
    if (words.size() >= 2 && words[0] == version) return words[1];
  }
  return "";
}

/// Warnings of what the runtime does to the model itself.
std::set<std::string> warnings_of(const nlohmann::json& report) {
  std::set<std::string> codes;
  for (const auto& warning : report["models"][0]["warnings"]) {
    const auto code = warning["code"].get<std::string>();
    if (code == "runtime_changes_values" || code == "deploy_level_fails") codes.insert(code);
  }
  return codes;
}

std::string verdict_of_control(const nlohmann::json& report) {
  for (const auto& control : report["models"][0]["controls"])
    if (control["name"] == "runtime_optimized") return control["verdict"].get<std::string>();
  return "";
}

class RuntimeCorpus : public ::testing::TestWithParam<fs::path> {};

TEST_P(RuntimeCorpus, IsWarnedOf) {
  CULPRIT_ONE_OF(4);
  const auto corpus_case = read_corpus_case(GetParam());
  ASSERT_TRUE(corpus_case) << corpus_case.error().text();
  const auto folder = scratch();
  ASSERT_TRUE(write_corpus_case(*corpus_case, folder.path()));
  auto arguments = check_arguments(*corpus_case, folder.path());
  arguments.insert(arguments.end(), {"--each", "nop"});
  const Ran ran = culprit_check(arguments);
  ASSERT_FALSE(ran.report.is_null()) << ran.err;
  const auto version = ran.report["environment"]["onnxruntime"].get<std::string>();
  const std::string state = state_in(corpus_case->levels, version);
  if (state.empty() || state == "off_fails") GTEST_SKIP() << "nothing is known of it with ONNX Runtime " << version;
  const auto warnings = warnings_of(ran.report);
  if (corpus_case->faulty) {
    EXPECT_FALSE(corpus_case->without.empty()) << "a fault names what mends it";
  }
  if (state == "right" || state == "deviates") {
    EXPECT_THAT(warnings, IsEmpty()) << ran.out;
    EXPECT_EQ(verdict_of_control(ran.report), state == "right" ? "equivalent" : "deviates");
  } else {
    EXPECT_THAT(warnings, Contains(state == "wrong" ? "runtime_changes_values" : "deploy_level_fails")) << ran.out;
  }
}

/// The steps of `# without: A, B`, or of `A or B`, which are only wrong together.
std::set<std::string> names_of(const std::string& without) {
  std::set<std::string> names;
  for (const std::string& part : split(without, ','))
    for (const std::string& word : split(trim(part), ' '))
      if (word != "or" && !word.empty()) names.insert(word);
  return names;
}

std::set<std::string> blamed_in(const nlohmann::json& report) {
  std::set<std::string> names;
  for (const auto& fault : report["models"][0]["faults"])
    for (const auto& culprit : fault["culprits"]) names.insert(culprit.get<std::string>());
  return names;
}

/// Faults of values need data that say something of values.
bool is_weak(const nlohmann::json& report) { return report["models"][0]["baseline"]["status"] == "weak_data"; }

TEST_P(RuntimeCorpus, IsBlamedOnTheStepThatMendsIt) {
  CULPRIT_ONE_OF(8);
  const auto corpus_case = read_corpus_case(GetParam());
  ASSERT_TRUE(corpus_case) << corpus_case.error().text();
  const auto folder = scratch();
  ASSERT_TRUE(write_corpus_case(*corpus_case, folder.path()));
  auto arguments = check_arguments(*corpus_case, folder.path());
  arguments.insert(arguments.end(), {"--optimizer", "onnxruntime", "--no-localize"});
  const Ran ran = culprit_check(arguments);
  ASSERT_FALSE(ran.report.is_null()) << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const auto version = ran.report["environment"]["onnxruntime"].get<std::string>();
  const std::string state = state_in(corpus_case->levels, version);
  if (state.empty() || state == "off_fails") GTEST_SKIP() << "nothing is known of it with ONNX Runtime " << version;
  if (state == "right" || state == "deviates") {
    EXPECT_THAT(blamed_in(ran.report), IsEmpty()) << ran.out;
    EXPECT_EQ(ran.exit, is_weak(ran.report) ? 3 : 0) << ran.out;
    return;
  }
  EXPECT_EQ(ran.exit, 1) << ran.out;
  EXPECT_EQ(blamed_in(ran.report), names_of(corpus_case->without)) << ran.out;
  const auto& safe = ran.report["models"][0]["safe_recipe"];
  EXPECT_EQ(safe["verified"].is_null(), is_weak(ran.report)) << ran.out;
}

class CleanAtAnySeed : public ::testing::TestWithParam<fs::path> {};

TEST_P(CleanAtAnySeed, NoStepIsBlamed) {
  CULPRIT_ONE_OF(40);
  const auto corpus_case = read_corpus_case(GetParam());
  ASSERT_TRUE(corpus_case) << corpus_case.error().text();
  const auto folder = scratch();
  ASSERT_TRUE(write_corpus_case(*corpus_case, folder.path()));
  for (const char* seed : {"0", "1", "2", "3", "4"}) {
    const Ran ran = culprit_check(
        {(folder.path() / "model.onnx").string(), "--optimizer", "onnxruntime", "--no-localize", "--seed", seed});
    ASSERT_FALSE(ran.report.is_null()) << ran.err;
    EXPECT_THAT(blamed_in(ran.report), IsEmpty()) << "seed " << seed << "\n" << ran.out;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CleanAtAnySeed, ::testing::ValuesIn(corpus_files("runtime/clean")),
                         [](const auto& parameter) { return test_name_of(parameter.param); });
INSTANTIATE_TEST_SUITE_P(Faults, RuntimeCorpus, ::testing::ValuesIn(corpus_files("runtime/faults")),
                         [](const auto& parameter) { return test_name_of(parameter.param); });
INSTANTIATE_TEST_SUITE_P(Clean, RuntimeCorpus, ::testing::ValuesIn(corpus_files("runtime/clean")),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace culprit::testing
