#include "conversion/match_tensors.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace culprit {
namespace {

struct Pair {
  TensorMatch match;
  int apart = 0;  ///< places
};

class Matcher {
 public:
  Matcher(const std::vector<TensorOfNumbers>& sources, const std::vector<TensorOfNumbers>& targets,
          const MatchLimits& limits)
      : sources_(sources), targets_(targets), limits_(limits) {
    source_profiles_.reserve(sources.size());
    for (const auto& tensor : sources) source_profiles_.emplace_back(tensor.numbers);
    target_profiles_.reserve(targets.size());
    for (const auto& tensor : targets) target_profiles_.emplace_back(tensor.numbers);
    for (std::size_t i = 0; i < targets.size(); ++i) by_count_[targets[i].numbers.size()].push_back(i);
  }

  std::vector<TensorMatch> match() {
    for (std::size_t source = 0; source < sources_.size(); ++source) look_for(source);
    std::ranges::sort(pairs_, {}, [](const Pair& pair) {
      return std::tuple(pair.match.kind == TensorMatch::Kind::scrambled, pair.match.distance, pair.apart,
                        pair.match.source, pair.match.target);
    });
    std::vector<bool> taken(sources_.size()), given(targets_.size());
    std::vector<TensorMatch> found;
    for (const Pair& pair : pairs_) {
      if (taken[pair.match.source] || given[pair.match.target]) continue;
      taken[pair.match.source] = given[pair.match.target] = true;
      found.push_back(pair.match);
    }
    std::ranges::sort(found, {}, &TensorMatch::source);
    return found;
  }

 private:
  void look_for(std::size_t source) {
    const auto group = by_count_.find(sources_[source].numbers.size());
    if (group == by_count_.end() || sources_[source].numbers.empty()) return;
    for (const std::size_t target : group->second) {
      if (source_profiles_[source].rough_distance(target_profiles_[target]) > 2 * limits_.most_changed) continue;
      const double sorted = source_profiles_[source].distance(target_profiles_[target]);
      if (sorted > limits_.most_changed) continue;
      if (auto match = compare(source, target, sorted))
        pairs_.push_back({*match, std::abs(sources_[source].place - targets_[target].place)});
    }
  }

  [[nodiscard]] std::optional<TensorMatch> compare(std::size_t source, std::size_t target, double sorted) const {
    const auto& one = sources_[source];
    const auto& other = targets_[target];
    const auto nearest = nearest_order(one.shape, one.numbers, other.shape, other.numbers, limits_.most_changed);
    if (!nearest) return std::nullopt;
    TensorMatch match{source, target, TensorMatch::Kind::same, nearest->order, nearest->distance};
    if (nearest->distance <= limits_.same_within) return match;
    // In whatever order, tensors are at least as far apart as their sorted numbers are: far more means other places.
    const bool has_same_numbers = sorted <= limits_.same_within || sorted < nearest->distance / 10;
    if (has_same_numbers && source_profiles_[source].distinct() > 2) {
      match.kind = TensorMatch::Kind::scrambled;
      if (nearest->distance <= limits_.most_changed && sorted > limits_.same_within)
        match.kind = TensorMatch::Kind::changed;
      return match;
    }
    if (nearest->distance > limits_.most_changed) return std::nullopt;
    match.kind = TensorMatch::Kind::changed;
    return match;
  }

  const std::vector<TensorOfNumbers>& sources_;
  const std::vector<TensorOfNumbers>& targets_;
  const MatchLimits& limits_;
  std::vector<NumberProfile> source_profiles_, target_profiles_;
  std::map<std::size_t, std::vector<std::size_t>> by_count_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::vector<TensorMatch> match_tensors(const std::vector<TensorOfNumbers>& sources,
                                       const std::vector<TensorOfNumbers>& targets, const MatchLimits& limits) {
  return Matcher(sources, targets, limits).match();
}

}  // namespace culprit
