#pragma once
// Speed as OTX measures it (S. Narsipur, "OTX: Testing the ONNX Runtime Optimizer", section 4.1): each model by itself,
// ten times over, a warm-up before each; a repetition that is off by more than three standard deviations is left out;
// what counts is the mean of the others. The ratio of two means has no interval there, and none here: the verdict is
// what the bare number says.

#include "profile/speed/measure_speed.h"

namespace culprit {

/// As measure_speed; `block_ratios` holds the mean of each repetition that counts, over that of the first model.
Result<SpeedReport> measure_as_otx(MeasuringBlocks& blocks, const std::vector<MeasuredModel>& models,
                                   const SpeedOptions& options);

/// The mean of what lies within three standard deviations of the mean of all. Of nothing 0.
double mean_without_outliers(const std::vector<double>& values);

}  // namespace culprit
