#pragma once
// The safe recipe: the largest part of a recipe that can be found to be right, and every cause that was met on the way
// to it. An explanation of a failure is complete only when the recipe without the culprits is verified clean, for
// removing one cause can uncover another. Pure.

#include <optional>
#include <vector>

#include "check/explain/minimal_failing_passes.h"

namespace culprit {

/// What is known of the passes of a recipe before the search; places in the recipe, ascending.
struct KnownPlaces {
  Subset unfit;     ///< never part of a safe recipe: half a model by design
  Subset failing;   ///< those that fail alone
  Subset suspects;  ///< those that change something alone: where to look first
};

struct LeftOutPlace {
  std::size_t place = 0;
  enum class Why { unfit, alone, together } why = Why::alone;
  std::size_t interaction = 0;  ///< `together`: number of the interaction that it was left out for
};

struct SafeSearch {
  enum class End {
    verified,        ///< `kept` is clean
    nothing_left,    ///< every part that was tried fails
    unclear,         ///< `kept` is neither clean nor to be blamed on passes
    comes_and_goes,  ///< `kept` fails, and no part of it does so twice
    cut_short,       ///< more lists would have to be tried than may be
    out_of_time,     ///< the budget was spent
  };
  struct Interaction {
    MinimalFailure minimal;
    Subset found_in;  ///< the part of the recipe whose failure it explains
  };
  End end = End::unclear;
  Subset kept;                            ///< what is left of the recipe
  std::vector<LeftOutPlace> left_out;     ///< by place
  std::vector<Interaction> interactions;  ///< the first ones explain `left_out`; then those that overlap with them
};

/// A clean recipe is safe as it is. Else the passes that fail alone are left out; while the rest fails, its minimal
/// failing part is looked for and one pass of that is left out, the first whose removal is clean, else the first. At
/// the end every pass that was left out is put back if the whole is clean with it. With that known, interactions that
/// share passes with those that were met are looked for: where leaving out another pass of one does not help, there is
/// a further one (Reiter, "A Theory of Diagnosis from First Principles", Artificial Intelligence 32, 1987: the tree of
/// hitting sets). At most 8 further ones are found, by at most 60 recipes and the last minimal failing part. Recipes
/// that are not monotone (a part fails, the whole does not) only make the result smaller than it could be, never wrong:
/// what is returned as verified was shown to be clean.
SafeSearch find_safe_recipe(RecipeQuestions& trials, const Passes& recipe, const KnownPlaces& known);

}  // namespace culprit
