// What people type that is nearly right, or short for something.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <vector>

#include "base/as_index.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/flag_words.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
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

TEST(TypedWords, HelpHasWhatMostNeedAndAllOnDemand) {
  const auto help = [](const Words& words) { return std::get<ShowHelp>(*parse_command_line(words)).text; };
  const std::string most = help({"check", "--help"}), all = help({"check", "--help", "all"});
  EXPECT_EQ(all, help({"help", "check", "all"}));
  EXPECT_EQ(all, help({"check", "-h", "all"}));
  EXPECT_THAT(most, AllOf(HasSubstr("--data PATH"), HasSubstr("`culprit help check all` shows all "),
                          Not(HasSubstr("--custom-ops")), Not(HasSubstr("Running ("))));
  EXPECT_THAT(all, AllOf(HasSubstr("--custom-ops"), HasSubstr("Running ("), Not(HasSubstr("shows all"))));
  EXPECT_THAT(help({"replay", "--help"}), AllOf(HasSubstr("--tries N"), Not(HasSubstr("shows all"))));
}

TEST(TypedWords, EveryHelpHasTwoExamplesAndItsExitCodes) {
  for (const CommandOutline& command : outline_of_commands()) {
    if (command.name.empty()) continue;
    const std::string help = std::get<ShowHelp>(*parse_command_line({command.name, "--help"})).text;
    EXPECT_THAT(help, HasSubstr("Exit codes: 0 ")) << command.name;
    const auto examples = help.substr(help.find("Examples:\n"));
    EXPECT_GE(std::ranges::count(examples, '\n'), 3) << command.name;
    EXPECT_LE(std::ranges::count(help, '\n'), 75) << command.name;
  }
}

TEST(TypedWords, EveryFlagHasOneWordingInAllCommandsWithItsDefaultLast) {
  std::set<std::string> used;
  for (const CommandOutline& command : outline_of_commands()) {
    for (const OptionOutline& option : command.options) {
      const auto name = std::ranges::find_if(option.names, [](const auto& one) { return one.starts_with("--"); });
      if (name == option.names.end() || *name == "--help") continue;
      const auto without_default = [](std::string_view text) { return text.substr(0, text.find(" (default: ")); };
      EXPECT_EQ(without_default(option.help), without_default(words_of_flag(*name))) << command.name;
      used.insert(*name);
    }
  }
  const std::set<std::string> hidden{"--frozen", "--reweight", "--undirected"};
  for (const FlagWords& words : flag_words()) {
    EXPECT_TRUE(used.contains(std::string(words.name)) || hidden.contains(std::string(words.name))) << words.name;
    const auto begin = words.help.find("default:");
    EXPECT_TRUE(begin == std::string_view::npos || words.help.ends_with(')')) << words.name;
    EXPECT_EQ(words.help.find("(default "), std::string_view::npos) << words.name;
  }
  EXPECT_TRUE(std::ranges::is_sorted(flag_words(), {}, &FlagWords::name));
  EXPECT_THROW((void)words_of_flag("--nobody"), std::logic_error);
}

TEST(TypedWords, HelpIsAsWideAsTheTerminal) {
  for (const int width : {60, 80, 110}) {
    const std::string help = std::get<ShowHelp>(*parse_command_line({"check", "--help", "all"}, width)).text;
    std::size_t widest = 0;
    for (const std::string& line : split(help.substr(0, help.find("Examples:")), '\n'))
      widest = std::max(widest, line.size());
    EXPECT_LE(widest, as_index(width));
    EXPECT_GT(widest, as_index(width) - 12);
  }
}

TEST(TypedWords, AFlagMayHaveAnotherDefaultInACommand) {
  const auto help = [](const char* name) {
    return std::get<ShowHelp>(*parse_command_line({name, "--help", "all"})).text;
  };
  EXPECT_THAT(help("reduce"), HasSubstr("(default: 2m)"));
  EXPECT_THAT(help("check"), Not(HasSubstr("(default: 2m)")));
  EXPECT_THAT(help("known"), HasSubstr("(default: known.json)"));
}

TEST(TypedWords, FlagsOfOthersAndFilesForCommandsAreKnown) {
  EXPECT_THAT(complaint_about({"check", "m.onnx", "--variant", "b.onnx"}), HasSubstr("`culprit localize` has it"));
  EXPECT_THAT(complaint_about({"compare", "m.onnx"}), HasSubstr("such as `culprit compare model.onnx optimized.onnx`"));
  EXPECT_THAT(complaint_about({"/etc/passwd"}), HasSubstr("such as `culprit check /etc/passwd`"));
}

TEST(TypedWords, WhatMakesExitCodeOneIsSaid) {
  const auto fails_on = [](const Words& words) { return std::get<CheckArguments>(*parse_command_line(words)).fail_on; };
  EXPECT_EQ(fails_on({"check", "m.onnx"}), FailOn::fault);
  EXPECT_EQ(fails_on({"check", "m.onnx", "--fail-on", "any"}), FailOn::any);
  EXPECT_EQ(fails_on({"localize", "m.onnx", "--passes", "a", "--fail-on", "weak"}), FailOn::weak);
  EXPECT_THAT(complaint_about({"check", "m.onnx", "--fail-on", "al"}), HasSubstr("--fail-on al"));
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
  EXPECT_THAT(complaint_about({"data", "show", "m.onnx", "--split", "test"}), HasSubstr("--split says nothing here"));
  EXPECT_THAT(complaint_about({"data", "show", "m.onnx", "--encoder", "e"}), HasSubstr("--encoder says nothing here"));
}

TEST(TypedWords, TextsToPrepareAreNamedInEitherPlace) {
  for (const std::vector<std::string>& named :
       {std::vector<std::string>{"hf:org/texts"}, std::vector<std::string>{"--data", "hf:org/texts"}}) {
    std::vector<std::string> words{"data", "prepare", "--tokenizer", "t", "-o", "o", "--split", "s", "--config", "de"};
    words.insert(words.end(), named.begin(), named.end());
    const auto parsed = parse_command_line(words);
    ASSERT_TRUE(parsed) << parsed.error().text();
    const auto& prepare = std::get<DataArguments>(*parsed).prepare;
    ASSERT_TRUE(prepare);
    EXPECT_EQ("hf:org/texts", prepare->texts);
    EXPECT_EQ("s", prepare->how.split);
    EXPECT_EQ("de", prepare->how.config);
  }
  EXPECT_THAT(complaint_about({"data", "prepare", "a", "--data", "b", "--tokenizer", "t", "-o", "o"}),
              HasSubstr("--data says nothing here"));
}

TEST(TypedWords, TasksAreKnownBeforeAnythingIsRun) {
  EXPECT_THAT(complaint_about({"check", "m.onnx", "--task", "detect"}), HasSubstr("did you mean detection?"));
  EXPECT_TRUE(parse_command_line({"check", "m.onnx", "--task", "auto"}));
}

}  // namespace
}  // namespace culprit
