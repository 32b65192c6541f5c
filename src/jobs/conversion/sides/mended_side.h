#pragma once
// A side with other numbers in its constants, for all that is asked of it from then on.

#include <memory>
#include <vector>

#include "conversion/sides/side.h"

namespace culprit {

/// `constants`: stored ones, for all uses, in the shape that they have. Its network has them, too. `side` must outlive
/// it.
std::unique_ptr<Side> mended_side(const Side& side, std::vector<SetConstant> constants);

}  // namespace culprit
