#pragma once
// `replay` as a library: faults that a check kept are run again.

#include <filesystem>
#include <vector>

#include "app/caller.h"
#include "app/requests.h"
#include "base/error.h"
#include "repro/replay.h"

namespace culprit {

/// What became of one repro.
struct Replayed {
  std::filesystem::path path;
  ReproFacts facts;  ///< empty where it cannot be read
  Replay replay;     ///< `message` tells what is wrong with it where it cannot be read
};

/// One for each repro, in their order. Errors: usage (no folder for temporary files), those of finding the runtime,
/// interrupted, io.
Result<std::vector<Replayed>> replay_repros(const ReplayRequest& request, const Caller& caller);

}  // namespace culprit
