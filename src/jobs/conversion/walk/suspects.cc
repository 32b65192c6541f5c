#include "conversion/walk/suspects.h"

#include <algorithm>
#include <set>

namespace culprit {
namespace {

bool is_made_by_a_mover(const Ways& ways, int value) {
  const int maker = ways.maker(value);
  return maker >= 0 && is_mover(ways.network().layers[static_cast<std::size_t>(maker)]);
}

std::vector<int> layers_of(const Ways& ways, const std::vector<int>& values) {
  std::set<int> layers;
  for (const int value : values)
    if (ways.maker(value) >= 0) layers.insert(ways.maker(value));
  return {layers.begin(), layers.end()};
}

/// Does the region of the source end at this value? It does at fed values, known ones that no mover makes, or a mover
/// of what is not known.
bool is_border(const Ways& source, int value, const ValueMatches& known) {
  const auto match = known.find(value);
  if (match == known.end()) return false;
  return match->second.by == FoundBy::fed || !is_made_by_a_mover(source, value) ||
         std::ranges::none_of(source.before(value), [&](int input) { return known.contains(input); });
}

}  // namespace

std::vector<bool> suspects_of(const Ways& source, const std::vector<int>& bad, const ValueMatches& known) {
  std::set<int> stop;
  for (const auto& [value, match] : known) stop.insert(value);
  for (const int output : bad) stop.erase(output);
  std::vector<bool> found(source.network().values.size());
  for (const int output : bad)
    for (const int value : source.back_to(output, stop)) found[static_cast<std::size_t>(value)] = true;
  return found;
}

std::optional<int> first_suspect(const Ways& source, const std::vector<bool>& suspects, const ValueMatches& known) {
  for (const int value : source.values())
    if (suspects[static_cast<std::size_t>(value)] && source.maker(value) >= 0 &&
        std::ranges::all_of(source.before(value), [&](int input) { return known.contains(input); }))
      return value;
  return std::nullopt;
}

std::vector<int> layers_between(const Ways& source, const std::vector<bool>& suspects, int from, int to) {
  std::vector<int> found;
  for (const int value : source.values())
    if (suspects[static_cast<std::size_t>(value)] && (value == from || source.is_behind(value, from)) &&
        (value == to || source.is_behind(to, value)))
      found.push_back(value);
  return layers_of(source, found);
}

FaultRegion region_before(const Ways& source, const Ways& target, const ValueMatches& known, const ValueMatch& cut) {
  std::set<int> stop, all_mates;
  for (const auto& [value, match] : known) {
    if (!is_border(source, value, known)) continue;
    stop.insert(value);
    for (const int twin : target.twins(match.target)) all_mates.insert(twin);
  }
  stop.erase(cut.source);
  FaultRegion region;
  region.source = cut.source;
  region.target = cut.target;
  region.order = cut.order;
  region.source_layers = layers_of(source, source.back_to(cut.source, stop));
  std::set<int> mates;
  for (const int value : source.borders(cut.source, stop)) {
    region.borders.push_back(known.at(value));
    mates.insert(known.at(value).target);
  }
  if (!mates.contains(cut.target)) all_mates.erase(cut.target);
  region.target_layers = layers_of(target, target.back_to(cut.target, all_mates));
  for (const int mate : target.borders(cut.target, all_mates))
    for (const auto& [value, match] : known) {
      const auto twins = target.twins(match.target);
      if (std::ranges::find(twins, mate) == twins.end() || !stop.contains(value) || !mates.insert(mate).second)
        continue;
      region.borders.push_back(match);
      region.borders.back().target = mate;
    }
  return region;
}

}  // namespace culprit
