// Programs that answer lines, or do something else.
#include "process/line_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class LineProgramTest : public ::testing::Test {
 protected:
  void SetUp() override { before_ = std::signal(SIGPIPE, SIG_IGN); }
  void TearDown() override { std::signal(SIGPIPE, before_); }

  LineProgram program(const std::vector<std::string>& words, double seconds = 20, Stop stop = {}) {
    auto started =
        LineProgram::start({words, folder_.path(), {}, true}, {folder_.path(), {seconds, 0}, std::move(stop)});
    EXPECT_TRUE(started) << started.error().text();
    return std::move(*started);
  }
  LineProgram shell(const std::string& script, double seconds = 20, Stop stop = {}) {
    return program({"/bin/sh", "-c", script}, seconds, std::move(stop));
  }
  std::string complaint(const std::string& script, double seconds = 20) {
    LineProgram made = shell(script, seconds);
    const auto answer = made.ask("question");
    EXPECT_FALSE(answer) << *answer;
    return answer ? "" : answer.error().text();
  }
  /// The process whose number a script wrote into a file is gone, soon.
  void expect_gone(const std::string& name) {
    pid_t pid = 0;
    std::ifstream(folder_.path() / name) >> pid;
    ASSERT_GT(pid, 0);
    bool is_gone = false;
    for (int i = 0; i < 1000 && !is_gone; ++i) {
      std::string state;
      std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
      stat >> state >> state >> state;
      is_gone = !stat || state == "Z" || state == "X";
      if (!is_gone) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    EXPECT_TRUE(is_gone) << name;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-lines").value();
  void (*before_)(int) = SIG_DFL;
};

TEST_F(LineProgramTest, AnswersLineByLine) {
  LineProgram echo = shell("while read line; do echo \"<$line>\"; done");
  EXPECT_EQ(echo.ask("one").value(), "<one>");
  EXPECT_EQ(echo.ask("two").value(), "<two>");
  const std::string big(300'000, 'x');
  LineProgram counts = shell("while read -r line; do echo ${#line}; done");
  EXPECT_EQ(counts.ask(big).value(), "300000") << "more than a pipe holds";
}

TEST_F(LineProgramTest, MayPrintALineBeforeItIsAsked) {
  LineProgram hello = shell("echo hello; while read line; do echo $line; done");
  EXPECT_EQ(hello.ask("one").value(), "hello");
  EXPECT_EQ(hello.next_line().value(), "one");
  EXPECT_EQ(hello.ask("two").value(), "two");
}

TEST_F(LineProgramTest, WhatItDoesInsteadIsSaid) {
  EXPECT_THAT(complaint("read line; echo 'no such word' >&2; exit 3"), HasSubstr("exit status 3"));
  EXPECT_THAT(complaint("read line; echo 'no such word' >&2; exit 3"), HasSubstr("its last words: no such word"));
  EXPECT_THAT(complaint("read line; kill -SEGV $$"), HasSubstr("killed by SIGSEGV"));
  EXPECT_THAT(complaint("exit 0"), HasSubstr("it ended before it answered"));
  EXPECT_THAT(complaint("exec >&-; sleep 1000"), HasSubstr("closed its stdout"));
  EXPECT_THAT(complaint("read line; sleep 1000", 0.3), HasSubstr("it sleeps or waits"));
  EXPECT_THAT(complaint("while :; do :; done", 0.3), HasSubstr("of CPU time"));
  EXPECT_THAT(complaint("read line; while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done"),
              HasSubstr("its line has more than 65.5 KB"));
  EXPECT_THAT(complaint("seq 10000 >&2; echo the reason >&2; exit 1"), ::testing::EndsWith("10000 the reason"));
  LineProgram nothing = program({"/no/such/program"});
  const auto answer = nothing.ask("question");
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().text(), HasSubstr("cannot start '/no/such/program': No such file"));
}

TEST_F(LineProgramTest, MoreLinesThanQuestionsAreAnError) {
  LineProgram twice = shell("while read line; do echo $line; echo again; touch said; done");
  EXPECT_EQ(twice.ask("one").value(), "one");
  while (!fs::exists(folder_.path() / "said")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto second = twice.ask("two");
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().text(), HasSubstr("more than one line for a question: again"));
}

TEST_F(LineProgramTest, InheritsNoFileOfOurs) {
  const Fd open(::dup(STDERR_FILENO));
  LineProgram lists = shell("read line; ls /proc/self/fd | tr '\\n' ' '; echo");
  EXPECT_EQ(lists.ask("which?").value(), "0 1 2 3 ") << "3 is the folder that ls reads";
}

TEST_F(LineProgramTest, ACallerWhoIsStoppedWaitsNoMore) {
  LineProgram sleeper = shell("sleep 1000", 100, [] { return true; });
  const auto answer = sleeper.ask("question");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, ErrorKind::interrupted);
}

TEST_F(LineProgramTest, NothingOfItIsLeftBehind) {
  {
    LineProgram family = shell(
        "setsid sh -c 'echo $$ > orphan; exec sleep 1000' & sleep 1000 & echo $! > child; "
        "echo $$ > self; while ! [ -s orphan ]; do sleep 0.01; done; "
        "while read line; do echo $line; done; sleep 1000");
    EXPECT_EQ(family.ask("one").value(), "one");
  }
  for (const char* one : {"orphan", "child", "self"}) expect_gone(one);
}

TEST_F(LineProgramTest, HearsThatNothingMoreComes) {
  {
    LineProgram writes = shell("while read line; do echo $line; done; echo end > ended");
    EXPECT_EQ(writes.ask("one").value(), "one");
  }
  EXPECT_TRUE(fs::exists(folder_.path() / "ended"));
}

}  // namespace
}  // namespace culprit
