// Repros of pairs that `compare` and `localize --variant` keep, where no pass makes the file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include "model/model.h"
#include "support/conversion_faults.h"
#include "support/conversion_nets.h"
#include "support/diagnosed.h"
#include "support/peers.h"
#include "support/tool.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Names = std::vector<std::string>;

class VariantRepros : public ::testing::Test {
 protected:
  void SetUp() override { CULPRIT_ONE_OF(2); }
  /// Writes the two files; `mistake` is made in the other.
  void use(const Fault& mistake) {
    onnx::ModelProto net = cnn_net();
    ASSERT_TRUE(save_model(net, model()));
    if (mistake) mistake(net);
    ASSERT_TRUE(save_model(net, variant()));
  }

  [[nodiscard]] fs::path model() const { return folder_.path() / "model.onnx"; }
  [[nodiscard]] fs::path variant() const { return folder_.path() / "variant.onnx"; }
  [[nodiscard]] fs::path run() const { return folder_.path() / "run"; }
  [[nodiscard]] nlohmann::json report() const {
    return nlohmann::json::parse(read_file(run() / "report.json").value());
  }

  [[nodiscard]] Ran start(Names words, const Names& flags) const {
    words.insert(words.end(), {"--run-dir", run()});
    words.insert(words.end(), flags.begin(), flags.end());
    return culprit(words);
  }

  [[nodiscard]] Ran compare(const Names& flags = {}) const {
    const Ran ran = start({"compare", model(), variant()}, flags);
    EXPECT_TRUE(follows_schema(run() / "report.json", "compare.schema.json"));
    return ran;
  }

  [[nodiscard]] Ran localize(const Names& flags = {}) const {
    const Ran ran = start({"localize", model(), "--variant", variant()}, flags);
    EXPECT_TRUE(follows_schema(run() / "report.json", "report.schema.json"));
    EXPECT_EQ(recompute(report()), "");
    return ran;
  }

  [[nodiscard]] nlohmann::json repro_of_fault() const {
    return report().at("models").at(0).at("faults").at(0).at("repro");
  }

  /// Without the two files, as the tracker of a converter gets it.
  void expect_shown_alone(const std::string& repro) const {
    EXPECT_TRUE(follows_schema(run() / repro / "repro.json", "pair_repro.schema.json"));
    const fs::path python = peers_python();
    if (python.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
    ASSERT_TRUE(fs::remove(model()) && fs::remove(variant()));
    const auto [status, said] = run_python(python, run() / repro / "repro.py");
    EXPECT_EQ(status, 1) << said;
  }

  TemporaryFolder folder_ = scratch();
};

void wrong_number(onnx::ModelProto& net) { wrong_weight("Conv", 1, 1, one_wrong)(net); }

TEST_F(VariantRepros, CompareKeepsOneThatShowsTheFaultAlone) {
  use(wrong_number);
  const Ran ran = compare();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_EQ(report()["repros"], nlohmann::json({"repro/F1"}));
  EXPECT_THAT(on_one_line(ran.out), HasSubstr("show F1 alone: python3 " + (run() / "repro/F1/repro.py").string()));
  for (const char* name : {"source.onnx", "target.onnx", "repro.py", "repro.json", "README.md"})
    EXPECT_TRUE(fs::exists(run() / "repro" / "F1" / name)) << name;
  expect_shown_alone("repro/F1");
}

TEST_F(VariantRepros, CompareKeepsOneOfEachFault) {
  use([](onnx::ModelProto& net) {
    wrong_number(net);
    wrong_weight("Conv", 2, 1, one_wrong)(net);
  });
  EXPECT_EQ(compare().exit, 1);
  EXPECT_EQ(report()["repros"], nlohmann::json({"repro/F1", "repro/F2"}));
}

TEST_F(VariantRepros, CompareKeepsOneOfAModelThatDoesNotRun) {
  use([](onnx::ModelProto& net) { node_of_type(net, "Relu", 1).set_op_type("Nonsense"); });
  const Ran ran = compare();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  ASSERT_EQ(report()["repros"], nlohmann::json({"repro/F1"}));
  expect_shown_alone("repro/F1");
}

TEST_F(VariantRepros, CompareKeepsNoneWhereNobodyWantsItOrNothingIsWrong) {
  use(wrong_number);
  const Ran unwanted = compare({"--no-repro"});
  EXPECT_EQ(unwanted.exit, 1) << unwanted.out << unwanted.err;
  EXPECT_EQ(report()["repros"], nlohmann::json::array());
  EXPECT_FALSE(fs::exists(run() / "repro"));
  EXPECT_THAT(unwanted.out, Not(HasSubstr("alone: python3")));
  use({});
  EXPECT_EQ(compare().exit, 0);
  EXPECT_EQ(report()["repros"], nlohmann::json::array());
  EXPECT_FALSE(fs::exists(run() / "repro"));
}

/// Padding with zeros, and padding that no maximum sees. No repair of a pool makes it the two layers.
TEST_F(VariantRepros, CompareKeepsNoneOfAFaultThatIsNotConfirmed) {
  const auto net = [](const std::string& nodes) {
    onnx::ModelProto made;
    const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]> net (float[1,2,5,5] x) => (float[1,2,h,w] y)
      <int64[8] pads = {0, 0, 1, 1, 0, 0, 1, 1}> { )" +
                             nodes + " }";
    EXPECT_TRUE(onnx::OnnxParser::Parse(made, text.c_str()).IsOK()) << text;
    return made;
  };
  ASSERT_TRUE(save_model(net("p = Pad(x, pads)  y = MaxPool<kernel_shape = [3, 3]>(p)"), model()));
  ASSERT_TRUE(save_model(net("y = MaxPool<kernel_shape = [3, 3], pads = [1, 1, 1, 1]>(x)"), variant()));
  const Ran ran = compare();
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_EQ(report()["repros"], nlohmann::json::array());
  EXPECT_FALSE(fs::exists(run() / "repro"));
}

