#include "task/label_sets.h"

#include <algorithm>
#include <utility>

namespace culprit {

void LabelSetCounts::add(std::int64_t sample, std::span<const std::int64_t> given,
                         std::span<const std::int64_t> right) {
  const std::size_t group = group_of(sample);
  groups_ |= std::uint32_t{1} << group;
  ++sets_;
  same_ += std::ranges::equal(given, right) ? 1 : 0;
  const auto count_of = [&](std::int64_t label) -> Count& {
    return classes_[std::min(label, static_cast<std::int64_t>(most_classes))][group];
  };
  for (const std::int64_t label : given) {
    ++count_of(label).given;
    count_of(label).hits += std::ranges::binary_search(right, label) ? 1 : 0;
  }
  for (const std::int64_t label : right) ++count_of(label).right;
}

void LabelSetCounts::merge(const LabelSetCounts& later) {
  groups_ |= later.groups_;
  sets_ += later.sets_;
  same_ += later.same_;
  for (const auto& [label, by_group] : later.classes_) {
    ByGroup& own = classes_[label];
    for (std::size_t group = 0; group < sample_groups; ++group) {
      own[group].hits += by_group[group].hits;
      own[group].given += by_group[group].given;
      own[group].right += by_group[group].right;
    }
  }
}

void LabelSetCounts::write(StateWriter& state) const {
  state.add(groups_).add(sets_).add(same_).add(static_cast<std::uint64_t>(classes_.size()));
  for (const auto& [label, by_group] : classes_) {
    state.add(label);
    for (const Count& count : by_group) state.add(count.hits).add(count.given).add(count.right);
  }
}

LabelSetCounts LabelSetCounts::read(StateReader& state) {
  LabelSetCounts counts;
  counts.groups_ = state.next<std::uint32_t>();
  counts.sets_ = state.count();
  counts.same_ = state.count();
  const auto classes = state.next<std::uint64_t>();
  if (classes > most_classes + 1) state.refuse();
  for (std::uint64_t i = 0; i < classes && state.is_good(); ++i) {
    ByGroup& by_group = counts.classes_[state.next<std::int64_t>()];
    for (Count& count : by_group) {
      count.hits = state.count();
      count.given = state.count();
      count.right = state.count();
    }
  }
  return counts;
}

std::vector<LabelSetCounts::ClassCount> LabelSetCounts::classes() const {
  std::vector<ClassCount> all;
  all.reserve(classes_.size());
  for (const auto& [label, by_group] : classes_) {
    ClassCount& one = all.emplace_back();
    one.label = label;
    for (const Count& count : by_group) {
      one.hits += count.hits;
      one.given += count.given;
      one.right += count.right;
    }
  }
  return all;
}

double LabelSetCounts::micro_of(const std::vector<Count>& counts) {
  std::int64_t hits = 0, both = 0;
  for (const Count& count : counts) {
    hits += count.hits;
    both += count.given + count.right;
  }
  return both == 0 ? 1 : 2 * static_cast<double>(hits) / static_cast<double>(both);
}

double LabelSetCounts::macro_of(const std::vector<Count>& counts) {
  double sum = 0;
  std::int64_t there = 0;
  for (const Count& count : counts) {
    if (count.given + count.right == 0) continue;
    sum += 2 * static_cast<double>(count.hits) / static_cast<double>(count.given + count.right);
    ++there;
  }
  return there == 0 ? 1 : sum / static_cast<double>(there);
}

template <class Value>
Estimate LabelSetCounts::over_groups(std::uint64_t seed, const Value& value) const {
  const auto of_draw = [&](const GroupWeights& weights) {
    std::vector<Count> counts;
    for (const auto& [label, by_group] : classes_) {
      Count& sum = counts.emplace_back();
      for (std::size_t group = 0; group < sample_groups; ++group) {
        sum.hits += weights[group] * by_group[group].hits;
        sum.given += weights[group] * by_group[group].given;
        sum.right += weights[group] * by_group[group].right;
      }
    }
    return value(counts);
  };
  return over_draws(groups_, seed, static_cast<std::size_t>(sets_), of_draw);
}

Estimate LabelSetCounts::f1_micro(std::uint64_t seed) const { return over_groups(seed, micro_of); }

Estimate LabelSetCounts::f1_macro(std::uint64_t seed) const { return over_groups(seed, macro_of); }

}  // namespace culprit
