#include "conversion/map/parameter_pairs.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "conversion/map/parameter_order.h"
#include "conversion/number_profile.h"

namespace culprit {
namespace {

/// Above that a pair must be of one role. Of many candidates then, and of those that say little, only the ones near the
/// expected place are looked at.
constexpr double loosely = 5e-3;
constexpr double nearly_same_form = 1e-3;  ///< beyond that, folded forms are looked at more closely
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
  find_folded();
}

void ParameterPairs::find_folded() {
  std::set<std::pair<int, int>> of_source, of_target;
  for (const DerivedTensor& source : sources_)
    for (const ReplacedParameter& part : source.stands_for)
      if (!source.folded.empty()) of_source.emplace(part.layer, part.value);
  for (const TargetParameter& target : targets_)
    for (const ReplacedParameter& part : target.stands_for)
      if (!target.is_stored()) of_target.emplace(part.layer, part.value);
  const auto is_in = [](const std::set<std::pair<int, int>>& folded, const std::vector<ReplacedParameter>& parts) {
    return std::ranges::any_of(parts, [&](const ReplacedParameter& part) {
      return folded.contains({part.layer, part.value});
    });
  };
  is_folded_source_.reserve(sources_.size());
  for (const DerivedTensor& source : sources_) is_folded_source_.push_back(is_in(of_source, source.stands_for));
  is_folded_target_.reserve(targets_.size());
  for (const TargetParameter& target : targets_) is_folded_target_.push_back(is_in(of_target, target.stands_for));
}

bool ParameterPairs::have_forms_that_fit(std::size_t source, std::size_t target, bool is_loose) const {
  const DerivedTensor& one = sources_[source];
  const TargetParameter& other = targets_[target];
  if (other.is_stored())
    return !is_loose || is_folded_source_[source] || !is_folded_target_[target] || !one.is_stored();
  const bool is_of_its_kind = (one.role == "kernel") == (other.role == "kernel") &&
                              (one.role == other.role || one.role == "operand" || one.role.empty());
  return one.is_stored() && is_of_its_kind && (!is_loose || !is_folded_source_[source]);
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
      if (little_target_[target] != little || !have_forms_that_fit(source, target, most > nearly_same_form)) return;
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
      if (!have_forms_that_fit(source, target, false)) return;
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
