#pragma once
// The flags of `culprit twin`: declared, and turned into TwinArguments.

#include <string>

#include "cli/flags.h"
#include "cli/twin.h"

namespace culprit {

/// As typed; "" where not given.
struct TwinFlags {
  std::string model, out, seed, runtime;
  bool frozen = false, reweight = false;
};

void add_twin(const Flags& command, TwinFlags& flags);

/// ErrorKind::usage where a value makes no sense, or flags contradict each other.
Result<TwinArguments> resolve(const TwinFlags& flags);

}  // namespace culprit
