#pragma once
// What scores tell beside decisions, as JSON. Seen in this room only.

#include "record/score_record.h"
#include "report/json_parts.h"

namespace culprit {

/// null where there is no curve.
Json curves_of(const ScoreRecord& scores);
/// null where nothing is said of it. `first`: of the first model, or null of the first itself.
Json calibration_of(const ScoreRecord& scores, const ScoreRecord* first);

}  // namespace culprit
