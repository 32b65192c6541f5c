// `--optimizer onnxruntime` as users meet it: the warning that leads to it, the same report twice, the model that
// `optimize` writes, a repro, and what is refused. The model is one of the examples, a Pad in front of a MaxPool.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "model/model.h"
#include "support/tool.h"
#include "support/weights_outside.h"

namespace culprit::testing {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string detector_example = std::string(CULPRIT_SOURCE) + "/examples/detector.onnx";

/// Times, sizes in memory, and places go.
void forget_what_differs(json& value) {
  if (value.is_array())
    for (json& inner : value) forget_what_differs(inner);
  if (!value.is_object()) return;
  for (const char* key : {"seconds", "seconds_optimize", "seconds_run", "rewrites_seconds", "spent", "memory",
                          "command", "file", "repro", "processes", "peak_bytes"})
    value.erase(key);
  for (auto& [key, inner] : value.items()) forget_what_differs(inner);
}

TEST(RuntimeOptimizer, TheWarningEndsWithTheCommandThatNamesTheStep) {
  const Ran ran = culprit_check({detector_example, "--each", "nop", "--seed", "3"});
  ASSERT_FALSE(ran.report.is_null()) << ran.err;
  std::string command;
  for (const json& warning : ran.report["models"][0]["warnings"]) {
    if (warning["code"] != "runtime_changes_values") continue;
    const auto message = warning["message"].get<std::string>();
    command = message.substr(message.find("culprit localize"));
  }
  EXPECT_EQ(command, "culprit localize " + detector_example + " --optimizer onnxruntime --seed 3");
  auto words = split(command, ' ');
  words.erase(words.begin());
  words.push_back("--no-repro");
  const Ran named = culprit(words);
  EXPECT_EQ(named.exit, 1);
  EXPECT_THAT(named.out,
              AllOf(HasSubstr("F1  wrong  Pad_Fusion"),
                    HasSubstr("options.add_session_config_entry(\"optimization.disable_specified_optimizers\", "
                              "\"Pad_Fusion\")\n")));
}

TEST(RuntimeOptimizer, NoWordIsOfAnotherOptimizer) {
  const Ran ran = culprit_check({detector_example, "--optimizer", "onnxruntime", "--no-localize", "--verbose"});
  EXPECT_THAT(ran.out, AllOf(Not(HasSubstr(" pass")), Not(HasSubstr("bundle")), HasSubstr("level all")));
  EXPECT_EQ(ran.report["environment"]["optimizer"]["name"], "onnxruntime");
  EXPECT_THAT(ran.report["environment"]["optimizer"]["steps"], ::testing::Contains("Pad_Fusion"));
}

TEST(RuntimeOptimizer, TwoRunsGiveTheSameReport) {
  Ran one = culprit_check({detector_example, "--optimizer", "onnxruntime"});
  Ran other = culprit_check({detector_example, "--optimizer", "onnxruntime"});
  forget_what_differs(one.report);
  forget_what_differs(other.report);
  EXPECT_EQ(one.report, other.report);
}

TEST(RuntimeOptimizer, LevelsBelowAreExplainedAsWell) {
  const Ran ran = culprit_check({detector_example, "--optimizer", "onnxruntime", "--no-localize"});
  const json& faults = ran.report["models"][0]["faults"];
  ASSERT_EQ(faults.size(), 1U);
  std::vector<std::string> levels;
  for (const json& variant : ran.report["models"][0]["variants"]) {
    const auto& listed = faults[0]["variants"];
    if (std::ranges::find(listed, variant["id"]) != listed.end() && variant["recipe"]["disabled"].empty())
      levels.push_back(variant["recipe"]["level"]);
  }
  EXPECT_THAT(levels, ::testing::IsSupersetOf({"basic", "extended", "all"}));
}

TEST(RuntimeOptimizer, WritesTheModelThatIsRight) {
  const auto folder = scratch();
  const fs::path out = folder.path() / "right.onnx";
  const Ran ran = culprit({"optimize", detector_example, "--optimizer", "onnxruntime", "-o", out.string(), "--run-dir",
                           (folder.path() / "run").string()});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("level all without Pad_Fusion"), HasSubstr("verified on 3 samples without"),
                             HasSubstr("the runtime breaks it again")))
      << "the Pad is still there, and is fused again when the file is loaded";
  EXPECT_TRUE(load_model(out));
  const Ran compared = culprit({"compare", detector_example, out.string()});
  EXPECT_EQ(compared.exit, 0) << compared.out;
}

