// Children and what is known of them from outside, with forks of the test itself.
#include "process/child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "base/file.h"
#include "process/process_table.h"

namespace culprit {
namespace {

class ChildTest : public ::testing::Test {
 protected:
  ChildTest() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-child").value()) {}

  Child start(const std::function<void(Channel&)>& body, bool leads_session = false) {
    auto log = LogFile::create(folder_.path()).value();
    auto pair = make_channel().value();
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (leads_session) ::setsid();
      pair.ours.close();
      ::dup2(log.fd(), STDERR_FILENO);
      Channel channel(std::move(pair.theirs));
      body(channel);
      ::_exit(5);
    }
    return Child(pid, std::move(pair.ours), std::move(log), leads_session);
  }

  static void until_over(Child& child) {
    while (!child.over()) {
      wait_for({&child}, {}, child.milliseconds());
      child.check_limits();
    }
  }

  TemporaryFolder folder_;
};

void for_ever() {
  while (true) ::pause();
}

TEST_F(ChildTest, TellsHowItEnded) {
  Child child = start([](Channel& channel) {
    channel.send_now("said before");
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, "last words", 10);
  });
  until_over(child);
  EXPECT_EQ(child.channel().next(), "said before");
  const Failure failure = child.bury();
  EXPECT_EQ(failure.ending, Ending::exited);
  EXPECT_EQ(failure.message, "ended with exit status 5 before it was done");
  EXPECT_EQ(failure.last_words, "last words");
}

TEST_F(ChildTest, TellsASigkillOfOthersFromOurOwn) {
  Child killed = start([](Channel&) { ::raise(SIGKILL); });
  until_over(killed);
  EXPECT_EQ(killed.bury().ending, Ending::out_of_memory);
  Child condemned = start([](Channel&) { for_ever(); });
  condemned.condemn({Ending::timed_out, "too long", ""});
  condemned.condemn({Ending::crashed, "a later reason", ""});
  EXPECT_TRUE(condemned.over());
  EXPECT_EQ(condemned.bury().message, "too long");
  Child deaf = start([](Channel& channel) {
    channel.close();
    for_ever();
  });
  until_over(deaf);
  EXPECT_EQ(deaf.bury().message, "closed its connection before it was done");
}

// Its socket closes a moment before it ends: the kill of ours that follows must not hide what ended it.
TEST_F(ChildTest, WhatEndsAfterItsChannelTellsHow) {
  Child child = start([](Channel& channel) {
    channel.close();
    ::usleep(50'000);
    ::raise(SIGKILL);
  });
  until_over(child);
  EXPECT_EQ(child.bury().ending, Ending::out_of_memory);
}

TEST_F(ChildTest, ADeathIsSeenAlsoWhereAGrandchildHoldsTheChannel) {
  Child child = start(
      [](Channel&) {
        if (::fork() == 0) for_ever();
        ::_exit(6);
      },
      true);
  until_over(child);
  EXPECT_FALSE(child.channel().ended());
  EXPECT_EQ(child.bury().message, "ended with exit status 6 before it was done");
}

TEST_F(ChildTest, IsKilledAndWaitedForAtTheEnd) {
  pid_t pid = -1;
  {
    const Child child = start([](Channel&) { for_ever(); });
    pid = child.pid();
  }
  EXPECT_EQ(::waitpid(pid, nullptr, WNOHANG), -1);
  EXPECT_EQ(::kill(pid, 0), -1);
}

TEST_F(ChildTest, OneThatComputesIsOverItsLimit) {
  Child child = start([](Channel&) {
    for (volatile bool go = true; go;) {
    }
  });
  child.watch({0.1, 0});
  until_over(child);
  const Failure failure = child.bury();
  EXPECT_EQ(failure.ending, Ending::timed_out);
  EXPECT_THAT(failure.message, ::testing::HasSubstr("of CPU time)"));
}

TEST_F(ChildTest, OneThatSleepsIsOverItsLimitToo) {
  Child child = start([](Channel&) { for_ever(); });
  child.watch({0.1, 0});
  until_over(child);
  EXPECT_THAT(child.bury().message, ::testing::HasSubstr("sleeps or waits"));
}

TEST_F(ChildTest, ZeroIsNoLimit) {
  Child child = start([](Channel&) { for_ever(); });
  child.watch({0, 0});
  for (int i = 0; i < 3; ++i) {
    wait_for({&child}, {}, 10);
    child.check_limits();
  }
  EXPECT_FALSE(child.over());
}

TEST(ProcessTable, KnowsTheUsageOfAProcess) {
  const auto usage = usage_of(::getpid());
  ASSERT_TRUE(usage);
  EXPECT_GT(usage->resident_bytes, 100'000u);
  EXPECT_GE(usage->cpu_seconds, 0);
  EXPECT_FALSE(usage_of(-1));
}

}  // namespace
}  // namespace culprit
