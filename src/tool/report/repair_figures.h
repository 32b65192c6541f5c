#pragma once
// What a repair changed, as pictures along the layers of the source.

#include <vector>

#include "record/target_repair.h"
#include "report/figure.h"

namespace culprit {

/// Those of the target as it came, and error_before_and_after.svg where a mended file was made.
std::vector<Figure> figures_of(const TargetRepair& repair);

}  // namespace culprit
