#pragma once
// Does the same work on several threads at once, timed as one.

#include <cstdint>
#include <functional>

namespace culprit {

/// Calls `work` with 0, 1, ... on so many threads, which begin together. Seconds that the slowest of them took, without
/// those for which it waited for a CPU that other programs held.
double seconds_together(std::int64_t threads, const std::function<void(std::int64_t thread)>& work);

/// Rounds are made until `seconds` are spent, at least two: the fewest seconds that one of them took. `round` gives
/// the seconds of one. What disturbs the machine makes rounds longer, never shorter.
double fastest_round(double seconds, const std::function<double()>& round);

}  // namespace culprit
