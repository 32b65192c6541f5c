#include "check/explain/minimal_failing_passes.h"

#include <algorithm>

namespace culprit {
namespace {

using State = RecipeAnswer::State;

Subset chosen(const Subset& from, const Subset& indices) {
  Subset places;
  for (const std::size_t index : indices) places.push_back(from[index]);
  return places;
}

class FailingListSearch {
 public:
  FailingListSearch(RecipeQuestions& trials, const Passes& recipe, const Subset& kept)
      : trials_(trials), recipe_(recipe), target_(trials.show(passes_at(recipe, kept))) {}

  MinimalFailure find(const Subset& kept, const Subset& suspects) {
    MinimalFailure found;
    found.failure = target_.failure;
    const bool is_hint = !suspects.empty() && suspects.size() < kept.size() && fails_at(suspects);
    const Subset& from = is_hint ? suspects : kept;
    const auto minimal = ddmin(from.size(), [&](const Subset& indices) { return fails_at(chosen(from, indices)); });
    found.places = chosen(from, minimal.minimal);
    found.complete = minimal.complete && !trials_.exhausted();
    const Passes passes = passes_at(recipe_, found.places);
    found.confirmed = !passes.empty() && trials_.confirm(passes) == target_;
    const bool is_pair = passes.size() == 2 && found.confirmed && found.complete;
    if (is_pair) found.order = trials_.ordered() ? order_of(passes) : MinimalFailure::Order::none;
    return found;
  }

 private:
  bool fails_at(const Subset& places) { return fails(passes_at(recipe_, places)); }
  bool fails(const Passes& passes) { return target_.state == State::fails && trials_.show(passes) == target_; }

  MinimalFailure::Order order_of(Passes passes) {
    if (passes.front() == passes.back()) return MinimalFailure::Order::unknown;
    std::ranges::reverse(passes);
    const State reverse = trials_.show(passes).state;
    if (fails(passes)) return MinimalFailure::Order::either;
    return reverse == State::unclear ? MinimalFailure::Order::unknown : MinimalFailure::Order::matters;
  }

  RecipeQuestions& trials_;
  const Passes& recipe_;
  const RecipeAnswer target_;
};

}  // namespace

MinimalFailure minimal_failure(RecipeQuestions& trials, const Passes& recipe, const Subset& kept,
                               const Subset& suspects) {
  return FailingListSearch(trials, recipe, kept).find(kept, suspects);
}

}  // namespace culprit
