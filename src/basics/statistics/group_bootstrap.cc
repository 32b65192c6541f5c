#include "statistics/group_bootstrap.h"

#include <algorithm>

#include "base/random.h"

namespace culprit {

std::vector<GroupWeights> draw_groups(std::uint32_t there, std::uint64_t seed) {
  std::vector<std::size_t> groups;
  for (std::size_t group = 0; group < sample_groups; ++group)
    if ((there >> group & 1) != 0) groups.push_back(group);
  std::vector<GroupWeights> draws(group_draws);
  Random random(seed, "draw_groups");
  for (GroupWeights& weights : draws) {
    weights.fill(0);
    for (std::size_t i = 0; i < groups.size(); ++i)
      ++weights[groups[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(groups.size()) - 1))]];
  }
  return draws;
}

Estimate around_draws(double all, std::vector<double> drawn, std::size_t samples) {
  if (drawn.size() < 2) return {all, 0, 1};
  const Interval middle = middle_of(std::move(drawn));
  return not_too_sure({all, std::min(all, middle.low), std::max(all, middle.high)}, samples);
}

}  // namespace culprit
