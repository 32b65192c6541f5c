#include "process/shell_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

class Shell : public testing::Test {
 protected:
  Shell() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-shell").value()) {}
  std::vector<int> run(const std::vector<std::string>& commands, ShellLimits limits = {}) {
    std::vector<ShellRun> runs;
    for (const auto& command : commands) runs.push_back({command, folder_.path()});
    return run_in_shell(runs, limits).value();
  }
  TemporaryFolder folder_;
};

TEST_F(Shell, TellsExitCodes) {
  EXPECT_THAT(run({"true", "exit 3", "! false", "kill -9 $$", "no-such-command"}, {120, 2}),
              ElementsAre(0, 3, 0, -1, 127));
}

TEST_F(Shell, StartsInItsFolderWithNothingToRead) {
  EXPECT_THAT(run({"pwd > here; read line || exit 7"}), ElementsAre(7));
  std::string here;
  std::getline(std::ifstream(folder_.path() / "here"), here);
  EXPECT_TRUE(fs::equivalent(here, folder_.path()));
}

/// Waits a while for the process that a command wrote into the file; a zombie, until init has looked, is one that
/// ended.
bool has_ended(const fs::path& pid_file) {
  pid_t child = 0;
  std::ifstream(pid_file) >> child;
  EXPECT_GT(child, 0);
  for (int i = 0; i < 200 && kill(child, 0) == 0; ++i) {
    std::string state;
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    stat >> state >> state >> state;
    if (state == "Z" || state.empty()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return kill(child, 0) != 0;
}

TEST_F(Shell, OutOfTimeIsKilledWithAllThatItStarted) {
  EXPECT_THAT(run({"sleep 100 & echo $! > pid; wait", "true"}, {3, 2}), ElementsAre(-1, 0));
  EXPECT_TRUE(has_ended(folder_.path() / "pid"));
}

TEST_F(Shell, WhatItBecameDiesWithUs) {
  const pid_t us = fork();
  if (us == 0) {
    run({"echo $$ > fresh; mv fresh pid; exec sleep 1000"}, {1000, 1});
    _exit(0);
  }
  while (!fs::exists(folder_.path() / "pid")) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(us, SIGKILL);
  waitpid(us, nullptr, 0);
  EXPECT_TRUE(has_ended(folder_.path() / "pid"));
}

TEST_F(Shell, WhatIsLeftInTheBackgroundEndsWithTheCommand) {
  EXPECT_THAT(run({"(sleep 2; touch late) & true"}), ElementsAre(0));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(fs::exists(folder_.path() / "late"));
}

TEST_F(Shell, AnInterruptEndsAll) {
  int asked = 0;
  ShellLimits limits{100, 2};
  limits.is_interrupted = [&] { return ++asked > 3; };
  const auto statuses = run_in_shell({{"sleep 100", folder_.path()}}, limits);
  ASSERT_FALSE(statuses);
  EXPECT_EQ(statuses.error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
