#pragma once
// Models that keep something from one run to the next: an output is what an input is fed with at the next step. A
// recurrent net has a state, a model of language a cache of keys and values.

#include <string>
#include <vector>

#include "model/model.h"

namespace culprit {

struct StatePair {
  std::string input, output;
  bool operator==(const StatePair&) const = default;
};

/// The pairs that names, types and sizes tell of, in the order of the inputs: `state` and `stateN`, `h0` and `hn`,
/// `past_key_values.0.key` and `present.0.key`, `cell_in` and `cell_out`. A name that may mean two is in no pair.
std::vector<StatePair> state_pairs(const Interface& interface);

}  // namespace culprit
