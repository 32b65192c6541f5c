#pragma once
// Tells where the time went: two profiles of what came of the same model, held against each other part by part. A part
// is the smallest set of the given model's nodes that both sides do with nodes of their own: what one of them fused
// with something else belongs to the same part as that. So the seconds of all parts add up to those of each side.

#include <string>
#include <vector>

#include "record/profile.h"

namespace culprit {

struct PartTimes {
  std::vector<std::string> originals;      ///< in the order of `before.nodes`; empty: all nodes whose originals are not
                                           ///< known are one part
  std::vector<std::string> before, after;  ///< nodes that ran, the slowest first; inserted ones among them
  double seconds_before = 0, seconds_after = 0;                                   ///< of one run
  [[nodiscard]] double change() const { return seconds_after - seconds_before; }  ///< above 0: slower
};

/// The largest change first, up or down.
std::vector<PartTimes> which_got_slower(const NodeTimes& before, const NodeTimes& after);

}  // namespace culprit
