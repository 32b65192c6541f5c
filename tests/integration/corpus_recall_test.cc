// How many of the corpus' faults are found by inputs that the tool makes up itself, with nothing given but the model?
// And what directing samples at the places of the rewrites adds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/corpus_case.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using Names = std::set<std::string>;

/// Faults that made-up inputs do not show, and why. One that is found stands here wrongly and fails as well.
const std::map<std::string, std::string>& known_misses() {
  static const std::map<std::string, std::string> misses = {
      {"log-of-softmax-of-given-scores",
       "the model itself gives -inf on made-up extremes alone, which is a warning and no fault"},
      {"pad-into-maxpool-and-a-third-label", "two scores are one ULP apart in its own inputs, which nobody makes up"},
      {"pad-into-maxpool-and-a-third-name", "the same"},
      {"pad-into-maxpool-and-a-third-number", "the same"}};
  return misses;
}

/// Cases that one call of the tool can hold, by the flags that they need.
using Batches = std::map<std::vector<std::string>, std::vector<CorpusCase>>;

std::vector<std::string> flags_of(const CorpusCase& one) {
  std::vector<std::string> flags;
  const auto joined = [](const std::vector<std::string>& passes) {
    std::string text;
    for (const std::string& pass : passes) text += (text.empty() ? "" : ",") + pass;
    return text;
  };
  if (!one.each.empty()) flags.insert(flags.end(), {"--each", joined(one.each)});
  if (!one.recipe.empty()) flags.insert(flags.end(), {"--passes", joined(one.recipe)});
  if (!one.timeout.empty()) flags.insert(flags.end(), {"--timeout", one.timeout});
  if (!one.memory.empty()) flags.insert(flags.end(), {"--memory", one.memory});
  return flags;
}

Batches batches_of(const std::vector<std::string>& rooms) {
  Batches batches;
  for (const std::string& room : rooms) {
    for (const auto& file : corpus_files(room)) {
      auto read = read_corpus_case(file);
      EXPECT_TRUE(read) << file;
      if (!read) continue;
      read->samples.clear();  // nothing is given
      batches[flags_of(*read)].push_back(std::move(*read));
    }
  }
  return batches;
}

/// The right verdict, blamed on the right passes?
bool is_found(const CorpusCase& one, const nlohmann::json& model) {
  Names culprits;
  bool has_verdict = false;
  for (const auto& fault : model["faults"]) {
    for (const auto& culprit : fault["culprits"]) culprits.insert(culprit);
    has_verdict = has_verdict || fault["verdict"] == (one.deployed.empty() ? one.verdict : one.deployed);
  }
  return has_verdict && std::ranges::includes(culprits, Names(one.culprits.begin(), one.culprits.end()));
}

struct Recall {
  Names found, missed;
};

/// All of these rooms at seed 0. That failures are confirmed and localized is asserted elsewhere.
Recall recall_of(const std::vector<std::string>& rooms, const std::vector<std::string>& more = {}) {
  Recall recall;
  const TemporaryFolder folder = scratch();
  for (const auto& [flags, cases] : batches_of(rooms)) {
    std::vector<std::string> arguments;
    for (const CorpusCase& one : cases) {
      const fs::path own = folder.path() / one.room / one.name;
      fs::create_directories(own);
      EXPECT_TRUE(write_corpus_case(one, own)) << one.name;
      arguments.push_back(own / "model.onnx");
    }
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.insert(arguments.end(), {"--seed", "0", "--confirm", "0", "--no-localize"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = culprit_check(arguments);
    const bool is_whole = !ran.report.is_null() && ran.report["models"].size() == cases.size();
    EXPECT_TRUE(is_whole) << ran.out << ran.err;
    for (std::size_t i = 0; is_whole && i < cases.size(); ++i) {
      (is_found(cases[i], ran.report["models"][i]) ? recall.found : recall.missed).insert(cases[i].name);
    }
  }
  return recall;
}

TEST(CorpusRecall, MadeUpInputsFindWhatIsNotKnownToBeMissed) {
  const Recall recall = recall_of({"faults", "interactions", "deployed"});
  EXPECT_GE(10 * recall.found.size(), 8 * (recall.found.size() + recall.missed.size())) << "at least 80 %";
  for (const std::string& name : recall.missed) EXPECT_TRUE(known_misses().contains(name)) << name << " is missed";
  for (const auto& [name, reason] : known_misses()) {
    EXPECT_FALSE(recall.found.contains(name)) << name << " is found: it is no longer a known miss";
    EXPECT_TRUE(recall.missed.contains(name)) << name << " is no case";
  }
  RecordProperty("found", static_cast<int>(recall.found.size()));
  RecordProperty("missed", static_cast<int>(recall.missed.size()));
}

TEST(CorpusRecall, DirectedSamplesFindEmbeddedFaultsThatPlainOnesMiss) {
  const Recall directed = recall_of({"embedded"});
  const Recall plain = recall_of({"embedded"}, {"--undirected"});
  EXPECT_GT(directed.found.size(), plain.found.size());
  EXPECT_EQ(directed.missed, Names());
  EXPECT_EQ(plain.found, Names()) << "a fault that plain samples show is not embedded deeply enough";
}

}  // namespace
}  // namespace culprit::testing
