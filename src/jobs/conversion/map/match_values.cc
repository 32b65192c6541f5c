#include "conversion/map/match_values.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "base/as_index.h"
#include "conversion/map/sketch_index.h"

namespace culprit {
namespace {

bool keeps_numbers_in_place(const NetworkLayer& layer) { return layer.type == "Reshape" || layer.type == "Flatten"; }

class ValueMatcher {
 public:
  ValueMatcher(const MatchTask& task, const ValueMatches& known)
      : task_(task), index_(task.target.values(), task.sketches_target), found_(known) {
    frontiers_.resize(task.source.network().values.size());
    may_mix_channels_.resize(frontiers_.size());
    is_suspect_.resize(frontiers_.size());
    for (const auto& [source, match] : known)
      if (!is_made_by_mover(source)) taken_.insert(match.target);
  }

  Result<ValueMatches> match() {
    for (const int value : task_.source.values()) {
      frontiers_[as_index(value)] = frontier_of(value);
      may_mix_channels_[as_index(value)] = may_mix_channels(value);
      is_suspect_[as_index(value)] = is_suspect(value);
      if (found_.contains(value) || task_.source.maker(value) < 0) continue;
      if (auto ok = look_for(value); !ok) return tl::unexpected(ok.error());
    }
    drop_doubtful();
    return std::move(found_);
  }

 private:
  [[nodiscard]] const NetworkLayer* maker_of(int value) const {
    const int layer = task_.source.maker(value);
    return layer < 0 ? nullptr : &task_.source.network().layers[as_index(layer)];
  }
  [[nodiscard]] bool is_made_by_mover(int value) const {
    const NetworkLayer* layer = maker_of(value);
    return layer != nullptr && is_mover(*layer);
  }

  /// The nearest known values before it.
  [[nodiscard]] std::vector<int> frontier_of(int value) const {
    std::vector<int> frontier;
    for (const int before : task_.source.before(value)) {
      if (found_.contains(before)) {
        frontier.push_back(before);
      } else {
        const auto& behind = frontiers_[as_index(before)];
        frontier.insert(frontier.end(), behind.begin(), behind.end());
      }
    }
    std::ranges::sort(frontier);
    frontier.erase(std::unique(frontier.begin(), frontier.end()), frontier.end());
    return frontier;
  }

  [[nodiscard]] bool is_on_the_path(int target, const std::vector<int>& frontier, bool is_of_mover) const {
    return std::ranges::all_of(frontier, [&](int source) {
      const int mate = found_.at(source).target;
      return task_.target.is_behind_twin(target, mate) || (is_of_mover && target == mate);
    });
  }

  Result<void> look_for(int value) {
    const auto& frontier = frontiers_[as_index(value)];
    const auto sketch = task_.sketches_source.find(value);
    if (frontier.empty() || sketch == task_.sketches_source.end()) return {};
    const bool is_of_mover = is_made_by_mover(value);
    std::vector<Candidate> candidates;
    for (const int target : index_.like(sketch->second, task_.most_apart)) {
      if (!is_on_the_path(target, frontier, is_of_mover) || (!is_of_mover && taken_.contains(target))) continue;
      auto order = order_of(value, target);
      if (!order) return tl::unexpected(order.error());
      if (*order) candidates.push_back({target, std::move(**order)});
    }
    auto match = near_one(value, candidates);
    if (!match) {
      auto within = one_within_tolerance(value, candidates);
      if (!within) return tl::unexpected(within.error());
      match = std::move(*within);
    }
    if (!match) {
      auto judged = judged_one(value, candidates);
      if (!judged) return tl::unexpected(judged.error());
      match = std::move(*judged);
    }
    if (match) take(std::move(*match), frontier);
    return {};
  }

  /// A value of the target that may be the source's.
  struct Candidate {
    int target = -1;
    NearestValueOrder nearest;
  };

