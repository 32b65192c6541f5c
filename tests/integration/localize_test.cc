// `culprit localize` through the real binary: from a recipe that fails to the rewrite and its lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <set>

#include "model/model.h"
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

/// Sixty times Pad and MaxPool side by side. Of values that are not negative fusing is right, of the others it is
/// wrong.
std::string many_pools(const std::set<int>& negative) {
  std::string nodes, sum;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    nodes += "  s" + n + " = Mul(x, c" + n + ")\n  r" + n + (negative.contains(i) ? " = Softplus(s" : " = Relu(s") + n +
             ")\n  v" + n + (negative.contains(i) ? " = Neg(r" : " = Abs(r") + n + ")\n  p" + n + " = Pad(v" + n +
             ", pads)\n  m" + n + " = MaxPool<kernel_shape = [3, 3]>(p" + n + ")\n";
    sum += (i > 0 ? ", m" : "m") + n;
  }
  std::string weights;
  for (int i = 0; i < 60; ++i) weights += ", float c" + std::to_string(i) + " = {0." + std::to_string(i + 11) + "}";
  return R"(<ir_version: 8, opset_import: ["" : 13]>
pools (float[1,2,5,5] x) => (float[1,2,5,5] y)
<int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1})" +
         weights + ">\n{\n" + nodes + "  y = Sum(" + sum + ")\n}";
}

TEST_F(Localize, TwoBadRewritesAmongSixtyInAGraphOfThreeHundredNodes) {
  onnx::ModelProto model;
  ASSERT_TRUE(onnx::OnnxParser::Parse(model, many_pools({17, 41}).c_str()).IsOK());
  ASSERT_TRUE(save_model(model, folder_.path() / "model.onnx"));
  const Ran ran = localize("eliminate_identity,fuse_pad_into_pool");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  const auto found = fault();
  ASSERT_EQ(found["rewrites"].size(), 2u) << found;
  std::set<std::string> places;
  for (const auto& rewrite : found["rewrites"]) places.insert(rewrite["output"]);
  EXPECT_EQ(places, (std::set<std::string>{"m17", "m41"}));
  EXPECT_EQ(found["rewrites"][0]["of"], 60);
  EXPECT_EQ(found["rewrites"][1]["of"], 59);
  EXPECT_EQ(found["rewrites_message"], "");
  EXPECT_LE(found["rewrites_asked"], 2 + 2 * (6 + 3));
}

TEST_F(Localize, ARightRecipeHasNothingToLocalize) {
  use("clean/identities");
  const Ran ran = localize("eliminate_identity");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("no fault"));
}

}  // namespace
}  // namespace culprit::testing
