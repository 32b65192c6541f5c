#include "check/safe_recipe.h"

#include <algorithm>

namespace culprit {
namespace {

using State = Showing::State;
using End = SafeSearch::End;
using Why = LeftOutPlace::Why;

bool holds(const Subset& places, std::size_t place) { return std::ranges::binary_search(places, place); }

Subset without(Subset places, std::size_t place) {
  std::erase(places, place);
  return places;
}

Subset with(Subset places, std::size_t place) {
  places.insert(std::ranges::lower_bound(places, place), place);
  return places;
}

class Search {
 public:
  Search(RecipeTrials& trials, const Passes& recipe, const KnownPlaces& known)
      : trials_(trials), recipe_(recipe), known_(known) {
    for (std::size_t place = 0; place < recipe.size(); ++place) found_.kept.push_back(place);
  }

  SafeSearch search() {
    for (const std::size_t place : known_.unfit) leave_out({place, Why::unfit});
    if (show(found_.kept).state == State::fails) {
      for (const std::size_t place : known_.failing) {
        if (holds(found_.kept, place)) leave_out({place, Why::alone});
      }
    }
    while (!is_settled()) {
    }
    if (found_.end == End::verified || found_.end == End::nothing_left) put_back();
    std::ranges::sort(found_.left_out, {}, &LeftOutPlace::place);
    return std::move(found_);
  }

 private:
  Showing show(const Subset& places) { return trials_.show(passes_at(recipe_, places)); }
  bool is_clean(const Subset& places) { return show(places).state == State::clean; }

  void leave_out(LeftOutPlace left_out) {
    std::erase(found_.kept, left_out.place);
    found_.left_out.push_back(left_out);
  }

  bool ends(End end) {
    found_.end = end;
    return true;
  }

  /// One step: true when there is no more to do.
  bool is_settled() {
    if (found_.kept.empty()) return ends(End::nothing_left);
    const State state = trials_.confirm(passes_at(recipe_, found_.kept)).state;
    if (state == State::clean) return ends(End::verified);
    if (state == State::unclear) return ends(trials_.exhausted() ? End::cut_short : End::unclear);
    Subset suspects;
    std::ranges::set_intersection(known_.suspects, found_.kept, std::back_inserter(suspects));
    found_.interactions.push_back({minimal_failure(trials_, recipe_, found_.kept, suspects), found_.kept});
    const MinimalFailure& minimal = found_.interactions.back().minimal;
    if (!minimal.confirmed) return ends(End::comes_and_goes);
    leave_out({best_of(minimal.places), Why::together, found_.interactions.size() - 1});
    return false;
  }

  std::size_t best_of(const Subset& places) {
    for (const std::size_t place : places) {
      const Subset rest = without(found_.kept, place);
      if (!rest.empty() && is_clean(rest)) return place;
    }
    return places.front();
  }

  /// What was left out early may do no harm now: until no more can be put back.
  void put_back() {
    std::ranges::sort(found_.left_out, {}, &LeftOutPlace::place);
    for (bool again = true; again;) {
      again = false;
      std::erase_if(found_.left_out, [&](const LeftOutPlace& left_out) {
        if (left_out.why == Why::unfit || !is_clean(with(found_.kept, left_out.place))) return false;
        found_.kept = with(found_.kept, left_out.place);
        found_.end = End::verified;
        return again = true;
      });
    }
  }

  RecipeTrials& trials_;
  const Passes& recipe_;
  const KnownPlaces& known_;
  SafeSearch found_;
};

}  // namespace

SafeSearch find_safe_recipe(RecipeTrials& trials, const Passes& recipe, const KnownPlaces& known) {
  return Search(trials, recipe, known).search();
}

}  // namespace culprit
