#pragma once
// The flags of `culprit known`: declared, and turned into KnownArguments.

#include <string>
#include <vector>

#include "cli/flags.h"
#include "cli/known.h"

namespace culprit {

/// As typed; "" where not given.
struct KnownFlags {
  std::string action, known, note, format;
  std::vector<std::string> repros;
};

void add_known_command(const Flags& command, KnownFlags& flags);

/// ErrorKind::usage where a value makes no sense, or flags contradict each other.
Result<KnownArguments> resolve(const KnownFlags& flags);

}  // namespace culprit
