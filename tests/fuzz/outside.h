#pragma once
// The tool seen from outside: how it ends, how long it takes, and what it leaves behind.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace culprit::fuzz {

struct Ended {
  int exit = -1;      ///< 128 + signal where one ended it
  bool hung = false;  ///< it had not ended when patience was over, and was killed
  double seconds = 0;
};

/// Starts `words` in `folder`, with its streams in the files stdout and stderr there, its temporary files in
/// `folder`/tmp, `mark` in the environment of all that it starts, and an address space of 4 GB (not under sanitizers).
/// `patience` is in seconds.
Ended run_watched(const std::vector<std::string>& words, const std::filesystem::path& folder, const std::string& mark,
                  double patience);

/// Processes with this mark that are no zombies; those that are just ending get some seconds for it.
std::vector<pid_t> left_running(const std::string& mark);

/// Kills them, whatever they are.
void kill_all(const std::vector<pid_t>& processes);

/// Everything below the folder, by path relative to it, sorted. Links are not followed.
std::vector<std::string> files_below(const std::filesystem::path& folder);

/// What a command says on both streams, and its exit status. For programs that end by themselves.
std::pair<int, std::string> output_of(const std::string& command);

}  // namespace culprit::fuzz