  /// nullopt: it is another value, or one of them cannot be read.
  Result<std::optional<NearestValueOrder>> order_of(int source, int target) {
    const auto one = task_.elements_source.of(source);
    if (!one) return tl::unexpected(one.error());
    const auto other = task_.elements_target.of(target);
    if (!other) return tl::unexpected(other.error());
    auto order = nearest_value_order(*one, *other, !keeps_numbers_in_place(*maker_of(source)), task_.most_apart,
                                     orders_before(source));
    if (!order || (!order->order.channels.empty() && !may_mix_channels_[as_index(source)])) return std::nullopt;
    return std::optional<NearestValueOrder>(std::move(*order));
  }

  /// The nearest of those that are near enough to be taken unasked.
  [[nodiscard]] std::optional<ValueMatch> near_one(int source, const std::vector<Candidate>& candidates) const {
    if (is_suspect_[as_index(source)]) return std::nullopt;
    const Candidate* best = nullptr;
    for (const Candidate& candidate : candidates) {
      const NumbersApart& apart = candidate.nearest.apart;
      if (apart.largest > task_.near_enough * apart.size) continue;
      if (best == nullptr || is_nearer(apart, best->nearest.apart)) best = &candidate;
    }
    if (best == nullptr) return std::nullopt;
    ValueMatch match{source, best->target, best->nearest.order, FoundBy::numbers};
    match.measurement.max_abs = best->nearest.apart.largest;
    match.is_near = true;
    return match;
  }

  /// The nearest of those within the tolerance, where the value may drift. No draw would refuse such a value.
  Result<std::optional<ValueMatch>> one_within_tolerance(int source, const std::vector<Candidate>& candidates) {
    std::optional<ValueMatch> match;
    const NumbersApart* best = nullptr;
    if (is_suspect_[as_index(source)]) return match;
    for (const Candidate& candidate : candidates) {
      const NumbersApart& apart = candidate.nearest.apart;
      if (best != nullptr && !is_nearer(apart, *best)) continue;
      const auto looked = judge(source, candidate, true);
      if (!looked) return tl::unexpected(looked.error());
      if (looked->likeness == Likeness::differs) continue;
      match = ValueMatch{source, candidate.target, candidate.nearest.order, FoundBy::numbers, looked->measurement};
      match->is_near = true;
      best = &apart;
    }
    return match;
  }

  /// The first that is equal; else the first that drifts, where it may.
  Result<std::optional<ValueMatch>> judged_one(int source, const std::vector<Candidate>& candidates) {
    std::optional<ValueMatch> drifting;
    for (const Candidate& candidate : candidates) {
      const auto judged = judge(source, candidate, false);
      if (!judged) return tl::unexpected(judged.error());
      ValueMatch match{source, candidate.target, candidate.nearest.order, FoundBy::numbers, judged->measurement};
      if (judged->likeness == Likeness::equal) return match;
      if (judged->likeness == Likeness::drifts && !must_be_equal(source) && !drifting) drifting = std::move(match);
    }
    return drifting;
  }

  Result<JudgedPair> judge(int source, const Candidate& candidate, bool is_first_look) {
    const auto one = task_.elements_source.of(source);
    if (!one) return tl::unexpected(one.error());
    const auto other = task_.elements_target.of(candidate.target);
    if (!other) return tl::unexpected(other.error());
    const ValuePair pair{source, candidate.target, *one, *other, [&](const Tensor& tensor, const Shape& shape) {
                           return brought_back(tensor, candidate.nearest.order, shape);
                         }};
    return is_first_look ? Result<JudgedPair>(task_.judge.first_look(pair)) : task_.judge.judge(pair);
  }

  [[nodiscard]] bool must_be_equal(int source) const {
    return as_index(source) < task_.must_be_equal.size() && task_.must_be_equal[as_index(source)];
  }

  /// Must it be equal, or does it follow from one that must?
  [[nodiscard]] bool is_suspect(int source) const {
    return must_be_equal(source) ||
           std::ranges::any_of(task_.source.before(source), [&](int before) { return is_suspect_[as_index(before)]; });
  }

  /// Are its weights spread over channels? The numbers that a Mul takes are not, nor the shape of a Reshape.
  [[nodiscard]] bool mixes_itself(int source) const {
    const NetworkLayer* maker = maker_of(source);
    return maker != nullptr && std::ranges::any_of(maker->parameters, [](const Parameter& parameter) {
             return parameter.role == "kernel" || parameter.role == "recurrence" || parameter.role == "table";
           });
  }

