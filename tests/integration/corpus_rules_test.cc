// What the corpus as a whole must be (tests/corpus/README.md): a case that repeats another one adds nothing.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/graph_walk.h"
#include "model/model.h"
#include "support/corpus_case.h"
#include "support/scaled_conv.h"

namespace culprit::testing {
namespace {

using Words = std::set<std::string>;

std::vector<CorpusCase> cases_of(const std::string& room) {
  std::vector<CorpusCase> cases;
  for (const auto& file : corpus_files(room)) {
    auto read = read_corpus_case(file);
    EXPECT_TRUE(read) << read.error().text();
    if (read) cases.push_back(std::move(*read));
  }
  return cases;
}

/// Passes, operators, opsets and types of the inputs, as one line.
std::string key_of(const Words& passes, const onnx::ModelProto& model) {
  Words operators, types;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& node : graph.node())
      operators.insert((node.domain().empty() ? "" : node.domain() + ".") + node.op_type());
  });
  for (const auto& input : interface_of(model).inputs) types.insert(std::string(name_of(input.dtype)));
  std::string key;
  for (const auto& pass : passes) key += pass + " ";
  key += ": ";
  for (const auto& op : operators) key += op + " ";
  for (const auto& opset : model.opset_import()) key += opset.domain() + "-" + std::to_string(opset.version()) + " ";
  for (const auto& type : types) key += type + " ";
  return key;
}

TEST(CorpusRules, NoTwoCasesShareThePassTheOperatorsTheOpsetAndTheTypes) {
  std::map<std::string, std::string> seen;
  const auto add = [&](const std::string& name, const Words& passes, const onnx::ModelProto& model) {
    const auto [at, is_new] = seen.emplace(key_of(passes, model), name);
    EXPECT_TRUE(is_new) << name << " repeats " << at->second << ": " << at->first;
  };
  for (const char* room : {"clean", "faults", "interactions", "deployed"}) {
    for (const auto& corpus_case : cases_of(room)) {
      const auto model = model_of(corpus_case);
      ASSERT_TRUE(model) << model.error().text();
      const auto& passes = corpus_case.faulty ? corpus_case.culprits : corpus_case.fires;
      add(corpus_case.name, {passes.begin(), passes.end()}, *model);
    }
  }
  for (const auto& layer : scaled_convs()) add(layer.name, {"fuse_bn_into_conv"}, model_of(layer));
}

TEST(CorpusRules, EveryCaseSaysWhatItIsAbout) {
  for (const char* room : {"clean", "faults", "interactions", "deployed", "baselines"})
    for (const auto& corpus_case : cases_of(room)) EXPECT_FALSE(corpus_case.about.empty()) << corpus_case.name;
}

TEST(CorpusRules, EveryFaultSaysVerdictCulpritAndAttribution) {
  for (const char* room : {"faults", "interactions", "deployed", "embedded"}) {
    for (const auto& corpus_case : cases_of(room)) {
      SCOPED_TRACE(corpus_case.name);
      EXPECT_TRUE(corpus_case.faulty);
      EXPECT_FALSE(corpus_case.verdict.empty());
      EXPECT_FALSE(corpus_case.culprits.empty());
      EXPECT_FALSE(corpus_case.attribution.empty());
      EXPECT_NE(corpus_case.rewrites.empty(), corpus_case.predicate.empty()) << "say which rewrites are bad";
    }
  }
}

TEST(CorpusRules, EveryCleanCaseNamesThePassThatFires) {
  for (const auto& corpus_case : cases_of("clean")) {
    SCOPED_TRACE(corpus_case.name);
    EXPECT_FALSE(corpus_case.faulty);
    EXPECT_FALSE(corpus_case.fires.empty());
  }
}

TEST(CorpusRules, FaultsAreOfEveryVerdict) {
  Words verdicts, passes;
  const auto faults = cases_of("faults");
  for (const auto& corpus_case : faults) {
    verdicts.insert(corpus_case.verdict);
    passes.insert(corpus_case.culprits.begin(), corpus_case.culprits.end());
  }
  EXPECT_EQ(verdicts, (Words{"diverged", "interface_changed", "optimizer_crashed", "out_of_memory", "rejected",
                             "run_failed", "timed_out"}));
  EXPECT_GE(faults.size(), 30U);
  EXPECT_GE(passes.size(), 12U);
}

TEST(CorpusRules, CleanCasesAreOfEveryOpsetFrom7To21) {
  std::set<std::int64_t> opsets;
  const auto clean = cases_of("clean");
  for (const auto& corpus_case : clean) {
    const auto model = model_of(corpus_case);
    ASSERT_TRUE(model) << model.error().text();
    for (const auto& opset : model->opset_import())
      if (opset.domain().empty()) opsets.insert(opset.version());
  }
  for (std::int64_t opset = 7; opset <= 21; ++opset) EXPECT_TRUE(opsets.contains(opset)) << opset;
  EXPECT_GE(clean.size(), 60U);
}

}  // namespace
}  // namespace culprit::testing
