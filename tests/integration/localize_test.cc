// `culprit localize` through the real binary: from a recipe that fails to the rewrite and its lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/corpus_case.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Localize : public ::testing::Test {
 protected:
  /// model.onnx from tests/corpus/<name>.onnxtxt.
  void use(const std::string& name) {
    const auto read = read_corpus_case(fs::path(CULPRIT_SOURCE) / "tests" / "corpus" / (name + ".onnxtxt"));
    ASSERT_TRUE(read) << read.error().text();
    ASSERT_TRUE(write_corpus_case(*read, folder_.path()));
  }

  Ran localize(const std::string& passes, std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"localize", folder_.path() / "model.onnx", "--passes", passes, "--run-dir", folder_.path() / "run"});
    return culprit(more);
  }

  nlohmann::json fault() {
    const auto text = read_file(folder_.path() / "run" / "report.json");
    EXPECT_TRUE(text);
    const auto report = nlohmann::json::parse(*text);
    EXPECT_EQ(recompute(report), "");
    EXPECT_EQ(report["models"][0]["faults"].size(), 1u);
    return report["models"][0]["faults"].at(0);
  }

  TemporaryFolder folder_ = scratch();
};

TEST_F(Localize, FromALongRecipeToTwoPassesInOrderToTheRewriteThatCompletesTheFailure) {
  use("interactions/inlined-branch-uses-a-weight");
  const Ran ran = localize("eliminate_identity,eliminate_if_with_const_cond,eliminate_nop_cast,fuse_bn_into_conv,nop");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("eliminate_if_with_const_cond then fuse_bn_into_conv: fails together"),
                             HasSubstr("(nor does the reverse order)"),
                             HasSubstr("rewrite     2 of 2: fuse_bn_into_conv at 'z' (BatchNormalization)"),
                             HasSubstr("- z = BatchNormalization(c, scale, bias, mean, var)"),
                             Not(HasSubstr("max error")) /* no table of what was tried */));
}

TEST_F(Localize, TheBudgetRunsOverAllRoundsOfTheFixpoint) {
  use("faults/plus-zero-drops-the-sign");
  EXPECT_EQ(localize("eliminate_nop_with_unit", {"--repeat", "library"}).exit, 1);
  EXPECT_EQ(fault()["rewrites"][0]["output"], "s");
  EXPECT_EQ(fault()["rewrites_message"], "");
}

TEST_F(Localize, TheBadPiecesOfOneVisit) {
  use("faults/cse-across-domains-twice-of-four");
  EXPECT_EQ(localize("eliminate_identity,eliminate_common_subexpression").exit, 1);
  const auto rewrite = fault()["rewrites"][0];
  EXPECT_EQ(rewrite["pieces"], 4);
  ASSERT_EQ(rewrite["bad_pieces"].size(), 2u);
  EXPECT_EQ(rewrite["bad_pieces"][0]["what"], "'theirs' is replaced by 'ours'");
  EXPECT_EQ(rewrite["bad_pieces"][1]["diff"], (nlohmann::json{"- f = Sub(his, hers)", "+ f = Sub(his, his)"}));
}

TEST_F(Localize, ARightRecipeHasNothingToLocalize) {
  use("clean/identities");
  const Ran ran = localize("eliminate_identity");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("no fault"));
}

}  // namespace
}  // namespace culprit::testing
