#include "conversion/walk/kernel_mates.h"

#include <algorithm>
#include <map>
#include <utility>

namespace culprit {
namespace {

constexpr std::size_t least_elements = 9;

/// The mates whose layers are the first on each way back.
std::set<std::size_t> last_kernels(const Ways& ways, int value, const std::map<int, std::set<std::size_t>>& of_layers) {
  std::set<std::size_t> found;
  std::set<int> seen{value};
  for (std::vector<int> left{value}; !left.empty();) {
    const int one = left.back();
    left.pop_back();
    if (const auto held = of_layers.find(ways.maker(one)); held != of_layers.end()) {
      found.insert(held->second.begin(), held->second.end());
      continue;
    }
    for (const int input : ways.before(one))
      if (seen.insert(input).second) left.push_back(input);
  }
  return found;
}

/// Biases that are 0 everywhere stand for any other.
bool says_where(const std::vector<float>& numbers) {
  return numbers.size() >= least_elements && std::ranges::any_of(numbers, [&](float one) { return one != numbers[0]; });
}

}  // namespace

std::vector<KernelMate> kernel_mates(const std::vector<DerivedTensor>& derived,
                                     const std::vector<TargetParameter>& targets,
                                     const std::vector<ParameterMatch>& matches) {
  std::vector<std::size_t> nearest_first(matches.size());
  for (std::size_t i = 0; i < matches.size(); ++i) nearest_first[i] = i;
  std::ranges::stable_sort(nearest_first, {}, [&](std::size_t i) {
    return std::pair(matches[i].kind == TensorMatch::Kind::scrambled, matches[i].distance);
  });
  std::map<int, int> owners;  // by the layer of the source, the target's
  std::vector<KernelMate> mates;
  mates.reserve(matches.size());
  for (const std::size_t i : nearest_first) {
    const DerivedTensor& source = derived[matches[i].source];
    const TargetParameter& target = targets[matches[i].target];
    if (source.layers.empty() || !says_where(source.tensor.numbers)) continue;
    const bool is_held = std::ranges::find(mates, target.layer, &KernelMate::target) != mates.end();
    if (is_held || !owners.emplace(source.layers.front(), target.layer).second) continue;
    mates.push_back({source.layers, target.layer, i});
  }
  for (const ParameterMatch& match : matches) {
    const auto& layers = derived[match.source].layers;
    const int holder = targets[match.target].layer;
    const auto held = std::ranges::find(mates, holder, &KernelMate::target);
    if (held == mates.end() || match.kind != TensorMatch::Kind::same || layers.empty() ||
        !says_where(derived[match.source].tensor.numbers))
      continue;
    // A bias that stands in another layer by mistake does not tie the two together.
    if (const auto owner = owners.find(layers.front()); owner != owners.end() && owner->second != holder) continue;
    held->sources.insert(held->sources.end(), layers.begin(), layers.end());
  }
  for (KernelMate& mate : mates) {
    std::ranges::sort(mate.sources);
    mate.sources.erase(std::unique(mate.sources.begin(), mate.sources.end()), mate.sources.end());
  }
  return mates;
}

KernelsOf kernels_of(const std::vector<KernelMate>& mates, const std::set<int>& sources, const std::set<int>& others) {
  KernelsOf found;
  for (const KernelMate& mate : mates) {
    const auto held = std::ranges::count_if(mate.sources, [&](int layer) { return sources.contains(layer); });
    if (held == 0) continue;
    found.targets.insert(mate.target);
    const auto elsewhere = std::ranges::count_if(
        mate.sources, [&](int layer) { return !sources.contains(layer) && others.contains(layer); });
    if (held + elsewhere < std::ssize(mate.sources)) found.is_whole = false;
  }
  return found;
}

bool rest_on_the_same_kernels(const std::vector<KernelMate>& mates, const Ways& source, int value, const Ways& target,
                              int other) {
  std::map<int, std::set<std::size_t>> of_sources, of_targets;
  for (std::size_t i = 0; i < mates.size(); ++i) {
    for (const int layer : mates[i].sources) of_sources[layer].insert(i);
    of_targets[mates[i].target].insert(i);
  }
  const auto found = last_kernels(source, value, of_sources);
  return !found.empty() && found == last_kernels(target, other, of_targets);
}

}  // namespace culprit
