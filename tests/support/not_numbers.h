#pragma once
// NaN and infinity, for tests.

#include <limits>

namespace culprit {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr float nan_f = std::numeric_limits<float>::quiet_NaN(), infinity_f = std::numeric_limits<float>::infinity();

}  // namespace culprit
