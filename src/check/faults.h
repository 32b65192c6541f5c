#pragma once
// From failing variants to faults: one cause each, with its culprits.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/study.h"

namespace culprit {

/// A recipe of several passes that failed, and the same recipe without those that fail alone.
struct Explanation {
  std::size_t recipe = 0;            ///< number of the attempt
  std::vector<std::size_t> failing;  ///< attempts with one of its passes alone that fail
  std::optional<std::size_t> rest;   ///< the attempt without those; absent where none fails or nothing remains
};

/// Recipes of several passes that fail, and not as the round trip does, with the single passes among them that fail.
std::vector<Explanation> failing_recipes(const Study& study);
/// The passes of that recipe that no attempt tries alone.
std::vector<std::string> untried_alone(const Study& study, std::size_t recipe);
/// The recipe without its failing passes; empty where nothing fails alone, or nothing remains.
std::vector<std::string> rest_of(const Study& study, const Explanation& explanation);

/// Faults in the order: import or round trip, single passes in the order of the plan, interactions. `ids`: those of the
/// attempts; `samples`: that values were judged on, 0 where the data are too weak for it.
std::vector<FaultRecord> find_faults(const Study& study, const std::vector<Explanation>& explanations,
                                     const std::vector<std::string>& ids, std::size_t samples);

}  // namespace culprit
