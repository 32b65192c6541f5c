#pragma once
// Why does the recipe fail, and what is left of it that is right? Puts the questions of the pure searches
// (check/explain/minimal_failing_passes.h, check/explain/safe_recipe.h), and keeps what the answers rest on.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "check/explain/safe_recipe.h"
#include "check/variants/confirmed_variants.h"

namespace culprit {

inline bool holds(const Passes& passes, const std::string& pass) {
  return std::ranges::find(passes, pass) != passes.end();
}
/// Is it made by this recipe, with all that its passes do?
inline bool is_of(const Variant& variant, const Recipe& recipe) {
  return variant.plan.rewrites.limits_nothing() && variant.plan.recipe == recipe;
}
/// Is it made by one pass alone?
inline bool is_single(const Variant& variant) {
  return variant.plan.rewrites.limits_nothing() && variant.plan.recipe.passes.size() == 1;
}

/// Was this variant verified: made, run on all samples, found right, and not found wrong at the deploy level? What
/// nobody ran is right only if it is the original, or the round trip and that was verified.
bool is_clean(const JudgedVariants& variants, const Variant& variant);
/// Does it fail by the doing of its passes, and not as the round trip does?
bool blames_passes(const JudgedVariants& variants, const Variant& variant);
RecipeAnswer answer_of(const JudgedVariants& variants, const Variant& variant);
/// The answer that a faulty judgement gives; `level`: "" if it was judged at the reference's.
RecipeAnswer answer_of(const Judgement& judgement, const std::string& level);

/// What was found out about the recipe that users run: the bundle, or --passes.
struct Explanation {
  std::size_t recipe = 0;            ///< number of the variant
  std::vector<std::size_t> failing;  ///< variants with one of its passes alone that fail
  SafeSearch search;
  struct ShownBy {
    std::size_t minimal = 0;   ///< the variant with the passes of the interaction alone
    std::size_t found_in = 0;  ///< the variant whose failure it explains
  };
  std::vector<ShownBy> shown_by;    ///< of each interaction
  std::optional<std::size_t> safe;  ///< the variant with the safe recipe; absent where none was verified
};

class RecipeSearch {
 public:
  RecipeSearch(ConfirmedVariants& variants, Dispatcher& dispatcher, const CheckOptions& options,
               const OptimizerTraits& optimizer)
      : variants_(variants), dispatcher_(dispatcher), options_(options), optimizer_(optimizer) {}

  /// `recipe` is one of the plan. Recipes that are made on the way are trials: only those that carry a fault or are the
  /// safe recipe are kept for the report.
  Result<Explanation> explain(const Recipe& recipe);

 private:
  Result<void> try_passes_alone(const Passes& recipe);
  Result<void> look_at_all_samples(const Passes& recipe);
  [[nodiscard]] PlannedVariant trial_of(const Passes& passes) const;
  [[nodiscard]] bool is_known(const Passes& passes) const;
  Result<std::size_t> number_of(const Passes& passes);
  [[nodiscard]] const Variant& variant_at(std::size_t i) const { return variants_.all()[i]; }
  [[nodiscard]] Passes changing_alone(const Variant& whole) const;
  [[nodiscard]] KnownPlaces known_places(const Explanation& explanation, const Subset& fit) const;
  /// All but those that give half a model by design.
  [[nodiscard]] Subset fit_places(const Passes& recipe) const;
  Result<RecipeAnswer> show(const Passes& passes);
  Result<RecipeAnswer> show_again(const Passes& passes);
  Result<void> keep_evidence(Explanation& explanation, const Passes& rest);
  Result<std::size_t> keep(const Passes& passes, const std::string& reason, const std::string& made_as = "");
  [[nodiscard]] std::string name_without(const Explanation& explanation) const;

  ConfirmedVariants& variants_;
  Dispatcher& dispatcher_;
  const CheckOptions& options_;
  const OptimizerTraits& optimizer_;
};

}  // namespace culprit
