#include "check/explain/safe_recipe.h"

#include <algorithm>
#include <deque>
#include <set>

namespace culprit {
namespace {

using State = RecipeAnswer::State;
using End = SafeSearch::End;
using Why = LeftOutPlace::Why;

constexpr std::size_t most_overlapping = 8;          // further interactions
constexpr std::size_t most_trials_of_overlaps = 60;  // no new one is begun after so many

bool holds(const Subset& places, std::size_t place) { return std::ranges::binary_search(places, place); }

Subset without(Subset places, std::size_t place) {
  std::erase(places, place);
  return places;
}

Subset with(Subset places, std::size_t place) {
  places.insert(std::ranges::lower_bound(places, place), place);
  return places;
}

class SafeRecipeSearch {
 public:
  SafeRecipeSearch(RecipeQuestions& trials, const Passes& recipe, const KnownPlaces& known)
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
    for (bool goes_on = true; goes_on;) goes_on = leave_out_one_more();
    if (found_.end == End::verified || found_.end == End::nothing_left) {
      put_back();
      if (!found_.interactions.empty()) find_overlapping();
    }
    std::ranges::sort(found_.left_out, {}, &LeftOutPlace::place);
    return std::move(found_);
  }

 private:
  RecipeAnswer show(const Subset& places) { return trials_.show(passes_at(recipe_, places)); }
  bool is_clean(const Subset& places) { return show(places).state == State::clean; }

  void leave_out(LeftOutPlace left_out) {
    std::erase(found_.kept, left_out.place);
    found_.left_out.push_back(left_out);
  }

  /// Nothing more is left out.
  bool ends(End end) {
    found_.end = end;
    return false;
  }

  [[nodiscard]] End why_unclear() const {
    if (!trials_.exhausted()) return End::unclear;
    return trials_.asked_most() ? End::cut_short : End::out_of_time;
  }

  /// One step: of what fails together in the recipe that is kept, one pass is left out. False when there is no more to
  /// do.
  bool leave_out_one_more() {
    if (found_.kept.empty()) return ends(End::nothing_left);
    const State state = trials_.confirm(passes_at(recipe_, found_.kept)).state;
    if (state == State::clean) return ends(End::verified);
    if (state == State::unclear) return ends(why_unclear());
    const Subset suspects = suspects_in(found_.kept);
    found_.interactions.push_back({minimal_failure(trials_, recipe_, found_.kept, suspects), found_.kept});
    const MinimalFailure& minimal = found_.interactions.back().minimal;
    if (!minimal.confirmed) return ends(End::comes_and_goes);
    leave_out({best_of(minimal.places), Why::together, found_.interactions.size() - 1});
    return true;
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

  /// From the whole in which the first interaction was found: every set of passes that takes one of each known
  /// interaction away is tried, the smallest first. What still fails holds another one.
  void find_overlapping() {
    const Subset whole = found_.interactions.front().found_in;
    const std::size_t asked_before = trials_.asked(), known_before = found_.interactions.size();
    const auto is_enough = [&] {
      return found_.interactions.size() >= known_before + most_overlapping ||
             trials_.asked() >= asked_before + most_trials_of_overlaps;
    };
    std::deque<Subset> to_leave_out = {{}};
    std::set<Subset> seen;
    std::vector<Subset> helpful;  // more than these need not be left out
    while (!to_leave_out.empty() && !is_enough()) {
      const Subset left_out = to_leave_out.front();
      to_leave_out.pop_front();
      const auto helps = [&](const Subset& fewer) { return std::ranges::includes(left_out, fewer); };
      if (std::ranges::any_of(helpful, helps)) continue;
      const Subset label = interaction_without(whole, left_out);
      if (label.empty()) helpful.push_back(left_out);
      for (const std::size_t place : label) {
        if (seen.insert(with(left_out, place)).second) to_leave_out.push_back(with(left_out, place));
      }
    }
  }

  /// The places of an interaction in what is left of `whole`: a known one, or one that is found now. Empty: there is
  /// none, or one pass alone fails.
  Subset interaction_without(const Subset& whole, const Subset& left_out) {
    Subset rest;
    std::ranges::set_difference(whole, left_out, std::back_inserter(rest));
    for (const SafeSearch::Interaction& known : found_.interactions) {
      const bool is_here = known.minimal.confirmed && std::ranges::includes(rest, known.minimal.places);
      if (is_here) return known.minimal.places;
    }
    if (rest.empty() || show(rest).state != State::fails) return {};
    const MinimalFailure minimal = minimal_failure(trials_, recipe_, rest, suspects_in(rest));
    if (!minimal.confirmed || !minimal.complete || minimal.places.size() < 2) return {};
    found_.interactions.push_back({minimal, rest});
    return minimal.places;
  }

  [[nodiscard]] Subset suspects_in(const Subset& places) const {
    Subset suspects;
    std::ranges::set_intersection(known_.suspects, places, std::back_inserter(suspects));
    return suspects;
  }

  RecipeQuestions& trials_;
  const Passes& recipe_;
  const KnownPlaces& known_;
  SafeSearch found_;
};

}  // namespace

SafeSearch find_safe_recipe(RecipeQuestions& trials, const Passes& recipe, const KnownPlaces& known) {
  return SafeRecipeSearch(trials, recipe, known).search();
}

}  // namespace culprit
