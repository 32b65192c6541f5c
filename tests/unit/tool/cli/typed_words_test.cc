// What people type that is nearly right, or short for something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_line.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

std::string complaint_about(const Words& words) {
  const auto command = parse_command_line(words);
  EXPECT_FALSE(command);
  return command ? "" : command.error().text();
}

TEST(TypedWords, HelpIsACommandToo) {
  const auto help = [](const Words& words) { return std::get<ShowHelp>(*parse_command_line(words)).text; };
  EXPECT_EQ(help({"help"}), help({"--help"}));
  EXPECT_EQ(help({"help", "reduce"}), help({"reduce", "--help"}));
  EXPECT_THAT(complaint_about({"help", "chek"}), HasSubstr("did you mean check?"));
  EXPECT_TRUE(std::holds_alternative<ShowVersion>(*parse_command_line({"-v"})));
}

TEST(TypedWords, WhatIsMissingIsCalledAsPeopleTypeIt) {
  EXPECT_THAT(complaint_about({"optimize", "m.onnx"}), HasSubstr("-o, --output is required"));
  EXPECT_THAT(complaint_about({"check"}), HasSubstr("MODEL is required"));
  EXPECT_THAT(complaint_about({"data", "show"}), HasSubstr("no model is named"));
}

TEST(TypedWords, DataTakesAModelAlone) {
  EXPECT_EQ(std::get<DataArguments>(*parse_command_line({"data", "m.onnx"})).model, "m.onnx");
  EXPECT_EQ(std::get<DataArguments>(*parse_command_line({"data", "show", "m.onnx"})).model, "m.onnx");
  EXPECT_THAT(complaint_about({"data", "shwo", "m.onnx"}), HasSubstr("did you mean show?"));
}

TEST(TypedWords, TasksAreKnownBeforeAnythingIsRun) {
  EXPECT_THAT(complaint_about({"check", "m.onnx", "--task", "detect"}), HasSubstr("did you mean detection?"));
  EXPECT_TRUE(parse_command_line({"check", "m.onnx", "--task", "auto"}));
}

}  // namespace
}  // namespace culprit
