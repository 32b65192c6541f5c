#include "cli/commands/optimizers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/ask_for_steps.h"

namespace culprit {
namespace {

using testing::HasSubstr;

const Harvest four_steps{"1.31.1",
                         {{"ConstantFolding", StepKind::transformer, Level::basic, StepProof::by_log},
                          {"MemcpyTransformer", StepKind::transformer, Level::off, StepProof::always_runs},
                          {"Pad_Fusion", StepKind::rule, Level::basic, StepProof::by_model},
                          {"ClipQuantRewrite", StepKind::rule, Level::extended, StepProof::none}}};

TEST(Optimizers, StepsAreATable) {
  EXPECT_EQ(steps_as_text(four_steps, "/lib/libonnxruntime.so", 80),
            "ONNX Runtime 1.31.1, /lib/libonnxruntime.so\n"
            "\n"
            "step               kind         level     can be switched off\n"
            "ConstantFolding    transformer  basic     yes, as the log shows\n"
            "MemcpyTransformer  transformer  off       no, it always runs\n"
            "Pad_Fusion         rule         basic     yes, as a model shows\n"
            "ClipQuantRewrite   rule         extended  not known\n"
            "\n"
            "2 transformers and 2 rules; 2 can be switched off, 1 always run, of 1 it is not\n"
            "known.\n"
            "A rule runs inside of a container, and is off where that is. To switch steps off\n"
            "in Python:\n"
            "options.add_session_config_entry(\"optimization.disable_specified_optimizers\",\n"
            "\"ConstantFolding;Pad_Fusion\"), names with ';' between and no spaces; a name that\n"
            "the library does not know is ignored without a word.\n");
}

TEST(Optimizers, WhatTheChildWritesIsReadBack) {
  const auto read = harvest_from_json(to_json(four_steps));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), to_json(four_steps));
}

TEST(Optimizers, NothingThatTheChildWritesIsBelieved) {
  for (const char* text :
       {"", "[]", "{}", R"({"version": 1, "steps": []})", R"({"version": "1", "steps": [1]})",
        R"({"version": "1", "steps": [{"name": "a", "kind": "b", "level": "all", "proof": "none"}]})",
        R"({"version": "1", "steps": [{"name": "a", "kind": "rule", "level": "x", "proof": "none"}]})"}) {
    const auto read = harvest_from_json(text);
    ASSERT_FALSE(read) << text;
    EXPECT_THAT(read.error().message, HasSubstr("makes no sense")) << text;
  }
}

TEST(Optimizers, AreKnownByName) {
  EXPECT_EQ(resolve(OptimizersFlags{"onnxruntime", "1.30.0", "json"})->runtime, "1.30.0");
  EXPECT_TRUE(resolve(OptimizersFlags{})->name.empty());
  EXPECT_THAT(resolve(OptimizersFlags{"onnxruntim", "", ""}).error().text(), HasSubstr("did you mean 'onnxruntime'?"));
  EXPECT_FALSE(resolve(OptimizersFlags{"", "", "xml"}));
}

}  // namespace
}  // namespace culprit
