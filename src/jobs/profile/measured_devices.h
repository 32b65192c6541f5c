#pragma once
// What graphics cards and CPU packages do while one row runs: runs of their own, which nobody times.

#include <vector>

#include "device/sampler.h"
#include "executor/measuring.h"
#include "record/profile.h"

namespace culprit {

/// What there is on this machine: the first device that NVML knows, and the CPU packages.
FoundDevices devices_of_this_machine();

inline constexpr double seconds_of_devices = 2;

/// `seconds_of_devices` of runs, about, and never fewer than 5. No devices where the model fails.
SampledDevices measure_devices(MeasuringBlocks& blocks, const MeasuredModel& model, double seconds_of_run,
                               Sampler& sampler);

}  // namespace culprit
