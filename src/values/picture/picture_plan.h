#pragma once
// The steps of a preprocessing for a picture of a certain size, with all numbers filled in. Private to this room.

#include <vector>

#include "picture/preprocessing.h"

namespace culprit {

struct PlannedStep {
  bool is_resize = true;  ///< else a window on the picture, which may be larger than it
  PictureSize size;       ///< what comes out
  int left = 0;           ///< of the window: where it begins in the picture; negative where colour comes first
  int top = 0;
  ResizeMethod method;
  Colour color = {0, 0, 0};
};

struct PicturePlan {
  std::vector<PlannedStep> steps;
  PictureSize size;  ///< at the end
  Placement placement;
};

/// An error where the result is not what the net takes, or its size is beyond all reason.
Result<PicturePlan> plan_steps(PictureSize picture, const Preprocessing& preprocessing);

}  // namespace culprit
