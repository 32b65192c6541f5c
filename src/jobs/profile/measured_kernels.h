#pragma once
// Which kernels of the GPU one row launches: one run of it under ncu, in a process of its own.

#include <filesystem>
#include <vector>

#include "base/stop.h"
#include "profile/profile.h"

namespace culprit {

/// One run of the first sample, with what the provider does once before it, such as trying out its kernels. Errors as
/// of profile_kernels (device/ncu.h).
Result<std::vector<KernelRecord>> measure_kernels(const MeasuredModel& model, const ProfileTools& tools);

}  // namespace culprit
