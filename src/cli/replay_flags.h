#pragma once
// The flags of `culprit replay`: declared, and turned into ReplayArguments.

#include <string>
#include <vector>

#include "cli/flags.h"
#include "cli/replay.h"

namespace culprit {

/// As typed; "" where not given.
struct ReplayFlags {
  std::vector<std::string> repros;
  std::string runtime, tries, jobs, timeout, format;
};

void add_replay(const Flags& command, ReplayFlags& flags);

/// ErrorKind::usage where a value makes no sense.
Result<ReplayArguments> resolve(const ReplayFlags& flags);

}  // namespace culprit
