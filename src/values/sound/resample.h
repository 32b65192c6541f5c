#pragma once
// One channel at another rate, by libsoxr, which is loaded when the first sound needs it.

#include <cstdint>
#include <vector>

#include "base/error.h"

namespace culprit {

constexpr std::int64_t least_sound_rate = 1000;    ///< samples in a second
constexpr std::int64_t most_sound_rate = 768'000;  ///< twice what any recorder writes

/// What Python's soxr.resample(samples, from_rate, to_rate, quality="HQ") gives: [samples * to_rate / from_rate],
/// rounded to the nearest count. The same samples where the rates are equal. ErrorKind::bad_input for a rate out of
/// bounds, and where more than 2^28 samples would come; ErrorKind::unsupported where libsoxr is not installed; the hint
/// names its package.
Result<std::vector<float>> resampled(std::vector<float> samples, std::int64_t from_rate, std::int64_t to_rate);

}  // namespace culprit
