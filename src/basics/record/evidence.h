#pragma once
// What a verdict rests on where nothing was measured.

#include "record/enum_names.h"

namespace culprit {

/// What a verdict that rests on no measurement rests on.
struct Evidence {
  EvidenceStage stage = EvidenceStage::none;  ///< none: measurements tell all
  EvidenceEnding ending = EvidenceEnding::none;
};

}  // namespace culprit
