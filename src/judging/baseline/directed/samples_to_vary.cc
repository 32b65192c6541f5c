#include "baseline/directed/samples_to_vary.h"

#include <algorithm>

namespace culprit {

std::vector<std::size_t> bases_of(const std::vector<std::set<std::string>>& reached) {
  std::vector<std::size_t> rest, bases;
  for (std::size_t i = reached.size(); i-- > 0;) {
    if (!reached[i].empty()) rest.push_back(i);
  }
  std::set<std::string> met;
  const auto gain = [&](std::size_t sample) {
    return std::ranges::count_if(reached[sample], [&](const std::string& place) { return !met.contains(place); });
  };
  while (!rest.empty()) {
    const auto best = std::ranges::max_element(rest, {}, gain);
    if (gain(*best) == 0) {
      met.clear();
      continue;
    }
    met.insert(reached[*best].begin(), reached[*best].end());
    bases.push_back(*best);
    rest.erase(best);
  }
  return bases;
}

}  // namespace culprit
