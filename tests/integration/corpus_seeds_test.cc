// The corpus at other seeds: no false alarm at any, and the faults do not hide. All cases of one seed go through one
// run of the tool; those with inputs, passes or limits of their own are the same at every seed, or run alone elsewhere.
#include <gtest/gtest.h>

#include <set>

#include "support/corpus_case.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

struct Batch {
  std::vector<CorpusCase> cases;
  std::vector<std::string> arguments;
};

Batch batch_of(const std::string& room, const fs::path& folder) {
  Batch batch;
  for (const auto& file : corpus_files(room)) {
    auto read = read_corpus_case(file);
    const bool is_plain = read && read->samples.empty() && read->each.empty() && read->recipe.empty() &&
                          read->timeout.empty() && read->memory.empty();
    if (!is_plain) continue;
    const fs::path own = folder / room / read->name;
    fs::create_directories(own);
    const auto written = write_corpus_case(*read, own);
    EXPECT_TRUE(written) << written.error().text();
    batch.arguments.push_back(own / "model.onnx");
    batch.cases.push_back(std::move(*read));
  }
  return batch;
}

class CorpusSeeds : public ::testing::TestWithParam<int> {
 protected:
  /// The models' part of the report, in the order of the batch.
  nlohmann::json check(const Batch& batch, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = batch.arguments;
    arguments.insert(arguments.end(), {"--no-localize", "--seed", std::to_string(GetParam())});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = culprit_check(arguments);
    EXPECT_FALSE(ran.report.is_null()) << ran.out << ran.err;
    EXPECT_EQ(ran.does_not_follow, "");
    return ran.report.is_null() ? nlohmann::json() : ran.report["models"];
  }

  TemporaryFolder folder_ = scratch();
};

TEST_P(CorpusSeeds, CleanCasesRaiseNoAlarm) {
  CULPRIT_ONE_OF(4);
  const Batch batch = batch_of("clean", folder_.path());
  const auto models = check(batch);
  ASSERT_EQ(models.size(), batch.cases.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    EXPECT_TRUE(models[i]["faults"].empty()) << batch.cases[i].name << " " << models[i]["faults"];
    EXPECT_EQ(models[i]["baseline"]["status"], "ok") << batch.cases[i].name << " " << models[i]["baseline"];
  }
}

TEST_P(CorpusSeeds, FaultsAreFound) {
  CULPRIT_ONE_OF(4);
  const Batch batch = batch_of("faults", folder_.path());
  const auto models = check(batch, {"--confirm", "0"});  // that failures are confirmed is asserted at seed 0
  ASSERT_EQ(models.size(), batch.cases.size());
  for (std::size_t i = 0; i < models.size(); ++i) {
    std::set<std::string> culprits;
    for (const auto& fault : models[i]["faults"])
      for (const auto& culprit : fault["culprits"]) culprits.insert(culprit);
    for (const auto& culprit : batch.cases[i].culprits)
      EXPECT_TRUE(culprits.contains(culprit)) << batch.cases[i].name << " is missed at this seed";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CorpusSeeds, ::testing::Range(1, 5),  // seed 0 is that of corpus_test.cc
                         [](const auto& parameter) { return "seed" + std::to_string(parameter.param); });

}  // namespace
}  // namespace culprit::testing
