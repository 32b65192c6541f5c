// The two ways in which children begin.
#include "process/start_child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class StartChild : public ::testing::Test {
 protected:
  Child shell(const std::string& script) {
    auto child = start_program("/bin/sh", {"-c", script}, folder_.path());
    EXPECT_TRUE(child) << child.error().text();
    return std::move(*child);
  }
  static void wait_until_over(Child& child) {
    while (!child.over()) wait_for({&child}, {}, 20);
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-start").value();
};

TEST_F(StartChild, AProgramReadsNothingAndItsLastWordsAreKept) {
  Child child = shell("cat; echo said; echo more >&2; exit 3");
  wait_until_over(child);
  const Failure end = child.bury();
  EXPECT_EQ(end.ending, Ending::exited);
  EXPECT_THAT(end.message, HasSubstr("exit status 3"));
  EXPECT_EQ(end.last_words, "said\nmore\n");
  EXPECT_TRUE(fs::is_empty(folder_.path())) << "the log has no name";
}

TEST_F(StartChild, AProgramInheritsNoFileButItsChannel) {
  const Fd open(::dup(STDERR_FILENO));
  Child child = shell("ls /proc/self/fd | tr '\\n' ' '");
  wait_until_over(child);
  EXPECT_EQ(trim(child.bury().last_words), "0 1 2 3 4") << "4 is the folder that ls reads";
}

TEST_F(StartChild, WhatAProgramStartedIsBuriedWithIt) {
  pid_t inner = 0;
  {
    Child child = shell("sleep 1000 & echo $!; exec 3>&-; wait");
    while (child.log().last_words().empty()) ::usleep(2000);
    inner = std::stoi(child.log().last_words());
    EXPECT_EQ(::kill(inner, 0), 0);
  }
  for (int i = 0; i < 500 && ::kill(inner, 0) == 0; ++i) ::usleep(2000);  // until its new parent has waited for it
  const std::string stat = read_file("/proc/" + std::to_string(inner) + "/stat").value_or("gone");
  EXPECT_TRUE(stat == "gone" || stat.find(") Z ") != std::string::npos) << stat;
}

TEST_F(StartChild, WhatIsNotThereIsAnError) {
  const auto child = start_program(folder_.path() / "none", {}, folder_.path());
  ASSERT_FALSE(child);
  EXPECT_THAT(child.error().message, HasSubstr("cannot start"));
}

TEST_F(StartChild, AForkSpeaksToUsAndEndsWithItsBody) {
  auto child = start_fork([](Channel& channel) { channel.send_now("word"); }, folder_.path(), {});
  ASSERT_TRUE(child);
  wait_until_over(*child);
  EXPECT_EQ(child->channel().next(), "word");
  EXPECT_THAT(child->bury().message, HasSubstr("exit status 0"));
}

TEST_F(StartChild, AForkIsHeldToItsLimits) {
  const auto sleep = [](Channel&) {
    while (true) ::usleep(100000);
  };
  auto child = start_fork(sleep, folder_.path(), {0.2, 0});
  ASSERT_TRUE(child);
  while (!child->over()) {
    wait_for({&*child}, {}, child->milliseconds());
    child->check_limits();
  }
  EXPECT_EQ(child->bury().ending, Ending::timed_out);
}

}  // namespace
}  // namespace culprit
