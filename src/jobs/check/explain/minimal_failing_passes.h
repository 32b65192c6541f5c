#pragma once
// A recipe fails: which of its passes does it take? The minimal failing ordered sublist, by delta debugging (Zeller and
// Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", IEEE TSE 28(2), 2002). Pure.

#include <string>

#include "check/explain/recipe_questions.h"

namespace culprit {

struct MinimalFailure {
  enum class Order {
    unknown,  ///< not of two passes, or not tried
    none,     ///< the optimizer's steps have none
    matters,  ///< the reverse order does not fail in the same way
    either,   ///< it does
  };
  Subset places;          ///< in the recipe, ascending; without any one of them the same failure is gone
  std::string failure;    ///< the recipe's; `places` alone show the same
  bool complete = true;   ///< false: the budget was spent, and fewer passes may do
  bool confirmed = true;  ///< false: `places` did not fail again in fresh processes, or are none
  Order order = Order::unknown;
};

/// The minimal part of recipe[kept] that fails as recipe[kept] does, which must fail. "The same failure" is one that
/// RecipeAnswer::failure calls so, lest another fault be found on the way. `suspects` (some of `kept`) are tried first:
/// if they alone show the failure, all others are out with one question.
MinimalFailure minimal_failure(RecipeQuestions& trials, const Passes& recipe, const Subset& kept,
                               const Subset& suspects);

}  // namespace culprit
