#pragma once
// Tells where values lie, if each may be off by much, and as easily up as down. The estimate of Hodges and Lehmann and
// the interval that belongs to Wilcoxon's signed-rank test (J. L. Hodges, E. L. Lehmann, "Estimates of location based
// on rank tests", Ann. Math. Stat. 34, 1963; M. Hollander, D. A. Wolfe, "Nonparametric statistical methods", chapter
// 3). Nothing is assumed of the values but that they are independent and symmetric about their centre: logarithms of
// ratios of two times that were measured in turns are, for what disturbs the one disturbs the other as easily.

#include <cstddef>
#include <span>

#include "statistics/interval.h"

namespace culprit {

/// The median of the means of all pairs, each value with itself as well. A third of the values may be anything. Values
/// must be finite, and at least one.
double pseudomedian(std::span<const double> values);

/// Holds the centre with this confidence, or more, for confidences are steps: from minus to plus infinity where so few
/// values can carry none. 6 values carry 95 %, 9 carry 99.5 %.
Interval signed_rank_interval(std::span<const double> values, double confidence = 0.95);

}  // namespace culprit