  /// Hidden channels change places with the weights of a layer. What has none, a Concat, only hands on what came mixed.
  [[nodiscard]] bool may_mix_channels(int source) const {
    if (mixes_itself(source)) return true;
    return std::ranges::any_of(task_.source.before(source), [&](int before) {
      const auto known = found_.find(before);
      return known == found_.end() ? may_mix_channels_[as_index(before)] : !known->second.order.channels.empty();
    });
  }

  /// The orders of the known values before it, for the order of a value often is theirs.
  [[nodiscard]] std::vector<ValueOrder> orders_before(int source) const {
    std::vector<ValueOrder> orders;
    for (const int before : frontiers_[as_index(source)]) {
      const ValueOrder& order = found_.at(before).order;
      if (std::ranges::find(orders, order) == orders.end()) orders.push_back(order);
    }
    return orders;
  }

  /// Is it in an order that nothing before it has, though its own would fit the shape? Then it may be its transpose by
  /// a mistake: scores of K and Q for those of Q and K, a picture on its side.
  [[nodiscard]] bool is_doubtful(const ValueMatch& match, const std::vector<int>& frontier) const {
    const ValueOrder& order = match.order;
    if (order.moves_nothing() || is_made_by_mover(match.source)) return false;
    if (order.axes.keeps_order() && mixes_itself(match.source) && mixes_along(match)) return false;
    if (!order.axes.of_target &&
        shape_in(task_.sketches_source, match.source) != shape_in(task_.sketches_target, match.target))
      return false;
    // What a mover makes may be found in what it takes, turned.
    return std::ranges::none_of(frontier, [&](int before) {
      return !doubtful_.contains(before) && !is_made_by_mover(before) && found_.at(before).order == order;
    });
  }

  /// A kernel mixes the channels that it makes, and a table of numbers the last: not the places in a sentence.
  [[nodiscard]] bool mixes_along(const ValueMatch& match) const {
    constexpr std::array<std::string_view, 3> makes_last = {"MatMul", "Gemm", "Gather"};
    return std::ranges::find(makes_last, maker_of(match.source)->type) == makes_last.end() ||
           match.order.channel_axis + 1 == std::ssize(shape_in(task_.sketches_target, match.target));
  }

  /// Is a value found that follows from it, movers aside?
  [[nodiscard]] bool is_borne_out(int value) const {
    return std::ranges::any_of(task_.source.next(value), [&](int next) {
      return is_made_by_mover(next) ? is_borne_out(next) : found_.contains(next);
    });
  }

  /// What follows from a doubtful value shows whether it is the right one.
  void drop_doubtful() {
    const std::vector<int> from_the_end(task_.source.values().rbegin(), task_.source.values().rend());
    for (const int value : from_the_end)
      if (doubtful_.contains(value) && !is_borne_out(value)) found_.erase(value);
  }

  void take(ValueMatch match, const std::vector<int>& frontier) {
    const bool is_of_mover = is_made_by_mover(match.source);
    if (is_doubtful(match, frontier)) doubtful_.insert(match.source);
    match.is_alias = is_of_mover && std::ranges::any_of(
                                        frontier, [&](int before) { return found_.at(before).target == match.target; });
    if (!is_of_mover) taken_.insert(match.target);
    found_.emplace(match.source, std::move(match));
  }

  const MatchTask& task_;
  SketchIndex index_;
  ValueMatches found_;
  std::vector<std::vector<int>> frontiers_;  // by the source's value, sorted
  std::vector<bool> may_mix_channels_;       // by the source's value
  std::vector<bool> is_suspect_;             // by the source's value
  std::set<int> doubtful_;                   // values of the source
  std::set<int> taken_;                      // values of the target, by values that no mover makes
};

}  // namespace

Result<ValueMatches> match_values(const MatchTask& task, const ValueMatches& known) {
  return ValueMatcher(task, known).match();
}

}  // namespace culprit
