#include "process/how_it_ended.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <new>
#include <stdexcept>

namespace culprit {
namespace {

constexpr int exited_with(int status) { return status << 8; }  // as wait(2) gives it
constexpr int killed_by(int signal) { return signal; }

TEST(Ending, OfWaitStatuses) {
  struct Case {
    int status;
    Ending ending;
    const char* message;
  };
  for (const Case& one :
       {Case{exited_with(0), Ending::exited, "ended with exit status 0 before it was done"},
        Case{exited_with(3), Ending::exited, "ended with exit status 3 before it was done"},
        Case{killed_by(SIGSEGV), Ending::crashed, "killed by SIGSEGV"},
        Case{killed_by(SIGABRT), Ending::crashed, "killed by SIGABRT"},
        Case{killed_by(SIGXCPU), Ending::timed_out, "killed by SIGXCPU: over its limit of CPU time"}}) {
    const Failure failure = failure_of_status(one.status, std::nullopt);
    EXPECT_EQ(failure.ending, one.ending);
    EXPECT_EQ(failure.message, one.message);
  }
}

TEST(Ending, ASigkillIsOursOrTheSystems) {
  const Failure ours{Ending::timed_out, "used 2 s", ""};
  EXPECT_EQ(failure_of_status(killed_by(SIGKILL), ours).message, "used 2 s");
  EXPECT_EQ(failure_of_status(killed_by(SIGKILL), std::nullopt).ending, Ending::out_of_memory);
  EXPECT_EQ(failure_of_status(killed_by(SIGSEGV), ours).ending, Ending::crashed);  // it was faster
}

TEST(Ending, OfTexts) {
  EXPECT_EQ(failure_of_text("std::bad_alloc").ending, Ending::out_of_memory);
  EXPECT_EQ(failure_of_text("bfc_arena.cc Failed to allocate memory for requested buffer of size 9").ending,
            Ending::out_of_memory);
  EXPECT_EQ(failure_of_text("Assertion failed").ending, Ending::threw);
  EXPECT_EQ(failure_of_text("red \x1b[31m").message, "red ");
  EXPECT_FALSE(failure_of_text("x").machine);
  EXPECT_TRUE(failure_of_machine("disk full").machine);
}

template <class Thrown>
Failure caught(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return failure_of_exception();
  }
}

TEST(Ending, OfExceptions) {
  EXPECT_EQ(caught(std::runtime_error("no")).message, "no");
  EXPECT_EQ(caught(std::runtime_error("no")).ending, Ending::threw);
  EXPECT_EQ(caught(std::bad_alloc()).ending, Ending::out_of_memory);
  EXPECT_EQ(caught(42).ending, Ending::threw);
}

TEST(Ending, TellsWhatWasBeingDone) {
  EXPECT_EQ(with_doing("killed by SIGSEGV", "checking the variant"), "killed by SIGSEGV (while checking the variant)");
  EXPECT_EQ(with_doing("killed by SIGSEGV", ""), "killed by SIGSEGV");
}

}  // namespace
}  // namespace culprit