/// (a - exp(b)) W, with inputs in this order and under these names.
onnx::ModelProto difference_net(const std::string& inputs, const std::string& a, const std::string& b,
                                const std::string& first) {
  onnx::ModelProto net;
  const std::string text = R"(<ir_version: 8, opset_import: ["" : 17]> net ()" + inputs + R"() => (float[N,2] y)
    <float[3,2] W = {)" + first +
                           ", -0.5, 0.75, 1.5, -1.25, 0.875}> { e = Exp(" + b + ")  d = Sub(" + a +
                           ", e)  y = MatMul(d, W) }";
  EXPECT_TRUE(onnx::OnnxParser::Parse(net, text.c_str()).IsOK()) << text;
  return net;
}

/// Names, sizes and values of inputs reach the diagnosis, too.
TEST_F(VariantRepros, ComparePassesOnWhatItIsGiven) {
  ASSERT_TRUE(save_model(difference_net("float[N,3] a, float[N,3] b", "a", "b", "0.25"), model()));
  ASSERT_TRUE(save_model(difference_net("float[N,3] q, float[N,3] p", "p", "q", "0.5"), variant()));
  const Names sizes_and_values{"--dim", "N=5", "--input", "b=0.5"};
  Names exchanged{"--map", "a=q", "--map", "b=p"};
  exchanged.insert(exchanged.end(), sizes_and_values.begin(), sizes_and_values.end());
  EXPECT_EQ(compare(exchanged).exit, 1);
  EXPECT_EQ(report()["repros"].size(), 3U) << "two layers take another value then";
  const Ran ran = compare(sizes_and_values);
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  ASSERT_EQ(report()["repros"].size(), 1U);
  const auto told = nlohmann::json::parse(read_file(run() / "repro/F1/repro.json").value());
  EXPECT_EQ(told["fault"]["class"], "parameter");
  EXPECT_EQ(told["fault"]["tensor"], "W");
  EXPECT_EQ(told["output"]["source_shape"], nlohmann::json({5, 2}));
  expect_shown_alone("repro/F1");
}

TEST_F(VariantRepros, LocalizeKeepsOneAndUsesItsFolderAgain) {
  use(wrong_number);
  for (int i = 0; i < 2; ++i) {
    const Ran ran = localize();
    ASSERT_EQ(ran.exit, 1) << ran.out << ran.err;
    EXPECT_EQ(repro_of_fault(), "repro/F1");
    EXPECT_THAT(on_one_line(ran.out), HasSubstr("repro repro/F1 in " + run().string()));
  }
  expect_shown_alone("repro/F1");
}

TEST_F(VariantRepros, LocalizeKeepsNoneWhereNobodyWantsIt) {
  use(wrong_number);
  EXPECT_EQ(localize({"--no-repro"}).exit, 1);
  EXPECT_TRUE(repro_of_fault().is_null());
  EXPECT_FALSE(fs::exists(run() / "repro"));
}

TEST_F(VariantRepros, ReplayAndKnownSayHowOneIsRun) {
  use(wrong_number);
  ASSERT_EQ(localize().exit, 1);
  const fs::path repro = run() / "repro" / "F1", list = folder_.path() / "known.json";
  const auto says_how = AllOf(HasSubstr("is the repro of a pair of files, which only its own repro.py runs"),
                              HasSubstr("python3 " + (repro / "repro.py").string()));
  const Ran replayed = culprit({"replay", repro});
  EXPECT_EQ(replayed.exit, 3) << replayed.err;
  EXPECT_THAT(on_one_line(replayed.out), says_how);
  const Ran known = culprit({"known", "add", repro, "--known", list});
  EXPECT_EQ(known.exit, 3) << known.out;
  EXPECT_THAT(on_one_line(known.err), says_how);
  EXPECT_FALSE(fs::exists(list));
}

}  // namespace
}  // namespace culprit::testing
