// `culprit localize` through the real binary: from a recipe that fails to the rewrite and its lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

#include "model/model.h"
#include "support/corpus_case.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class Localize : public ::testing::Test {
 protected:
  void SetUp() override { CULPRIT_ONE_OF(2); }
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

TEST_F(Localize, AFaultSaysWhereTheValuesPartFirst) {
  use("faults/plus-zero-drops-the-sign");
  const Ran ran = localize("eliminate_nop_with_unit", {"--data", folder_.path() / "data"});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  const auto first = fault()["first_divergence"];
  ASSERT_FALSE(first.is_null()) << fault()["first_divergence_message"];
  EXPECT_EQ(first["original"], "y");
  EXPECT_EQ(first["nodes_variant"][0]["op"], "Reciprocal");
  EXPECT_EQ(first["nodes_original"][0]["op"], "Reciprocal");
  EXPECT_EQ(first["state"], "made_here");
  EXPECT_EQ(first["coverage"], 100);
  EXPECT_THAT(on_one_line(ran.out), HasSubstr("inside first mismatch at 'y', made by Reciprocal"));
  const auto readme = read_file(folder_.path() / "run" / "repro" / "F1" / "README.md");
  ASSERT_TRUE(readme);
  EXPECT_THAT(*readme, HasSubstr("first mismatch at 'y', made by Reciprocal"));
}

TEST_F(Localize, FromALongRecipeToTwoPassesInOrderToTheRewriteThatCompletesTheFailure) {
  use("interactions/inlined-branch-uses-a-weight");
  const Ran ran = localize("eliminate_identity,eliminate_if_with_const_cond,eliminate_nop_cast,fuse_bn_into_conv,nop");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("eliminate_if_with_const_cond then fuse_bn_into_conv: fails together"),
                             HasSubstr("(nor does the reverse order)"),
                             HasSubstr("rewrite     2 of 2: fuse_bn_into_conv at 'z' (BatchNormalization)"),
                             HasSubstr("- z = BatchNormalization(c, scale, bias, mean, var)"),
                             Not(HasSubstr("max abs error")) /* no table of what was tried */));
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

/// ", float c0 = {0.11}, float c1 = {0.12}"
std::string factors(const std::string& name, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += ", float " + name + std::to_string(i) + " = {0." + std::to_string(i + 11) + "}";
  return text;
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
  return R"(<ir_version: 8, opset_import: ["" : 13]>
pools (float[1,2,5,5] x) => (float[1,2,5,5] y)
<int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1})" +
         factors("c", 60) + ">\n{\n" + nodes + "  y = Sum(" + sum + ")\n}";
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

/// Eight times Pad and Conv side by side. Fusing is right where the axes are in order, gives wrong values where they
/// are not, and what the checker refuses where there are three of them.
std::string pads_of_axes(int out_of_order, int of_three) {
  std::string nodes, sum;
  for (int i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    const char* given = i == out_of_order ? "pads, \"\", swapped" : i == of_three ? "few, \"\", three" : "pads";
    nodes += "  s" + n + " = Mul(x, f" + n + ")\n  p" + n + " = Pad(s" + n + ", " + given + ")\n  c" + n +
             (i == of_three ? " = Conv<kernel_shape = [3, 1]>(p" + n + ", narrow)\n"
                            : " = Conv<kernel_shape = [3, 3]>(p" + n + ", W)\n");
    sum += (i > 0 ? ", c" : "c") + n;
  }
  return R"(<ir_version: 9, opset_import: ["" : 19]>
pads (float[1,1,5,5] x) => (float[1,1,5,5] y)
<float[1,1,3,3] W = {-0.9, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2}, int64[4] swapped = {0, 1, 3, 2}, int64[3] three = {0, 1, 2},
 int64[8] pads = {0, 0, 1, 2, 0, 0, 1, 0}, int64[6] few = {0, 0, 1, 0, 0, 1},
 float[1,1,3,1] narrow = {-0.9, 0.9, 0.8})" +
         factors("f", 8) + ">\n{\n" + nodes + "  y = Sum(" + sum + ")\n}";
}

