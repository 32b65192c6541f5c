#pragma once
// The boxes in the cells of YOLOv3's layers: J. Redmon, A. Farhadi, "YOLOv3: an incremental improvement",
// arXiv:1804.02767, section 2.1. Center: (sigmoid(t) + cell) * stride; size: anchor * exp(t); score: sigmoid of the
// objectness times sigmoid of the best class. Private to this room.

#include <span>
#include <vector>

#include "base/error.h"
#include "task/boxes.h"
#include "task/detector_outputs.h"

namespace culprit {

Result<std::vector<Detection>> decode_cells(const DetectorSpec& spec, std::span<const NamedTensor> outputs,
                                            const DetectorOutputs& at);

}  // namespace culprit
