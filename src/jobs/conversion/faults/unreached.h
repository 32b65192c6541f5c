#pragma once
// Faults that no sample shows: static evidence, proved on made-up inputs of the two regions.

#include <functional>
#include <set>
#include <vector>

#include "conversion/faults/classify.h"

namespace culprit {

/// Both regions alone on made-up inputs (times 1, 4, 16 of the source's, and normal numbers of 4 rms): how far they are
/// apart over the rms of the output, without edits and with them. nullopt: they do not run so.
struct MadeUpOutcome {
  double apart = 0, apart_with_edits = 0;
};
using TryMadeUp =
    std::function<Result<std::optional<MadeUpOutcome>>(const FaultRegion& region, const std::vector<Edit>& edits)>;

struct UnreachedTask {
  const ConversionMap& map;
  const Ways& source;
  const Ways& target;
  const std::map<int, ValueSketch>& sketches_source;
  const std::map<int, ValueSketch>& sketches_target;
  std::set<int> blamed = {};  ///< layers of the source in whose regions faults were found already
  int most = 64;              ///< so often `attempt` is asked at most
};

/// For each layer whose value is found: are its parameters (by more than 1e-4 of their size) or hyper-parameters
/// others, or its type? A fault where the regions part by more than 1 % and the edits mend it. GELU by tanh parts by
/// 0.07 %. `is_reached` = false. Errors: of `attempt`.
Result<std::vector<MendableFault>> unreached_faults(const UnreachedTask& task, const TryMadeUp& attempt);

}  // namespace culprit
