#include "conversion/map/parameter_pairs.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "conversion/map/parameter_order.h"
#include "conversion/number_profile.h"

namespace culprit {
namespace {

/// Above that a pair must be of one role. Of many candidates then, and of those that say little, only the ones near the
/// expected place are looked at.
constexpr double loosely = 5e-3;
constexpr std::size_t most_candidates = 48;

bool has_few_numbers(const std::vector<float>& numbers) {
  std::optional<float> second;
  for (const float number : numbers) {
    if (number == numbers[0]) continue;
    if (!second) second = number;
    if (number != *second) return false;
  }
  return true;
}

bool is_weight_of_many(const std::string& role) { return role == "kernel" || role == "recurrence" || role == "table"; }

bool may_have_one_role(const DerivedTensor& source, const TargetParameter& target) {
  if (source.role == "operand" || target.role == "operand" || source.role.empty() || target.role.empty()) return true;
  return is_weight_of_many(source.role) == is_weight_of_many(target.role);
}

}  // namespace

NumberSums::NumberSums(const std::vector<float>& numbers) {
  for (const float number : numbers) {
    if (!std::isfinite(number)) continue;
    const double magnitude = std::abs(static_cast<double>(number));
    size += magnitude;
    square += magnitude * magnitude;
    largest = std::max(largest, magnitude);
  }
  if (numbers.empty()) return;
  size /= static_cast<double>(numbers.size());
  square /= static_cast<double>(numbers.size());
}

bool NumberSums::may_be(const NumberSums& other, double most) const {
  constexpr double slack = 1.01;  // of the sums themselves
  return std::abs(size - other.size) <= slack * most * size &&
         std::abs(square - other.square) <= slack * most * size * (largest + other.largest);
}

ParameterPairs::ParameterPairs(const std::vector<DerivedTensor>& sources, const std::vector<TargetParameter>& targets)
    : sources_(sources), targets_(targets) {
  for (const DerivedTensor& source : sources) {
    little_source_.push_back(has_few_numbers(source.tensor.numbers));
    sums_source_.emplace_back(source.tensor.numbers);
  }
  for (std::size_t i = 0; i < targets.size(); ++i) {
    little_target_.push_back(has_few_numbers(targets[i].tensor.numbers));
    sums_target_.emplace_back(targets[i].tensor.numbers);
    by_count_[targets[i].tensor.numbers.size()].push_back({sums_target_.back().size, i});
  }
  for (auto& [count, entries] : by_count_) std::ranges::sort(entries, {}, &Entry::size);
}

template <class Visit>
void ParameterPairs::for_candidates(std::size_t source, const Open& open, double most, const PlaceLine& line,
                                    const Visit& visit) const {
  const auto group = by_count_.find(sources_[source].tensor.numbers.size());
  if (group == by_count_.end() || sources_[source].tensor.numbers.empty()) return;
  const double size = sums_source_[source].size;
  std::vector<std::pair<double, std::size_t>> candidates;
  for (auto entry = std::ranges::lower_bound(group->second, size * (1 - most * 1.01), {}, &Entry::size);
       entry != group->second.end() && entry->size <= size * (1 + most * 1.01); ++entry)
    if (open.target[entry->target] && sums_source_[source].may_be(sums_target_[entry->target], most))
      candidates.emplace_back(line.off(sources_[source].tensor.place, targets_[entry->target].tensor.place),
                              entry->target);
  if ((most > loosely || little_source_[source]) && candidates.size() > most_candidates) {
    std::ranges::nth_element(candidates, candidates.begin() + most_candidates);
    candidates.resize(most_candidates);
  }
  for (const auto& [off, target] : candidates) visit(target, off);
}

std::vector<ParameterPair> ParameterPairs::within(const Open& open, double most, const PlaceLine& line,
                                                  bool little) const {
  std::vector<ParameterPair> pairs;
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    if (!open.source[source] || little_source_[source] != little) continue;
    for_candidates(source, open, most, line, [&](std::size_t target, double off) {
      if (little_target_[target] != little) return;
      if (most > loosely && !may_have_one_role(sources_[source], targets_[target])) return;
      const auto found = parameter_order(sources_[source].tensor, targets_[target].tensor, most);
      if (!found) return;
      ParameterMatch match{source, target};
      match.kind = found->distance <= MatchLimits{}.same_within ? TensorMatch::Kind::same : TensorMatch::Kind::changed;
      match.order = found->order;
      match.distance = found->distance;
      pairs.push_back({std::move(match), off});
    });
  }
  return pairs;
}

std::vector<ParameterPair> ParameterPairs::scrambled(const Open& open, const PlaceLine& line) const {
  const double most = MatchLimits{}.same_within;
  std::vector<ParameterPair> pairs;
  for (std::size_t source = 0; source < sources_.size(); ++source) {
    if (!open.source[source] || little_source_[source]) continue;
    std::optional<NumberProfile> profile;
    for_candidates(source, open, most, line, [&](std::size_t target, double off) {
      const TensorOfNumbers &one = sources_[source].tensor, &other = targets_[target].tensor;
      if (little_target_[target] || !may_have_one_role(sources_[source], targets_[target])) return;
      if (!profile) profile.emplace(one.numbers);
      if (profile->distance(NumberProfile(other.numbers)) > most) return;
      ParameterMatch match{source, target, TensorMatch::Kind::scrambled};
      if (auto order = nearest_order(one.shape, one.numbers, other.shape, other.numbers, MatchLimits{}.most_changed)) {
        match.order = std::move(order->order);
        match.distance = order->distance;
      }
      pairs.push_back({std::move(match), off});
    });
  }
  return pairs;
}

}  // namespace culprit