/// A clean model, with its weights in a file of their own.
TEST(RuntimeOptimizer, WeightsOutsideTheModelAreFound) {
  const auto folder = scratch();
  const fs::path file = folder.path() / "model.onnx";
  ASSERT_NO_FATAL_FAILURE(write_with_weights_outside(file));
  const fs::path out = folder.path() / "out" / "model.onnx";
  fs::create_directory(out.parent_path());
  const Ran ran = culprit({"optimize", file.string(), "--optimizer", "onnxruntime", "-o", out.string(), "--run-dir",
                           (folder.path() / "run").string()});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("verified on 3 samples without and with ONNX Runtime's optimizations (off, all)"));
  EXPECT_EQ(culprit({"compare", file.string(), out.string()}).exit, 0);
}

TEST(RuntimeOptimizer, WithoutTimeNothingIsBlamedOnAPartThatNobodyTried) {
  const Ran ran = culprit_check({detector_example, "--optimizer", "onnxruntime", "--budget", "1ms", "--no-localize"});
  EXPECT_THAT(ran.out, Not(HasSubstr("no part of it does")));
  EXPECT_THAT(ran.out, Not(HasSubstr(" then ")));
}

TEST(RuntimeOptimizer, ItsReproIsStillThereAndNamesNoOtherPackage) {
  const auto folder = scratch();
  const std::string run = (folder.path() / "run").string();
  EXPECT_EQ(culprit({"localize", detector_example, "--optimizer", "onnxruntime", "--run-dir", run}).exit, 1);
  const Ran replayed = culprit({"replay", run + "/repro/F1"});
  EXPECT_EQ(replayed.exit, 1);
  EXPECT_THAT(replayed.out, HasSubstr("still there (3/3)"));
  const auto text = read_file(run + "/repro/F1/README.md", 1 << 20);
  ASSERT_TRUE(text);
  EXPECT_THAT(*text, AllOf(HasSubstr("pip install numpy onnx onnxruntime\n"), Not(HasSubstr("ONNX Optimizer"))));
}

TEST(RuntimeOptimizer, WhatMakesNoSenseIsRefused) {
  const auto refused = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), {"check", detector_example, "--optimizer", "onnxruntime"});
    const Ran ran = culprit(flags);
    EXPECT_EQ(ran.exit, 2) << ran.out;
    return ran.err;
  };
  EXPECT_THAT(refused({"--deploy-level", "off"}), HasSubstr("--deploy-level off contradict each other"));
  EXPECT_THAT(refused({"--repeat", "stable"}), HasSubstr("--repeat contradict each other"));
  EXPECT_THAT(refused({"--each", "PadFusion"}), HasSubstr("there is no step 'PadFusion'. did you mean 'Pad_Fusion'?"));
  EXPECT_THAT(refused({"--each", "Level1_RuleBasedTransformer"}), HasSubstr("only holds rules"));
  EXPECT_THAT(refused({"--each", "fuse_bn_into_conv"}), HasSubstr("`culprit optimizers onnxruntime` lists them"));
  const Ran other = culprit({"check", detector_example, "--optimizer", "onnxruntim"});
  EXPECT_EQ(other.exit, 2);
  EXPECT_THAT(other.err, HasSubstr("onnxruntim"));
}

}  // namespace
}  // namespace culprit::testing