TEST_F(Localize, WrongValuesAndARefusalByOnePassAreToldApart) {
  onnx::ModelProto model;
  const auto parsed = onnx::OnnxParser::Parse(model, pads_of_axes(2, 5).c_str());
  ASSERT_TRUE(parsed.IsOK()) << parsed.ErrorMessage();
  ASSERT_TRUE(save_model(model, folder_.path() / "model.onnx"));
  const Ran ran = localize("fuse_pad_into_conv");
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  const auto found = fault();
  EXPECT_EQ(found["verdict"], "rejected");
  ASSERT_EQ(found["rewrites"].size(), 1u) << found;
  EXPECT_EQ(found["rewrites"][0]["output"], "c5");
  EXPECT_EQ(found["rewrites"][0]["number"], 5) << "the other is left out";
  EXPECT_EQ(found["rewrites"][0]["of"], 7);
  EXPECT_EQ(found["rewrites"][0]["confirmed"], "2/2");
  EXPECT_THAT(on_one_line(ran.out), HasSubstr("rewrite 3 of 8 (fuse_pad_into_conv at 'c2') goes wrong in another way, "
                                              "and was left out to see this: output 'y' differs"));
}

TEST_F(Localize, ARightRecipeHasNothingToLocalize) {
  use("clean/identities");
  const Ran ran = localize("eliminate_identity");
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("no fault"));
}

// --- --variant -----------------------------------------------------------------------------------------------------

class LocalizeVariant : public Localize {
 protected:
  [[nodiscard]] fs::path model() const { return folder_.path() / "model.onnx"; }
  [[nodiscard]] fs::path broken() const { return folder_.path() / "broken.onnx"; }

  /// broken.onnx is what this pass makes of the model, or the bundle ("").
  void make(const std::string& pass) {
    const fs::path run = folder_.path() / "made";
    std::vector<std::string> check{"check",      model(),     "--keep-variants", "--no-localize",
                                   "--no-repro", "--run-dir", run.string()};
    if (!pass.empty()) check.insert(check.end(), {"--each", pass});
    (void)culprit(check);
    const auto report = nlohmann::json::parse(read_file(run / "report.json").value());
    std::string file;
    for (const auto& variant : report["models"][0]["variants"])
      if (variant["is_bundle"] == pass.empty() && variant["file"].is_string()) file = variant["file"];
    ASSERT_FALSE(file.empty()) << report["models"][0]["variants"];
    fs::copy_file(run / file, broken());
  }

  /// broken.onnx is the model, edited.
  void edit(const std::function<void(onnx::GraphProto&)>& change) {
    auto proto = load_proto(model()).value();
    change(*proto.mutable_graph());
    ASSERT_TRUE(save_model(proto, broken()));
  }

  Ran judge(const fs::path& variant, std::vector<std::string> more = {}) {
    more.insert(more.begin(),
                {"localize", model(), "--variant", variant, "--run-dir", folder_.path() / "run", "--samples", "2"});
    const Ran ran = culprit(more);
    const auto text = read_file(folder_.path() / "run" / "report.json");
    report_ = text ? nlohmann::json::parse(*text) : nlohmann::json();
    if (!text) return ran;
    EXPECT_EQ(recompute(report_), "");
    const std::string source = CULPRIT_SOURCE;
    const std::string validate = "/usr/bin/python3 '" + source + "/tests/schema/validate.py' '" + source +
                                 "/docs/report.schema.json' '" + (folder_.path() / "run/report.json").string() +
                                 "' >&2";
    EXPECT_EQ(std::system(validate.c_str()), 0);
    return ran;
  }

  [[nodiscard]] const nlohmann::json& given() const { return report_["models"][0]["given"]; }

  nlohmann::json report_;
};

TEST_F(LocalizeVariant, WhatAPassMadeIsRecognisedAndItsRewriteIsNamed) {
  use("faults/cse-across-domains-twice-of-four");
  make("eliminate_common_subexpression");
  const Ran ran = judge(broken());
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_EQ(given()["made_by"]["passes"], (nlohmann::json{"eliminate_common_subexpression"}));
  EXPECT_EQ(fault()["rewrites"][0]["bad_pieces"].size(), 2u);
  EXPECT_FALSE(fault()["repro"].is_null());
  EXPECT_THAT(on_one_line(ran.out), HasSubstr("what eliminate_common_subexpression makes of the model"));
}

TEST_F(LocalizeVariant, WhatTheBundleMadeIsRecognisedToo) {
  use("interactions/inlined-branch-uses-a-weight");
  make("");
  EXPECT_EQ(judge(broken()).exit, 1);
  EXPECT_GT(given()["made_by"]["passes"].size(), 30u);
  EXPECT_EQ(fault()["culprits"], (nlohmann::json{"eliminate_if_with_const_cond", "fuse_bn_into_conv"}));
}

