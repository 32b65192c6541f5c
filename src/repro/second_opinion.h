#pragma once
// What attribution (check/attribution.h) rests on: original and variant on the sample that shows the fault, with the
// runtime's optimizations off and at the deploy level, and on a second runtime where there is one.

#include <filesystem>
#include <optional>
#include <vector>

#include "check/fault_case.h"
#include "executor/executor.h"

namespace culprit {

struct OpinionTools {
  Executor& executor;
  Executor* second = nullptr;    ///< of another version of the runtime; null: none
  std::filesystem::path folder;  ///< for outputs; made, and removed at the end
};

struct Opinion {
  std::optional<Attribution> attribution;  ///< absent where what was seen tells nothing
  std::vector<AttributionCell> cells;
};

/// Of a fault of values (`diverged`) with a variant and a sample; of others nothing is run, and the opinion is empty.
/// Four runs at most, and two on the second runtime, each in a fresh process. ErrorKind::interrupted, io.
Result<Opinion> second_opinion(const FaultCase& shown, const OpinionTools& tools);

}  // namespace culprit
