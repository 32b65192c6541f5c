#pragma once
// The quantized weights that are to blame for a coarse target, and the proof by honest ones in their place.

#include <vector>

#include "conversion/coarse/judge_coarse.h"
#include "conversion/faults/mendable_faults.h"
#include "conversion/map/coverage.h"
#include "conversion/runs/both_sides.h"
#include "record/diagnosis.h"

namespace culprit {

/// All must outlive it.
struct QuantizationTask {
  const BothSides& sides;
  const ConversionMap& map;
  const std::vector<ValueMatch>& wrong_outputs;
  const CoarseVerdict& verdict;
};

/// Adds faults of class quantization, without ids; none where no output is wrong. All are mended together on a copy,
/// and all but each one: blamed is only what makes the outputs worse by itself. With all mended the outputs must be
/// within three times the honest rounding; else no fault is confirmed. What a format cannot be given (other scales of
/// TFLite) is told unproven, and only where the target is further off than that. Runs of the target: one for each fault
/// at most, and one. Errors: interrupted, io.
Result<void> add_quantization_faults(const QuantizationTask& task, std::vector<MendableFault>& faults);

}  // namespace culprit
