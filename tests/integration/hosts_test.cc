// Every faulty case of tests/corpus, inside a host of 20 to 60 nodes, through one `culprit check`: the pass, the very
// rewrite, whose fault it is, and a repro of a few nodes that fails on its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/printer.h>
#include <onnx/onnx_pb.h>

#include <map>
#include <set>

#include "integration/corpus_fault.h"
#include "model/model.h"
#include "record/enum_names.h"
#include "support/corpus_case.h"
#include "support/host.h"
#include "support/peers.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t most_nodes = 5, usual_nodes = 3;

/// Those that need more than three nodes, so that the others have at most three, and with them the median.
const std::set<std::string> larger = {
    "counter-of-another-domain-in-a-loop",        // the Loop and what its body cannot do without
    "growth-of-another-domain-in-a-loop",         // the same
    "duplicate-initializer-of-negative-zero",     // x/0 and x/-0 are told apart, and must not come out infinite
    "gather-of-shape-by-constant-node",           // Shape, Gather, the Constant, and what cannot do with a scalar
    "slice-of-shape-with-start",                  // the same of Slice
    "if-branch-with-nested-if",                   // an If in an If, and a node that is taken out of its order
    "inlined-branch-uses-a-weight",               // an If, what its branch makes, and a fusion behind it
    "pad-into-maxpool-in-a-loop-of-a-branch",     // a Loop, the two that are fused in it, and the Constant of the pads
    "pad-value-attribute-into-conv-and-nonzero",  // the shape hangs on values, so a Greater and a NonZero
    "pad-into-maxpool-then-sequence",             // the length hangs on values: a Less, a NonZero and the sequence
    "qkv-of-vectors",                             // three MatMuls, and what feeds them
    "qkv-weights-from-late-constants",            // the same, and a Constant that stands too late
};

/// The host brings out another fault: split_predict walks over initializers in the order of their addresses, so with
/// many of them no two processes make the same model.
const std::map<std::string, std::string> another_in_host = {{"half-whose-input-has-no-type", "optimizer_repeat"}};

class Hosts : public ::testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    auto read = read_corpus_case(GetParam());
    ASSERT_TRUE(read) << read.error().text();
    case_ = *read;
    const auto written = write_hosted(case_, folder_.path());
    ASSERT_TRUE(written) << written.error().text();
  }

  [[nodiscard]] nlohmann::json check() const {
    std::vector<std::string> words = check_arguments(case_, folder_.path());
    words.insert(words.begin(), "check");
    words.insert(words.end(), {"--run-dir", folder_.path() / "run"});
    const Ran ran = culprit(words);
    EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
    const auto text = read_file(folder_.path() / "run" / "report.json");
    if (!text) return {};
    auto report = nlohmann::json::parse(*text);
    EXPECT_EQ(recompute(report), "");
    return report["models"][0];
  }

  /// 20 to 60 nodes around it.
  void expect_surrounded(const nlohmann::json& model) const {
    const auto bare = model_of(case_);
    ASSERT_TRUE(bare);
    const auto around = model["model"]["nodes"].get<std::int64_t>() - bare->graph().node_size();
    if (!has_host(case_)) return;
    EXPECT_GE(around, 20);
    EXPECT_LE(around, 60);
  }

  /// Those of the bare case blame the same passes.
  [[nodiscard]] std::set<std::string> expected_culprits() const {
    std::set<std::string> all(case_.culprits.begin(), case_.culprits.end());
    all.insert(case_.also.begin(), case_.also.end());
    return all;
  }

  /// Under sanitizers the two minutes that a check gives a reduction may not be enough.
  void expect_small(const nlohmann::json& reduced, const fs::path& repro) const {
    ASSERT_TRUE(reduced.is_object());
    const std::int64_t nodes = reduced["nodes"];
    if (is_sanitized && reduced["message"] == "the best when the time was up") {
      EXPECT_LT(nodes, 20);
      return;
    }
    EXPECT_EQ(reduced["message"], "");
    const auto model = load_model(repro / "model.onnx");
    ASSERT_TRUE(model) << model.error().text();
    EXPECT_EQ(model->facts.nodes, nodes);
    EXPECT_GE(nodes, 1);
    EXPECT_LE(nodes, larger.contains(case_.name) ? most_nodes : usual_nodes) << onnx::ProtoToString(*model->proto);
  }

  static void expect_fails_on_its_own(const fs::path& repro, const std::string& verdict) {
    const Ran there = culprit({"replay", repro});
    EXPECT_EQ(there.exit, 1) << there.out << there.err;
    EXPECT_THAT(there.out, HasSubstr("still there (3/3)"));
    const fs::path python = peers_python();
    if (python.empty()) return;
    const auto [status, said] = run_python(python, repro / "repro.py");
    EXPECT_EQ(status, 1) << said;
    EXPECT_THAT(said, HasSubstr("FAULT (" + std::string(reader_word(*verdict_named(verdict))) + "): "));
  }

  TemporaryFolder folder_ = scratch();
  CorpusCase case_;
};

TEST_P(Hosts, TheFaultIsToldAsItIsAndLeavesAReproOfAFewNodes) {
  CULPRIT_ONE_OF(10);
  const nlohmann::json model = check();
  ASSERT_TRUE(model.is_object());
  expect_surrounded(model);
  std::set<std::string> culprits;
  const nlohmann::json* mine = nullptr;
  for (const auto& fault : model["faults"]) {
    for (const std::string pass : fault["culprits"]) culprits.insert(pass);
    if (fault["culprits"] == case_.culprits) mine = &fault;
  }
  if (const auto at = another_in_host.find(case_.name); at != another_in_host.end()) culprits.erase(at->second);
  EXPECT_EQ(culprits, expected_culprits()) << model["faults"];
  ASSERT_NE(mine, nullptr) << case_.about;
  expect_fault(*mine, case_);
  ASSERT_TRUE((*mine)["repro"].is_string());
  const fs::path repro = folder_.path() / "run" / (*mine)["repro"].get<std::string>();
  expect_small((*mine)["reduced"], repro);
  expect_fails_on_its_own(repro, (*mine)["verdict"]);
}

/// Each look at these waits for a limit of time or memory, and all take minutes: `bench/localization` runs them.
std::vector<fs::path> without_those_that_wait(std::vector<fs::path> files) {
  const std::set<std::string> waiting = {"counter-of-another-domain-in-a-loop", "growth-of-another-domain-in-a-loop"};
  std::erase_if(files, [&](const fs::path& file) { return waiting.contains(file.stem().string()); });
  return files;
}

INSTANTIATE_TEST_SUITE_P(All, Hosts, ::testing::ValuesIn(thinned(without_those_that_wait(faulty_corpus_files()), 9)),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

TEST(HostsMedian, IsAtMostThreeNodes) { EXPECT_LT(2 * larger.size(), faulty_corpus_files().size()); }

}  // namespace
}  // namespace culprit::testing
