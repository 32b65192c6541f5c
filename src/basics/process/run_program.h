#pragma once
// Programs that are none of ours: users' optimizers, and Python packages. Each is started without a shell, waited for,
// and ended with us.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "process/failure.h"

namespace culprit {

/// Descriptors that a program gets as its stdin and stdout, and that nobody else keeps; -1: none.
struct ProgramStreams {
  int in = -1, out = -1;
};

struct ProgramCall {
  std::vector<std::string> words;     ///< the program, found by PATH, and its arguments
  std::filesystem::path folder;       ///< where it starts; its temporary files go there, too
  std::filesystem::path output = {};  ///< its stdout goes into this file; "": where ours goes
  bool may_use_network = false;       ///< else it has none, where the system allows us to take it away
  ProgramStreams streams = {};        ///< closed here once it has them; without them it has nothing to read
};

/// Runs the program in this process's group and within this process's limits, and waits; then kills what it left
/// behind, and all other children of this process. It is killed when we end. Returns its wait status. ErrorKind::io
/// where it cannot be started: no such program, no right to run it.
Result<int> run_program(const ProgramCall& call);

/// Is there such a program, by its path or on PATH, and may it be started?
bool can_start(const std::string& program);

/// Runs the program in a fork of its own that may use `limits` (process/watch_limits.h), and tells how it ended, with
/// its last words. An exit status other than 0 is Ending::exited. `scratch` is a folder for its log.
/// ErrorKind::interrupted where it is stopped, which is asked a few times a second.
Result<Failure> end_of_program(const ProgramCall& call, const std::filesystem::path& scratch, const Limits& limits,
                               const Stop& stop = {});

/// What `run_program` returned as a word for another process, and how that tells how the program ended.
std::string word_of_end(const Result<int>& status);
Failure end_of_word(const std::string& word);

/// Was it kept from the network? As run_program does it.
bool network_can_be_taken_away();

}  // namespace culprit
