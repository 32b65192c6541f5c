// Models that programs break (onnxsim, OnnxSlim, ONNX Script): `check` names the step. Each program is asked for in
// the version that broke the model, where scripts/setup brought that.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/cache_folder.h"
#include "base/text.h"
#include "support/corpus_case.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

class ProgramCorpus : public ::testing::TestWithParam<fs::path> {};

TEST_P(ProgramCorpus, TheStepIsNamed) {
  CULPRIT_ONE_OF(10);
  const auto corpus_case = read_corpus_case(GetParam());
  ASSERT_TRUE(corpus_case) << corpus_case.error().text();
  const auto program = split(corpus_case->program, ' ');
  ASSERT_EQ(program.size(), 2U) << "a name and a version";
  if (!fs::exists(cache_folder() / "optimizers" / program[0] / program[1] / "bin" / "python"))
    GTEST_SKIP() << corpus_case->program << " is not there: scripts/setup optimizer " << corpus_case->program;
  const auto folder = scratch();
  ASSERT_TRUE(write_corpus_case(*corpus_case, folder.path()));
  auto arguments = check_arguments(*corpus_case, folder.path());
  arguments.insert(arguments.begin(), "check");
  arguments.insert(arguments.end(), {"--optimizer", program[0] + "@" + program[1], "--no-localize", "--no-repro",
                                     "--run-dir", (folder.path() / "run").string()});
  const Ran ran = culprit(arguments);
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  const auto text = read_file(folder.path() / "run" / "report.json");
  ASSERT_TRUE(text) << ran.err;
  const auto report = nlohmann::json::parse(*text);
  std::set<std::string> blamed;
  for (const auto& fault : report["models"][0]["faults"]) {
    EXPECT_EQ(fault["verdict"], corpus_case->verdict) << ran.out;
    for (const std::string name : fault["culprits"]) blamed.insert(name);
  }
  EXPECT_EQ(blamed, std::set<std::string>(corpus_case->culprits.begin(), corpus_case->culprits.end())) << ran.out;
}

INSTANTIATE_TEST_SUITE_P(Cases, ProgramCorpus, ::testing::ValuesIn(corpus_files("programs")),
                         [](const auto& file) { return test_name_of(file.param); });

}  // namespace
}  // namespace culprit::testing
