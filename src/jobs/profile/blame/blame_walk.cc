#include "profile/blame/blame_walk.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace culprit {
namespace {

/// The smallest set of `left` that does it alone.
Subset smallest_of(const Subset& left, const StepsDoIt& do_it) {
  const auto result = ddmin(left.size(), [&](const Subset& places) {
    Subset subset;
    for (const std::size_t place : places) subset.push_back(left[place]);
    return do_it(subset);
  });
  Subset found;
  for (const std::size_t place : result.minimal) found.push_back(left[place]);
  return found;
}

}  // namespace

BlameWalk blame_walk(std::size_t count, const StepsDoIt& do_it, const std::function<bool()>& is_over) {
  BlameWalk walk;
  walk.left.resize(count);
  std::iota(walk.left.begin(), walk.left.end(), std::size_t{0});
  while (!is_over() && do_it(walk.left)) {
    const Subset found = smallest_of(walk.left, do_it);
    if (is_over() || found.empty()) break;
    walk.blamed.insert(walk.blamed.end(), found.begin(), found.end());
    std::erase_if(walk.left, [&](std::size_t step) { return std::ranges::find(found, step) != found.end(); });
  }
  std::ranges::sort(walk.blamed);
  return walk;
}

std::int64_t questions_ahead(std::size_t count, std::size_t lone, const std::function<bool(const Subset&)>& is_known,
                             const StepsDoIt& known) {
  std::set<Subset> asked;
  const auto do_it = [&](const Subset& subset) {
    if (is_known(subset)) return known(subset);
    asked.insert(subset);
    return std::ranges::find(subset, lone) != subset.end();
  };
  const BlameWalk walk = blame_walk(count, do_it, [] { return false; });
  do_it({});
  do_it(walk.blamed);
  do_it(walk.left);
  return static_cast<std::int64_t>(asked.size());
}

}  // namespace culprit
