// Models that cannot be judged: no fault is claimed, the exit code is 3, and the message says why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/corpus_case.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

class CorpusBaselines : public ::testing::TestWithParam<fs::path> {};

TEST_P(CorpusBaselines, AreSaid) {
  const auto read = read_corpus_case(GetParam());
  ASSERT_TRUE(read) << read.error().text();
  const auto folder = scratch();
  ASSERT_TRUE(write_corpus_case(*read, folder.path()));
  const Ran ran = culprit_check({folder.path() / "model.onnx"});
  ASSERT_FALSE(ran.report.is_null()) << ran.out << ran.err;
  EXPECT_EQ(ran.does_not_follow, "");
  const auto& model = ran.report["models"][0];
  EXPECT_EQ(ran.exit, 3) << read->about << "\n" << ran.out << ran.err;
  EXPECT_EQ(model["baseline"]["status"], read->baseline) << model["baseline"];
  EXPECT_THAT(model["baseline"]["message"].get<std::string>(), ::testing::HasSubstr(read->says));
  EXPECT_TRUE(model["faults"].empty()) << model["faults"];
  std::set<std::string> codes;
  for (const auto& warning : model["warnings"]) codes.insert(warning["code"]);
  for (const std::string& code : read->warnings) EXPECT_TRUE(codes.contains(code)) << code << ": " << model["warnings"];
}

INSTANTIATE_TEST_SUITE_P(All, CorpusBaselines, ::testing::ValuesIn(corpus_files("baselines")),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace culprit::testing
