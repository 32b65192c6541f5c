#pragma once
// Outputs of a target that have each other's names.

#include <optional>
#include <vector>

#include "conversion/faults/mendable_faults.h"
#include "conversion/runs/judged_outputs.h"

namespace culprit {

struct ExchangeTask {
  const BothSides& sides;
  const std::vector<ValueMatch>& wrong;  ///< outputs that differ from those of their names
  const TargetOutputs& target;
  std::size_t samples = 0;
  bool is_strict = false;
};

struct ExchangedOutputs {
  std::vector<ValueMatch> right;  ///< of each source's output that was exchanged, the target's that is right for it
  MendableFault fault;            ///< its edits put each in its place
};

/// Wrong outputs that are right where each is held against another one of them, on all samples. nullopt: there are
/// none. Errors: interrupted, io.
Result<std::optional<ExchangedOutputs>> exchanged_outputs(const ExchangeTask& task);

}  // namespace culprit
