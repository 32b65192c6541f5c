#pragma once
// Which layers of the source to keep in float, so that a target that is rounded honestly decides as the source does.

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "conversion/coarse/coarse_types.h"
#include "conversion/keep/changed_labels.h"
#include "conversion/map/coverage.h"
#include "conversion/runs/both_sides.h"
#include "record/diagnosis.h"

namespace culprit {

struct KeepTask {
  const BothSides& sides;
  const ConversionMap& map;
  const CoarseTypes& types;                ///< of the target, as far as they are narrower than the source's
  const std::vector<ValueMatch>& outputs;  ///< bound
  ChangesDecision changes;
  Progress progress = {};  ///< by runs of the ranking; the search behind it is of no known length
};

/// nullopt: the outputs decide nothing, or the target decides all samples as the source does, or no layer is rounded.
/// Layers are ranked, and sets of them are tried, by runs of the source with all other layers rounded
/// (coarse/honest_rounding.h). What changes is looked for on the samples that rounding all layers changes and as many
/// others; where none of these changes, on the rest as well. Errors: interrupted, io.
Result<std::optional<KeepRecord>> keep_in_float(const KeepTask& task);

/// "2 of 8 samples are decided otherwise; none is where 'conv1' and 'fc' are kept in float": one clause for a message.
std::string to_string(const KeepRecord& keep);

}  // namespace culprit
