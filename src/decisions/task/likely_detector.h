#pragma once
// Which of detectors/*.yaml outputs may be of, by their names and shapes. Private to this room.

#include <optional>
#include <span>

#include "task/detection_decoder.h"
#include "task/task.h"

namespace culprit {

/// How well outputs fit a detector that can read them. Where those of several detectors look alike - rows of YOLOv5
/// with one class, or of YOLOv8 with two - the share is that of a guess.
TaskFit fit_of(const DetectorSpec& spec, std::span<const OutputFacts> outputs, const FrameSize& frame);

/// Tells how well it fits when outputs of a sample are there, too: rows that are no boxes, or scores above 1, speak
/// against it.
TaskFit fit_of_example(const DetectorSpec& spec, TaskFit fit, std::span<const NamedTensor> example,
                       const FrameSize& frame);

struct LikelyDetector {
  DetectorSpec spec;
  TaskFit fit;
};

/// The description that fits best; of equal ones the first. Nothing where none can read them.
std::optional<LikelyDetector> likely_detector(std::span<const OutputFacts> outputs, const FrameSize& frame = {});

}  // namespace culprit
