#pragma once

#include <cmath>

namespace culprit {

/// Equal, or both NaN.
inline bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace culprit
