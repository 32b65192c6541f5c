#pragma once
// The boxes that the outputs of a detector stand for.

#include <span>
#include <vector>

#include "base/error.h"
#include "task/boxes.h"
#include "task/detector_form.h"
#include "task/outputs.h"

namespace culprit {

/// The size of the model's input, in pixels; 0: not known, then boxes that are shares of it stay so.
struct FrameSize {
  double width = 0, height = 0;
};

/// ErrorKind::unsupported where outputs are of another kind: what was wanted and what is there.
Result<void> can_read(const DetectorSpec& spec, std::span<const OutputFacts> outputs);

/// What a box must be above to count for average precision, which looks at all boxes and not at those that are shown:
/// anything where the model has sorted out, 0.001 where boxes are suppressed here (as ultralytics' val.py does it).
double least_score_of_precision(const DetectorSpec& spec);

/// Boxes by descending score where they were suppressed here, else as the model gives them. Those whose score is NaN or
/// at most the least one are left out. Outputs that `can_read` refuses, or whose sizes do not belong together, are
/// ErrorKind::unsupported.
Result<std::vector<Detection>> decode_detections(const DetectorSpec& spec, std::span<const NamedTensor> outputs,
                                                 const FrameSize& frame = {});

}  // namespace culprit
