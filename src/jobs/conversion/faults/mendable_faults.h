#pragma once
// Faults with the edits that mend them.

#include <optional>
#include <vector>

#include "conversion/edits/edit.h"
#include "conversion/walk/suspects.h"
#include "record/diagnosis.h"

namespace culprit {

struct MendableFault {
  ConversionFault fault;
  std::vector<Edit> edits;                 ///< of the target, made together; empty: nobody knows what mends it
  std::optional<FaultRegion> region = {};  ///< that shows it alone, fed the source's values; none of feeding and steps
};

/// Once: two regions show one fault where one value is used on two ways, and something else is wrong on one of them.
void add_fault(MendableFault fault, std::vector<MendableFault>& faults);

/// In the order of the source; what the target has beyond it comes last. Ids are given: "F1".
void number_faults(std::vector<MendableFault>& faults);

std::vector<ConversionFault> without_edits(const std::vector<MendableFault>& faults);

}  // namespace culprit
