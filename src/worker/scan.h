#pragma once
// Which passes could do anything on a model: their predicates asked in a fork, for a predicate can crash, hang and
// throw.

#include <set>
#include <string>
#include <vector>

#include "optimizer/optimizer.h"
#include "worker/supervisor.h"

namespace culprit {

/// Those of `passes` that may match. A pass whose predicate throws, dies or is over its limit counts as one that may:
/// then it runs alone, where its crash is its own. The rest is asked in a new fork.
std::set<std::string> scan(OptimizerSession& session, const std::vector<std::string>& passes, Supervisor& supervisor);

}  // namespace culprit
