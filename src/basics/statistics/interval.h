#pragma once
// The interval of a rate that was seen in some of all cases.

#include <cstdint>

namespace culprit {

struct Interval {
  double low = 0, high = 1;
};

/// Wilson's score interval, without correction for continuity (E. B. Wilson, "Probable inference, the law of
/// succession, and statistical inference", JASA 22, 1927): the rates p for which `yes` of `cases` lies within z
/// standard errors of p. Keeps its width where the rate is 0 or 1. `yes` may have a fraction: of values between 0 and
/// 1, whose variance is at most that of a rate, it is their sum. Without cases: 0 to 1.
Interval wilson_interval(double yes, std::int64_t cases, double confidence = 0.95);

}  // namespace culprit
