#include "conversion/map/match_parameters.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "conversion/map/parameter_order.h"
#include "conversion/map/parameter_pairs.h"
#include "conversion/map/place_line.h"

namespace culprit {
namespace {

/// Distances up to which pairs are looked for, one after the other: each pair is taken before any that is looser.
constexpr double nearly_same = 1e-3, slightly_changed = 5e-2;
/// Below that no pair is nearer than another: what is left is rounding, and places decide.
constexpr double no_distance = 1e-6;

int end_of_places(const std::vector<DerivedTensor>& sources) {
  int end = 0;
  for (const DerivedTensor& source : sources) end = std::max(end, source.tensor.place + 1);
  return end;
}

int end_of_places(const std::vector<TargetParameter>& targets) {
  int end = 0;
  for (const TargetParameter& target : targets) end = std::max(end, target.tensor.place + 1);
  return end;
}

class ParameterMatcher {
 public:
  ParameterMatcher(const std::vector<DerivedTensor>& sources, const std::vector<TargetParameter>& targets)
      : sources_(sources), targets_(targets), pairs_(sources, targets) {
    open_.source.assign(sources.size(), true);
    open_.target.assign(targets.size(), true);
  }

  std::vector<ParameterMatch> match() {
    auto pairs = pairs_.within(open_, MatchLimits{}.same_within, line(), false);
    add_anchors(pairs);
    const PlaceLine by_anchors = line();
    for (ParameterPair& pair : pairs)
      pair.off_place =
          by_anchors.off(sources_[pair.match.source].tensor.place, targets_[pair.match.target].tensor.place);
    take(std::move(pairs));
    take(pairs_.within(open_, nearly_same, line(), false));
    take(pairs_.scrambled(open_, line()));
    take(pairs_.within(open_, slightly_changed, line(), false));
    take(pairs_.within(open_, MatchLimits{}.same_within, line(), true));
    take(pairs_.within(open_, MatchLimits{}.most_changed, line(), false));
    std::ranges::sort(found_, {}, &ParameterMatch::source);
    for (ParameterMatch& match : found_) describe(match, sources_[match.source], targets_[match.target]);
    return std::move(found_);
  }

 private:
  [[nodiscard]] PlaceLine line() const { return {anchors_, end_of_places(sources_), end_of_places(targets_)}; }

  /// Adds the pairs of which neither has another partner, but for the same parameter in another form.
  void add_anchors(const std::vector<ParameterPair>& pairs) {
    std::map<std::size_t, int> of_target, of_source;
    for (const ParameterPair& pair : pairs) {
      ++of_source[pair.match.source];
      ++of_target[pair.match.target];
    }
    for (const ParameterPair& pair : pairs)
      if (of_source[pair.match.source] == 1 && of_target[pair.match.target] == 1)
        anchors_.emplace_back(sources_[pair.match.source].tensor.place, targets_[pair.match.target].tensor.place);
  }

  [[nodiscard]] bool is_replaced(std::size_t source) const {
    return std::ranges::any_of(sources_[source].stands_for, [&](const ReplacedParameter& part) {
      const auto found = replaced_.find({part.layer, part.value});
      return found != replaced_.end() &&
             std::ranges::any_of(found->second, [&](const ReplacedParameter& other) { return other.overlaps(part); });
    });
  }

  void take(std::vector<ParameterPair> pairs) {
    std::ranges::sort(pairs, {}, [](const ParameterPair& pair) {
      const ParameterMatch& match = pair.match;
      return std::tuple(match.distance <= no_distance ? 0 : match.distance, pair.off_place, match.source, match.target);
    });
    for (ParameterPair& pair : pairs) {
      const std::size_t source = pair.match.source, target = pair.match.target;
      if (!open_.source[source] || !open_.target[target]) continue;
      open_.source[source] = open_.target[target] = false;
      for (const ReplacedParameter& part : sources_[source].stands_for)
        replaced_[{part.layer, part.value}].push_back(part);
      if (!pairs_.says_little_source(source))
        anchors_.emplace_back(sources_[source].tensor.place, targets_[target].tensor.place);
      found_.push_back(std::move(pair.match));
      close_replaced(source);
      close_forms(target);
    }
  }

  /// Whatever shares a part with what was found is not to be found any more.
  void close_replaced(std::size_t source) {
    if (by_parameter_.empty())
      for (std::size_t i = 0; i < sources_.size(); ++i)
        for (const ReplacedParameter& part : sources_[i].stands_for)
          by_parameter_[{part.layer, part.value}].push_back(i);
    for (const ReplacedParameter& part : sources_[source].stands_for)
      for (const std::size_t other : by_parameter_[{part.layer, part.value}])
        if (open_.source[other] && is_replaced(other)) open_.source[other] = false;
  }

  /// Only one is to be found of a parameter of the target and the folded forms that hold it.
  void close_forms(std::size_t target) {
    if (forms_.empty())
      for (std::size_t i = 0; i < targets_.size(); ++i)
        for (const ReplacedParameter& part : targets_[i].stands_for) forms_[{part.layer, part.value}].push_back(i);
    for (const ReplacedParameter& part : targets_[target].stands_for)
      for (const std::size_t other : forms_[{part.layer, part.value}])
        if (!targets_[target].is_stored() || !targets_[other].is_stored()) open_.target[other] = false;
  }

  const std::vector<DerivedTensor>& sources_;
  const std::vector<TargetParameter>& targets_;
  ParameterPairs pairs_;
  ParameterPairs::Open open_;
  std::vector<std::pair<int, int>> anchors_;
  std::map<std::pair<int, int>, std::vector<std::size_t>> by_parameter_;  // derived tensors that stand for it
  std::map<std::pair<int, int>, std::vector<std::size_t>> forms_;         // of the target that hold it
  std::map<std::pair<int, int>, std::vector<ReplacedParameter>> replaced_;
  std::vector<ParameterMatch> found_;
};

}  // namespace

std::vector<ParameterMatch> match_parameters(const std::vector<DerivedTensor>& sources,
                                             const std::vector<TargetParameter>& targets) {
  return ParameterMatcher(sources, targets).match();
}

}  // namespace culprit
