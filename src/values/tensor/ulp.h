#pragma once
// Units in the last place: how many representable numbers lie between two.

#include <cstdint>

#include "tensor/dtype.h"

namespace culprit {

/// Steps from a to b on the number line of float32; +0 and -0 are 0 apart. Both must be finite.
std::int64_t ulp_distance(float a, float b);
std::int64_t ulp_distance(double a, double b);  ///< saturates at INT64_MAX
/// Measures the distance for 16-bit formats, given as bits (f16 or bf16: both order like sign-magnitude integers).
std::int64_t ulp_distance_bits16(std::uint16_t a, std::uint16_t b);
/// The spacing of numbers at 1.0: 2^-23 for f32 and c64, 2^-10 for f16, 2^-7 for bf16; 0 for types that are not floats.
double epsilon_of(DType type);
/// The number next to zero: 2^-149 for f32 and c64, 2^-24 for f16; 0 for floats of 8 bits and less, and what is none.
double smallest_of(DType type);

}  // namespace culprit
