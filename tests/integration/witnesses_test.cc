// Others who run the model as it is, and models that the runtime has no kernel for, with the real runtime.
#include <cstdlib>

#include "cli_folder.h"
#include "runtime/find_library.h"
#include "support/peers.h"

namespace culprit::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* two_nodes = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[4] x) => (float[4] y) { a = Abs(x) y = Relu(a) })";
constexpr const char* casts = R"(<ir_version: 8, opset_import: ["" : 13]>
  g (float[n] x) => (bool[n] y) { i = Cast<to = 6>(x) y = Cast<to = 9>(i) })";
constexpr const char* bfloat16 = R"(<ir_version: 10, opset_import: ["" : 22]>
  g (float[4] x) => (float[4] y) { a = Cast<to = 16>(x) b = Add(a, a) y = Cast<to = 1>(b) })";
constexpr const char* batches_first = R"(<ir_version: 8, opset_import: ["" : 14]>
  g (float[1,2,1] x) => (float[1,2,1,1] y)
  <float[1,4,1] w = {1, 2, 3, 4}, float[1,4,1] r = {1, 2, 3, 4}>
  { y = LSTM<hidden_size = 1, layout = 1>(x, w, r) })";
/// Nobody iterates it but who takes an absent condition for true.
constexpr const char* loop = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2] x) => (float[2] y) <int64 turns = {3}>
  { y = Loop(turns, , x) <body = b (int64 i, bool go, float[2] v) => (bool go_on, float[2] w)
      { go_on = Identity(go) w = Add(v, v) }> })";

class Witnesses : public Cli {
 protected:
  Ran check_model(const char* text, std::vector<std::string> words) {
    write_model("net.onnx", text);
    words.insert(words.begin(), folder_.path() / "net.onnx");
    return culprit_check(words);
  }

  static std::string warning_of(const Ran& ran, const std::string& code) {
    for (const auto& warning : ran.report["models"][0]["warnings"])
      if (warning["code"] == code) return warning["message"];
    return "";
  }
};

/// The planted runtime hands all calls to the real one, and changes what comes out first.
class WrongSecondRuntime : public Witnesses {
 protected:
  void SetUp() override {
    Witnesses::SetUp();
    ::setenv("CULPRIT_TEST_REAL_RUNTIME", find_onnxruntime("").value().c_str(), 1);
    ::setenv("CULPRIT_TEST_PLANTED", "always", 1);
  }
  void TearDown() override {
    for (const char* name : {"CULPRIT_TEST_REAL_RUNTIME", "CULPRIT_TEST_PLANTED"}) ::unsetenv(name);
  }
};

TEST_F(WrongSecondRuntime, IsAWarningThatNamesTheNodeAndExitCode3) {
  const Ran ran = check_model(two_nodes, {"--second-runtime", CULPRIT_TEST_PLANTED_RUNTIME});
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("cannot judge: the runtimes differ on the model itself"));
  EXPECT_THAT(warning_of(ran, "runtimes_differ"), HasSubstr("first mismatch at Relu of 'y'"));
  EXPECT_TRUE(ran.report["models"][0]["faults"].empty());
  EXPECT_EQ(ran.report["models"][0]["witnesses"]["first_node"]["output"], "y");
  EXPECT_EQ(ran.does_not_follow, "");
  const Ran trusted = check_model(two_nodes, {"--second-runtime", CULPRIT_TEST_PLANTED_RUNTIME, "--trust-runtime"});
  EXPECT_EQ(trusted.exit, 0) << trusted.out;
  EXPECT_THAT(warning_of(trusted, "runtimes_differ"), HasSubstr("the first is trusted"));
  EXPECT_EQ(trusted.does_not_follow, "");
}

TEST_F(WrongSecondRuntime, LeavesNothingToWrite) {
  write_model("net.onnx", two_nodes);
  const std::vector<std::string> words{
      "optimize",         folder_.path() / "net.onnx", "-o", folder_.path() / "out.onnx",
      "--second-runtime", CULPRIT_TEST_PLANTED_RUNTIME};
  const Ran ran = culprit(words);
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_FALSE(there("out.onnx"));
  EXPECT_THAT(ran.err, HasSubstr("the runtimes differ on the model itself"));
}

TEST_F(WrongSecondRuntime, IsSetAsideWhereTheEvaluatorAgreesWithTheFirst) {
  const fs::path python = peers_python();
  if (python.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
  const Ran ran = check_model(two_nodes, {"--second-runtime", CULPRIT_TEST_PLANTED_RUNTIME, "--python", python});
  EXPECT_EQ(ran.exit, 0) << ran.out;
  EXPECT_THAT(warning_of(ran, "witness_set_aside"), HasSubstr("onnxruntime"));
  EXPECT_EQ(ran.does_not_follow, "");
}

TEST_F(Witnesses, AnOldRuntimeIsWrongOnACast) {
  const Ran ran = check_model(casts, {"--runtime", "1.24.1", "--second-runtime", "1.32.0", "--input",
                                      "x=[-0.9,-0.1,0,0.1,0.9,1.5]", "--samples", "1"});
  if (ran.exit == 2) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.exit, 3) << ran.out;
  EXPECT_THAT(warning_of(ran, "runtimes_differ"), HasSubstr("first mismatch at Cast of"));
  EXPECT_EQ(ran.does_not_follow, "");
}

TEST_F(Witnesses, AnEvaluatorThatDoesNotIterateIsSetAside) {
  const fs::path python = peers_python();
  if (python.empty()) GTEST_SKIP() << "no Python with the public packages: scripts/setup peers";
  const Ran ran = check_model(loop, {"--second-runtime", "1.24.1", "--python", python});
  if (ran.exit == 2) GTEST_SKIP() << ran.err;
  EXPECT_EQ(ran.exit, 0) << ran.out;
  EXPECT_EQ(warning_of(ran, "runtimes_differ"), "");
  EXPECT_THAT(warning_of(ran, "witness_set_aside"), HasSubstr("onnx.reference"));
}

TEST_F(Witnesses, AKernelThatIsMissingIsNamedWithWhatCanBeDone) {
  const Ran ran = check_model(bfloat16, {});
  EXPECT_EQ(ran.exit, 3) << ran.out;
  const std::string message = ran.report["models"][0]["baseline"]["message"];
  EXPECT_THAT(message, HasSubstr("the runtime has no kernel for node Add of 'b' (bfloat16)"));
  EXPECT_THAT(message, HasSubstr("--python"));
  EXPECT_THAT(message, HasSubstr("a copy in float32"));
}

TEST_F(Witnesses, AFormThatTheRuntimeRefusesIsNamedToo) {
  const Ran ran = check_model(batches_first, {});
  EXPECT_EQ(ran.exit, 3) << ran.out;
  const std::string message = ran.report["models"][0]["baseline"]["message"];
  EXPECT_THAT(message, HasSubstr("node LSTM of 'y' (float32)"));
  EXPECT_THAT(message, HasSubstr("--python"));
  EXPECT_THAT(message, Not(HasSubstr("a copy in float32")));
  const fs::path python = peers_python();
  if (python.empty()) return;
  const Ran asked = check_model(batches_first, {"--python", python});
  EXPECT_EQ(asked.exit, 3) << asked.out;
  const std::string more = asked.report["models"][0]["baseline"]["message"];
  EXPECT_THAT(more, AnyOf(HasSubstr("runs it, so the model itself can be run"), HasSubstr("does not run it, either")));
}

}  // namespace
}  // namespace culprit::testing
