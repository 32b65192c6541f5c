// Python programs that stay: one Python answers the questions of a search, and each confirmation has one of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <algorithm>

#include "base/text.h"
#include "support/small_models.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Copies its input, or what is broken where the step `bad` is not skipped. Notes each Python that it is imported in,
/// and each call.
constexpr const char* program = R"(import os, shutil, signal, sys
if not hasattr(sys, "noted"):
    sys.noted = True
    open(FOLDER + "/pythons", "a").write(".")
if __name__ == "__main__":
    open(FOLDER + "/calls", "a").write(".")
    source, target, *skipped = sys.argv[1:]
    left = [name for name in ("bad", "crash", "hang", "throw") if name in PLANTED and name not in skipped]
    if "crash" in left:
        os.kill(os.getpid(), signal.SIGSEGV)
    while "hang" in left:
        pass
    if "throw" in left:
        raise ValueError("no such axis")
    shutil.copy(FOLDER + "/broken.onnx" if "bad" in left else source, target)
)";

class StayingPrograms : public ::testing::Test {
 protected:
  StayingPrograms() {
    write("model.onnx", clean_model);
    write("broken.onnx",
          R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2,3] x) => (float[2,3] y) { y = Neg(x) })");
  }
  void write(const std::string& name, const char* text) {
    onnx::ModelProto model;
    EXPECT_TRUE(onnx::OnnxParser::Parse(model, text).IsOK());
    EXPECT_TRUE(write_file_atomic(folder_.path() / name, model.SerializeAsString()));
  }
  /// Of a program with 16 steps, of which `planted` does what its name says.
  Ran check(const std::string& planted, const std::string& stays, const std::vector<std::string>& more = {}) {
    for (const char* note : {"pythons", "calls"}) EXPECT_TRUE(write_file_atomic(folder_.path() / note, ""));
    const std::string script = (folder_.path() / "program.py").string();
    EXPECT_TRUE(write_file_atomic(
        script, "FOLDER = '" + folder_.path().string() + "'\nPLANTED = ['" + planted + "']\n" + program));
    std::string steps = "bad, crash, hang, throw";
    for (int i = 0; i < 12; ++i) steps += ", step_" + std::to_string(i);
    const fs::path file = folder_.path() / "mine.yaml";
    EXPECT_TRUE(write_file_atomic(file, "name: mine\ncommand: [python3, " + script +
                                            ", '{input}', '{output}', '{choice}']\n" + stays +
                                            "seconds: 1\nsteps:\n  - {names: [" + steps + "], skip: ['{steps}']}\n"));
    std::vector<std::string> words{(folder_.path() / "model.onnx").string(), "--optimizer", file.string()};
    words.insert(words.end(), more.begin(), more.end());
    return culprit_check(words);
  }
  [[nodiscard]] std::string stays() const {
    return "stays: [python3, " CULPRIT_SOURCE "/hosts/stay.py, " + (folder_.path() / "program.py").string() + "]\n";
  }
  [[nodiscard]] std::size_t noted(const char* what) const {
    return read_file(folder_.path() / what).map([](const std::string& text) { return text.size(); }).value_or(0);
  }
  /// What hangs on no time and no place.
  static json found(const Ran& ran) {
    if (ran.report.is_null()) return ran.err;
    json all = json::array();
    for (const json& variant : ran.report["models"][0]["variants"])
      all.push_back({variant["verdict"], variant["confirmed"], variant["fingerprint"]});
    for (const json& fault : ran.report["models"][0]["faults"])
      all.push_back({fault["culprits"], fault["verdict"], fault["signature"], fault["kind"], fault["message"]});
    all.push_back(ran.report["models"][0]["safe_recipe"]["passes"]);
    return all;
  }

  TemporaryFolder folder_ = scratch();
};

TEST_F(StayingPrograms, ASearchStartsFewPythonsAndFindsTheSame) {
  const Ran plain = check("bad", "");
  const std::size_t calls = noted("calls");
  EXPECT_EQ(noted("pythons"), calls) << "each call is a Python";
  const Ran stayed = check("bad", stays());
  EXPECT_EQ(found(stayed), found(plain));
  EXPECT_THAT(stayed.report["models"][0]["faults"][0]["culprits"], ElementsAre("bad"));
  EXPECT_EQ(noted("calls"), calls) << "the same questions are asked";
  EXPECT_LE(noted("pythons"), calls / 2);
  check("bad", stays(), {"--confirm", "0", "--no-repro", "--no-localize"});
  EXPECT_GE(noted("calls"), 8U);
  EXPECT_LE(noted("pythons"), 4U) << "one for the search; the control and the making again have their own";
}

TEST_F(StayingPrograms, ACrashIsToldAndTheSearchGoesOn) {
  const Ran ran = check("crash", stays(), {"--no-repro"});
  EXPECT_THAT(ran.report["models"][0]["faults"][0]["culprits"], ElementsAre("crash"));
  EXPECT_THAT(ran.report["models"][0]["faults"][0]["message"].get<std::string>(), HasSubstr("SIGSEGV"));
}

TEST_F(StayingPrograms, WhatHangsIsEndedAndTheSearchGoesOn) {
  const Ran ran = check("hang", stays(), {"--no-repro"});
  EXPECT_THAT(ran.report["models"][0]["faults"][0]["culprits"], ElementsAre("hang"));
  EXPECT_THAT(ran.report["models"][0]["faults"][0]["message"].get<std::string>(), HasSubstr("over its limit of 1.0 s"));
}

TEST_F(StayingPrograms, WhatWasRaisedIsTheHeadlineStayingOrNot) {
  for (const std::string& how : {stays(), std::string()}) {
    const Ran ran = check("throw", how, {"--no-repro"});
    const json& fault = ran.report["models"][0]["faults"][0];
    EXPECT_THAT(fault["culprits"], ElementsAre("throw"));
    EXPECT_THAT(fault["message"].get<std::string>(),
                HasSubstr("ValueError: no such axis; the program ended with exit status 1"));
  }
}

TEST_F(StayingPrograms, OneThatMakesNoSenseIsNotBelieved) {
  const json plain = found(check("bad", "", {"--no-repro"}));
  for (const char* liar : {"[sh, -c, 'exit 3']", "[sh, -c, 'while read line; do echo fine; done']",
                           "[/no/such/program]", "[sh, -c, 'read line; exit']"})
    EXPECT_EQ(found(check("bad", std::string("stays: ") + liar + "\n", {"--no-repro"})), plain) << liar;
}

}  // namespace
}  // namespace culprit::testing