TEST_F(LocalizeVariant, TheModelItselfIsRight) {
  use("clean/batchnorm-into-conv");
  const Ran ran = judge(model());
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(on_one_line(ran.out), AllOf(HasSubstr("no fault"), HasSubstr("the same graph as the model")));
  EXPECT_EQ(report_["models"][0]["variants"][0]["same_as"], "original");
}

/// No pass does that: one element of the weight of a convolution is half as large again.
TEST_F(LocalizeVariant, AWeightThatWasChangedByHandNamesItsNode) {
  use("clean/batchnorm-into-conv");
  edit([](onnx::GraphProto& graph) {
    auto& weight = *std::ranges::find(*graph.mutable_initializer(), "W", &onnx::TensorProto::name);
    weight.set_float_data(0, weight.float_data(0) * 1.5F);
  });
  const Ran ran = judge(broken());
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_TRUE(given()["made_by"].is_null());
  const auto found = fault();
  EXPECT_EQ(found["kind"], "given");
  EXPECT_EQ(found["verdict"], "diverged");
  EXPECT_EQ(found["culprits"], (nlohmann::json{"broken.onnx"}));
  ASSERT_FALSE(found["first_divergence"].is_null()) << found["first_divergence_message"];
  EXPECT_EQ(found["first_divergence"]["original"], "c");
  EXPECT_EQ(found["first_divergence"]["nodes_variant"][0]["op"], "Conv");
  EXPECT_EQ(found["attribution_evidence"].size(), 4u);
  EXPECT_EQ(found["attribution"], "optimizer");
  EXPECT_EQ(found["repro"], "repro/F1");
  EXPECT_EQ(given()["diff"],
            (nlohmann::json{"  c = Conv(x, W) {kernel_shape: [3, 3]}", "~ W: float32[4,2,3,3], other values"}));
  EXPECT_TRUE(fs::exists(broken())) << "it is the user's";
  EXPECT_THAT(on_one_line(ran.out),
              AllOf(HasSubstr("no pass of the optimizer makes this file, nor do its default passes"),
                    HasSubstr("its graph is wrong, not the runtime; confirmed 2/2"),
                    HasSubstr("inside first mismatch at 'c', made by Conv"),
                    HasSubstr("~ W: float32[4,2,3,3], other values"), HasSubstr("localize ")));
}

TEST_F(LocalizeVariant, WhatIsRefusedOrHasAnotherInterfaceIsSaid) {
  use("clean/batchnorm-into-conv");
  edit([](onnx::GraphProto& graph) { graph.mutable_node(0)->set_op_type("Nonsense"); });
  EXPECT_EQ(judge(broken()).exit, 1);
  EXPECT_EQ(fault()["verdict"], "rejected");
  EXPECT_GT(given()["diff"].size(), 0u);
  edit([](onnx::GraphProto& graph) {
    *graph.add_output() = graph.output(0);
    graph.mutable_output(1)->set_name("c");
  });
  const Ran ran = judge(broken());
  EXPECT_EQ(ran.exit, 1);
  EXPECT_EQ(fault()["verdict"], "interface_changed");
  EXPECT_THAT(ran.out, HasSubstr("interface_changed"));
}

TEST_F(LocalizeVariant, ALibraryThatWasNotGivenIsNoFaultOfTheVariant) {
  use("clean/batchnorm-into-conv");
  auto proto = load_proto(model()).value();
  proto.mutable_graph()->mutable_node(0)->set_domain("my.dom");
  auto& opset = *proto.add_opset_import();
  opset.set_domain("my.dom");
  opset.set_version(1);
  ASSERT_TRUE(save_model(proto, broken()));
  const Ran ran = judge(broken());
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_EQ(report_["models"][0]["faults"].size(), 0u);
  EXPECT_EQ(report_["models"][0]["variants"][0]["verdict"], "inconclusive");
  EXPECT_THAT(on_one_line(ran.out),
              AllOf(HasSubstr("cannot judge"),
                    HasSubstr("the runtime does not know the operator Conv of the domain my.dom, at the node"),
                    HasSubstr("give the library that has it with --custom-ops LIB")));
}

TEST_F(LocalizeVariant, AFileThatIsNoModelIsNoFaultButAnError) {
  use("clean/identities");
  ASSERT_TRUE(write_file_atomic(broken(), "no model at all"));
  const Ran ran = judge(broken());
  EXPECT_EQ(ran.exit, 3);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--variant"), HasSubstr("broken.onnx")));
  const Ran none = judge(folder_.path() / "not-there.onnx");
  EXPECT_EQ(none.exit, 2);
  EXPECT_THAT(none.err, HasSubstr("not-there.onnx"));
}

}  // namespace
}  // namespace culprit::testing
