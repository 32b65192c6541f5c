#pragma once
// Rung 4 of the ladder of localization (docs/localization.md): the first value that a wrong variant makes wrong. Of the
// user's own model, whose names the user knows; what the reduced model shows is small enough to be read.

#include <filesystem>
#include <optional>
#include <string>

#include "base/stop.h"
#include "executor/executor.h"
#include "trial/fault_case.h"

namespace culprit {

/// Models with more than this, weights outside included, are not looked into.
constexpr std::uint64_t most_compared_bytes = std::uint64_t{512} << 20;

struct DivergenceTools {
  Executor& executor;
  std::filesystem::path folder;  ///< for models, inputs and outputs; made, and removed at the end
  Stop is_time_up = {};          ///< then what is known is told; empty: never
};

struct FaultDivergence {
  std::optional<DivergenceRecord> first;
  std::string message;  ///< why there is none; "" too where none is looked for
};

/// compare_models on the sample that shows the fault. Of other faults than those of values nothing is run, and nothing
/// said. What fails at the deploy level only has no such value: which values there are then is the runtime's choice.
/// Errors: interrupted. What goes wrong otherwise is the message.
Result<FaultDivergence> fault_divergence(const FaultCase& shown, const DivergenceTools& tools);

}  // namespace culprit
