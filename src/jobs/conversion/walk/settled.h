#pragma once
// Is the target right again behind a value that it is fed with? Pure.

#include "conversion/map/match_values.h"
#include "conversion/sides/ways.h"

namespace culprit {

/// Is one found on every way down from the source's value `cut` within `most` suspects, none of them a mover that is
/// an alias alone; or `is_bound_output`: it is an output and the target's is the bound one. `found`: under the feed.
bool is_settled(const Ways& source, int cut, const ValueMatches& found, bool is_bound_output, int most = 4);

/// The share of the ways down on which one is found so; 0 where none leads to an output.
double settled_share(const Ways& source, int cut, const ValueMatches& found, int most = 4);

/// The share of the values within `most` layers behind the cut that is found.
double found_share(const Ways& source, int cut, const ValueMatches& found, int most = 8);

}  // namespace culprit
