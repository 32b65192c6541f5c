#pragma once
// The default tolerances of judge.h, as numbers.

#include "judge/judge.h"

namespace culprit {

/// |v - r| <= atol + rtol * |r|
struct Bounds {
  double atol = 0;
  double rtol = 0;
};

/// What holds for one output: given values first, else the defaults of its type. Integers, bools and strings are exact.
Bounds bounds_for(const Tensor& reference, const Tolerance& tolerance);
/// What holds for elements of that type and root mean square.
Bounds bounds_for(DType type, double rms, const Tolerance& tolerance);

/// Root of the mean square of the finite elements; 0 where there are none. Both parts of complex numbers count.
double rms_of_finite(const Tensor& tensor);

}  // namespace culprit
