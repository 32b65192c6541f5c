#pragma once
// Values that one network computes twice in the same way, where another computes them once.

#include <vector>

#include "network/network.h"

namespace culprit {

/// By value: all that are computed of the same values by the same operators without weights, itself among them;
/// nothing where there is no other. Only of operators that are known to be told whole by their hyper-parameters.
std::vector<std::vector<int>> twins_of(const Network& network);

}  // namespace culprit
