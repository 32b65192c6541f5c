#pragma once
// What samples should reach in a graph, and in another one that it is held against (data/branch_samples.h makes them).

#include <set>
#include <string>

#include "model/branch_conditions.h"
#include "model/looked_up_rows.h"
#include "model/model.h"

namespace culprit {

struct Reach {
  Compared compared = {};            ///< of inputs and of sizes
  std::set<std::string> plain = {};  ///< integer inputs that steer nothing (model/free_integers.h)
  LookedUpRows rows = {};            ///< of tables, by input
  bool is_of_two = false;            ///< two models are held against each other: batches above 2 as well
};

/// What to reach in `model`, whose graph must be there. `other` may be nullptr: a model that should do the same. Then
/// what that one asks for counts as well, and what only one of the two has: nodes written otherwise, other rows of a
/// table. Its inputs stand for those of the same name, or else of the same place.
Reach reach_of(const Model& model, const Model* other);

}  // namespace culprit
