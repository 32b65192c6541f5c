// Every faulty case of tests/corpus, inside a host of 20 to 60 nodes, is reduced to a few nodes that show the same
// fault.
#include <gtest/gtest.h>
#include <onnx/defs/printer.h>
#include <onnx/onnx_pb.h>

#include <set>

#include "base/text.h"
#include "model/model.h"
#include "support/corpus_case.h"
#include "support/host.h"
#include "support/sanitized.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

constexpr std::int64_t most_nodes = 5, usual_nodes = 3;

/// Those that need more than three nodes, so that the others have at most three, and with them the median.
const std::set<std::string> larger = {
    "batchnorm-makes-a-name-that-exists",         // as many values as make the number that exists
    "counter-of-another-domain-in-a-loop",        // the Loop and what its body cannot do without
    "growth-of-another-domain-in-a-loop",         // the same
    "duplicate-initializer-of-negative-zero",     // x/0 and x/-0 are told apart, and must not come out infinite
    "gather-of-shape-by-constant-node",           // Shape, Gather, the Constant, and what cannot do with a scalar
    "slice-of-shape-with-start",                  // the same of Slice
    "if-branch-with-nested-if",                   // an If in an If, and a node that is taken out of its order
    "inlined-branch-uses-a-weight",               // an If, what its branch makes, and a fusion behind it
    "pad-value-attribute-into-conv-and-nonzero",  // the shape hangs on values, so a Greater and a NonZero
    "qkv-of-vectors",                             // three MatMuls, and what feeds them
    "qkv-weights-from-late-constants",            // the same, and a Constant that stands too late
};

/// The fault hangs on how many values the model has: a name is made by counting them. Any host takes it away.
const std::set<std::string> without_host = {"batchnorm-makes-a-name-that-exists"};

std::vector<fs::path> faulty_cases() {
  std::vector<fs::path> cases;
  for (const char* room : {"faults", "interactions", "deployed", "embedded"}) {
    const auto files = corpus_files(room);
    cases.insert(cases.end(), files.begin(), files.end());
  }
  return cases;
}

class ReduceCorpus : public ::testing::TestWithParam<fs::path> {
 protected:
  void SetUp() override {
    auto read = read_corpus_case(GetParam());
    ASSERT_TRUE(read) << read.error().text();
    case_ = *read;
  }

  Ran reduce(const Hosting& hosting, const fs::path& folder) {
    constexpr std::uint64_t seed = 7;
    const bool is_bare = without_host.contains(case_.name);
    const auto written = is_bare ? write_corpus_case(case_, folder) : write_hosted(case_, hosting, seed, folder);
    EXPECT_TRUE(written) << written.error().text();
    std::vector<std::string> arguments{"reduce",
                                       folder / "model.onnx",
                                       "--passes",
                                       join(case_.culprits, ","),
                                       "-o",
                                       folder / "out" / "model.onnx",
                                       "--verbose",
                                       "--budget",
                                       is_sanitized ? "20m" : "60s"};
    if (!case_.timeout.empty() || !case_.memory.empty()) arguments.insert(arguments.end(), {"--confirm", "0"});
    if (!case_.samples.empty()) arguments.insert(arguments.end(), {"--data", folder / "data"});
    if (!case_.timeout.empty()) arguments.insert(arguments.end(), {"--timeout", case_.timeout});
    if (!case_.memory.empty()) arguments.insert(arguments.end(), {"--memory", case_.memory});
    return culprit(arguments);
  }

  CorpusCase case_;
};

TEST_P(ReduceCorpus, IsReducedToAFewNodesThatShowTheSame) {
  Ran ran;
  for (const Hosting hosting : {Hosting{true, true}, {false, true}, {true, false}, {false, false}}) {
    const auto folder = scratch();
    ran = reduce(hosting, folder.path());
    // The fault may need an input or an output of the model itself, or show in another way without.
    const std::string kept = "kept: " + (case_.deployed.empty() ? case_.verdict : case_.deployed);
    if (ran.exit == 1 || (ran.exit == 0 && ran.out.find(kept) == std::string::npos)) continue;
    ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
    const auto reduced = load_model(folder.path() / "out" / "model.onnx");
    ASSERT_TRUE(reduced) << reduced.error().text();
    RecordProperty("nodes", static_cast<int>(reduced->facts.nodes));
    // Each check waits for a limit: on a busy machine the time is spent before the last step.
    const bool is_slow = !case_.timeout.empty() || !case_.memory.empty();
    if (is_slow && ran.out.find("the time of --budget was spent") != std::string::npos) {
      EXPECT_LT(reduced->facts.nodes, 20);
      return;
    }
    EXPECT_LE(reduced->facts.nodes, larger.contains(case_.name) ? most_nodes : usual_nodes)
        << ran.out << onnx::ProtoToString(*reduced->proto);
    return;
  }
  FAIL() << "the host hides the fault: " << ran.out << ran.err;
}

INSTANTIATE_TEST_SUITE_P(All, ReduceCorpus, ::testing::ValuesIn(thinned(faulty_cases(), 9)),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

TEST(ReduceCorpusMedian, IsAtMostThreeNodes) { EXPECT_LT(2 * larger.size(), faulty_cases().size()); }

}  // namespace
}  // namespace culprit::testing
