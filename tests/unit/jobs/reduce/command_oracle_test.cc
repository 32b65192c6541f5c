// What the exit code of --check means.
#include "reduce/command_oracle.h"

#include "base/file.h"
#include "fakes.h"
#include "unit/jobs/check/fake_executor.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class Commands : public testing::Test {
 protected:
  Commands() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-command").value()) {}

  std::unique_ptr<CommandOracle> oracle(const std::string& command) {
    CommandOptions options;
    options.command = command;
    options.folder = folder_.path();
    return std::make_unique<CommandOracle>(executor_, options);
  }
  static Result<std::vector<Answer>> ask(CommandOracle& oracle) {
    const std::vector<Case> one{case_of(2)};
    return oracle.ask(one, true);
  }
  bool is_there(const std::string& command) { return ask(*oracle(command)).value().front() == Answer::yes; }
  std::string refusal_of(const std::string& command) {
    const auto answers = ask(*oracle(command));
    if (answers) return answers->front() == Answer::yes ? "yes" : "no";
    EXPECT_EQ(answers.error().kind, ErrorKind::usage);
    return answers.error().text();
  }

  TemporaryFolder folder_;
  FakeExecutor executor_;
};

TEST_F(Commands, TheExitCodeIsTheVerdict) {
  EXPECT_TRUE(is_there("true"));
  EXPECT_FALSE(is_there("false"));
  EXPECT_FALSE(is_there("exit 3"));
  EXPECT_TRUE(is_there("test -s {model}"));
}

TEST_F(Commands, AnExclamationMarkTurnsItRound) {
  EXPECT_TRUE(is_there("! false"));
  EXPECT_TRUE(is_there("  ! (exit 3)"));
  EXPECT_FALSE(is_there("! true"));
  EXPECT_FALSE(is_there("! test -s {model}"));
  EXPECT_FALSE(is_there("! (! false)"));
  EXPECT_TRUE(is_there("! sh -c 'kill -SEGV $$'")) << "a crash is a failure, too";
  EXPECT_TRUE(is_there("! false # for a reason"));
  EXPECT_TRUE(is_there("! true | grep -q 'a && b; c'"));
  EXPECT_TRUE(is_there("! false > /dev/null 2>&1"));
  EXPECT_FALSE(is_there("! { true; true; }"));
}

TEST_F(Commands, OfSeveralItTurnsTheFirstRoundAsTheShellDoes) {
  EXPECT_FALSE(is_there("! false && false"));
  EXPECT_TRUE(is_there("! true || true"));
  EXPECT_TRUE(is_there("! true; true"));
  EXPECT_FALSE(is_there("! false && exit 5"));
}

TEST_F(Commands, WhatTheShellDoesNotFindIsAnErrorAndNoAnswer) {
  for (const char* command : {"no-such-command {model}", "! no-such-command {model}", "! true | no-such-command",
                              "! (cd / && no-such-command)"}) {
    EXPECT_THAT(refusal_of(command), HasSubstr("exit code 127")) << command;
    EXPECT_THAT(refusal_of(command), HasSubstr(printable(command))) << command;
  }
  EXPECT_THAT(refusal_of("! /dev/null {model}"), HasSubstr("exit code 126"));
}

TEST_F(Commands, LaterItIsNo) {
  const std::string mark = (folder_.path() / "ran").string();
  const auto asked = oracle("! (test -e " + mark + " && exit 127; touch " + mark + "; exit 1)");
  EXPECT_EQ(ask(*asked).value(), std::vector<Answer>{Answer::yes});
  EXPECT_EQ(ask(*asked).value(), std::vector<Answer>{Answer::no});
}

TEST_F(Commands, AreNotAskedAboutUntrueTypesUnlessTheyWereThereAtFirst) {
  executor_.types_complaint = "Inferred shape and existing shape differ in dimension 2: (5) vs (3)";
  const auto asked = oracle("true {model}");
  EXPECT_EQ(ask(*asked).value(), std::vector<Answer>{Answer::mistyped});
  ASSERT_TRUE(asked->accept_complaint_of(case_of(2)));
  EXPECT_EQ(ask(*asked).value(), std::vector<Answer>{Answer::yes});
}

TEST(CommandLine, FillsInItsPlacesForTheShell) {
  EXPECT_EQ(command_line("x {model} -d {data} {model}", "/a b"),
            "x '/a b/model.onnx' -d '/a b/test_data_set_0' '/a b/model.onnx'");
  EXPECT_EQ(command_line("{model}", "/it's"), "'/it'\\''s/model.onnx'");
}

}  // namespace
}  // namespace culprit
