// Faulty cases of tests/corpus, one of every kind, inside hosts of 20 to 60 nodes through `culprit reduce`. All of them
// go through the reduction of `culprit check` (hosts_test.cc).
#include <gtest/gtest.h>
#include <onnx/defs/printer.h>
#include <onnx/onnx_pb.h>

#include "base/text.h"
#include "model/model.h"
#include "support/corpus_case.h"
#include "support/host.h"
#include "support/sanitized.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

class ReduceCorpus : public ::testing::TestWithParam<const char*> {};

TEST_P(ReduceCorpus, IsReducedToAFewNodesThatShowTheSame) {
  CULPRIT_ONE_OF(3);
  const auto read =
      read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests" / "corpus" / (std::string(GetParam()) + ".onnxtxt"));
  ASSERT_TRUE(read) << read.error().text();
  const auto folder = scratch();
  const auto written = write_hosted(*read, folder.path());
  ASSERT_TRUE(written) << written.error().text();
  const fs::path out = folder.path() / "out" / "model.onnx";
  const Ran ran = culprit({"reduce", folder.path() / "model.onnx", "--passes", join(read->culprits, ","), "-o", out,
                           "--verbose", "--budget", is_sanitized ? "20m" : "2m"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("kept: " + (read->deployed.empty() ? read->verdict : read->deployed)), std::string::npos);
  const auto reduced = load_model(out);
  ASSERT_TRUE(reduced) << reduced.error().text();
  EXPECT_LE(reduced->facts.nodes, 3) << ran.out << onnx::ProtoToString(*reduced->proto);
}

INSTANTIATE_TEST_SUITE_P(All, ReduceCorpus,
                         ::testing::ValuesIn(thinned<const char*>(
                             {"faults/einsum-of-a-diagonal", "faults/captured-initializers-are-not-lifted",
                              "faults/dropout-mask-retypes-the-input", "faults/reshape-of-reshape-with-zero-fails",
                              "interactions/if-branch-of-constants", "deployed/concat-between-pad-and-maxpool",
                              "embedded/plus-zero-behind-gemm"},
                             3)),
                         [](const auto& parameter) { return test_name_of(parameter.param); });

}  // namespace
}  // namespace culprit::testing
