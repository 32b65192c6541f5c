// How often the pass of each case fires. Passes that crash are not counted: there is nothing left to count.
#include <gtest/gtest.h>

#include "support/corpus_case.h"
#include "support/turn.h"
#include "support/visits.h"

namespace culprit::testing {
namespace {

class CorpusVisits : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(CorpusVisits, AreAsStated) {
  CULPRIT_ONE_OF(3);
  const auto read = read_corpus_case(GetParam());
  ASSERT_TRUE(read) << read.error().text();
  if (read->verdict == "optimizer_crashed") {
    EXPECT_TRUE(read->visits.empty());
    return;
  }
  const auto model = model_of(*read);
  ASSERT_TRUE(model) << model.error().text();
  const auto& passes = read->faulty ? read->culprits : read->fires;
  ASSERT_EQ(read->visits.size(), passes.size()) << "state how often each of its passes fires";
  for (std::size_t i = 0; i < passes.size(); ++i) {
    const auto& [pass, times] = read->visits[i];
    EXPECT_EQ(pass, passes[i]);
    EXPECT_EQ(count_visits(*model, pass), times) << pass;
  }
}

std::vector<std::filesystem::path> judged_cases() {
  std::vector<std::filesystem::path> cases;
  for (const char* room : {"clean", "faults"})
    for (const auto& file : corpus_files(room)) cases.push_back(file);
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, CorpusVisits, ::testing::ValuesIn(judged_cases()),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace culprit::testing
