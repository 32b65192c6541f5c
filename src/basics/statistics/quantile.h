#pragma once
// Places in the order of values.

#include <span>
#include <vector>

namespace culprit {

/// The quantile as numpy takes it by default: linear between the two next to it (Hyndman and Fan 1996, type 7). Values
/// are ascending, and at least one.
double quantile_of_sorted(std::span<const double> sorted, double share);

/// The middle value; 0 of no values.
double median(std::vector<double> values);

}  // namespace culprit
