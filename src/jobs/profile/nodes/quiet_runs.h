#pragma once
// Which runs tell how long nodes take? One that waited for a CPU meanwhile does not: nobody knows which of its nodes
// the waiting is in.

#include <cstdint>
#include <vector>

namespace culprit {

/// A run that waited for less of its time is quiet.
inline constexpr double quiet_share = 0.01;

struct QuietRuns {
  std::vector<bool> keep;     ///< by run
  std::int64_t quiet = 0;     ///< runs
  double waited_seconds = 0;  ///< of those that are kept, the median; 0 where they are quiet
};

/// Keeps the quiet ones. Where there are fewer than `least`, so many are kept of those that waited for the smallest
/// share. `waited`: of each run, beside `seconds`; empty where nobody can tell: then all are kept.
QuietRuns quiet_runs(const std::vector<double>& seconds, const std::vector<double>& waited, std::size_t least);

}  // namespace culprit
