#pragma once
// From a step of the walk to faults: evidence, proof, and words for the report.

#include <functional>
#include <vector>

#include "conversion/faults/confirm.h"
#include "conversion/faults/mendable_faults.h"
#include "conversion/walk/walk.h"
#include "record/diagnosis.h"

namespace culprit {

struct ClassifyTask {
  const WalkStep& step;
  EvidenceTask evidence;  ///< its channel_orders are set here: first none, then those of the kernels
  TryEdits attempt;
};

struct Classified {
  std::vector<MendableFault> faults;  ///< without ids; none where the region is right without any edit
  bool is_right_as_it_is = false;
  int tries = 0;
};

/// Errors: of `attempt`.
Result<Classified> classify(const ClassifyTask& task);

/// What a report calls layers.
LayerRef layer_ref(const Network& network, int layer);

}  // namespace culprit
