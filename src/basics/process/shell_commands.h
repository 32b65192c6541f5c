#pragma once
// Shell commands, several at once, each with a time limit. Nothing that they started is left behind.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

struct ShellRun {
  std::string command;           ///< for /bin/sh -c
  std::filesystem::path folder;  ///< where it starts
};

struct ShellLimits {
  double seconds = 120;  ///< of the clock
  std::size_t jobs = 1;
  std::function<bool()> is_interrupted = {};
};

/// The exit status of each; -1 where a signal ended it or its time was over. ErrorKind::io where none can be started.
/// Each is a session of its own, with nothing to read, whose output is dropped; when it ends, what is left of its
/// process group is killed; the shell itself (or what it became by `exec`) also when we are. ErrorKind::interrupted as
/// soon as that is so, with all of them killed.
Result<std::vector<int>> run_in_shell(const std::vector<ShellRun>& runs, const ShellLimits& limits);

}  // namespace culprit
