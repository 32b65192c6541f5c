#pragma once
// What attribution (repro/attribution.h) rests on: original and variant on the sample that shows the fault, with the
// runtime's optimizations off and at the deploy level, on a second runtime and on ONNX's reference evaluator where
// there are such.

#include <filesystem>
#include <optional>
#include <vector>

#include "executor/executor.h"
#include "repro/onnx_evaluator.h"
#include "trial/fault_case.h"

namespace culprit {

struct OpinionTools {
  Executor& executor;
  Executor* second = nullptr;      ///< of another version of the runtime; null: none
  std::filesystem::path folder;    ///< for outputs; made, and removed at the end
  Evaluator* evaluator = nullptr;  ///< null: none
};

struct Opinion {
  std::optional<Attribution> attribution;  ///< absent where what was seen tells nothing
  std::vector<AttributionCell> cells;
};

/// Asks about a fault of values (`diverged`) with a variant and a sample; of others nothing is run, and the opinion is
/// empty. Four runs at most, and two on the second runtime, each in a fresh process. The evaluator is asked where the
/// variant differs with optimizations off: both models in float64, and again in their own types unless the first two
/// tell that the rewrite changes the meaning. It says something only where it is a witness: where it gives the first
/// runtime's values for the original, and for the variant either those or the original's. Then its word counts, else
/// the second runtime's. ErrorKind::interrupted, io.
Result<Opinion> second_opinion(const FaultCase& shown, const OpinionTools& tools);

}  // namespace culprit
