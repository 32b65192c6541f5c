#pragma once
// Which passes could do anything on a model: their predicates asked in a fork, for a predicate can crash, hang and
// throw.

#include <set>
#include <string>
#include <vector>

#include "optimizer/optimizer.h"
#include "worker/supervisor.h"

namespace culprit {

struct Scan {
  std::set<std::string> matching;  ///< passes
  std::vector<Place> places;       ///< of these; at most 8 a pass
};

/// Finds those of `passes` that may match, and where, at most `most_places` of them in all. A pass whose predicate
/// throws, dies or is over its limit counts as one that may match, and has no places: it runs alone, where its crash is
/// its own. The rest is asked in a new fork.
Scan scan(OptimizerSession& session, const std::vector<std::string>& passes, std::size_t most_places,
          Supervisor& supervisor);

}  // namespace culprit
