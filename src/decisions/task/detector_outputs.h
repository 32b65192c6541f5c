#pragma once
// Which output of a detector is which. Private to this room.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "task/detector_form.h"
#include "task/outputs.h"

namespace culprit {

/// Places of outputs; of YOLO `layers` alone, the largest stride first.
struct DetectorOutputs {
  std::size_t boxes = 0, scores = 0, classes = 0;
  std::vector<std::size_t> layers;
};

/// ErrorKind::unsupported, with what was wanted and what is there, where the outputs are of another kind.
Result<DetectorOutputs> find_detector_outputs(const DetectorSpec& spec, std::span<const OutputFacts> outputs);

}  // namespace culprit
