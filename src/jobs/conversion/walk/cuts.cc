#include "conversion/walk/cuts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "conversion/map/channel_order.h"
#include "conversion/walk/cut_orders.h"
#include "conversion/walk/kernel_mates.h"
#include "conversion/walk/settled.h"

namespace culprit {
namespace {

constexpr int most_depth = 6, most_behind_mates = 9;

/// How alike the sorted numbers of two values are, whatever they are multiplied with.
double correlation(const SampleSketch& one, const SampleSketch& other) {
  double mean_one = 0, mean_other = 0;
  for (std::size_t i = 0; i < SampleSketch::looks; ++i) {
    mean_one += one.some[i] / SampleSketch::looks;
    mean_other += other.some[i] / SampleSketch::looks;
  }
  double both = 0, of_one = 0, of_other = 0;
  for (std::size_t i = 0; i < SampleSketch::looks; ++i) {
    const double a = one.some[i] - mean_one, b = other.some[i] - mean_other;
    both += a * b;
    of_one += a * a;
    of_other += b * b;
  }
  const double found = both / std::sqrt(of_one * of_other);
  return std::isfinite(found) ? found : 0;
}

class CandidateSearch {
 public:
  explicit CandidateSearch(const CutTask& task)
      : task_(task), mates_(kernel_mates(task.map.derived, task.map.target_parameters, task.map.parameters)) {
    for (const int input : task.source.before(task.suspect))
      if (const auto match = task.map.values.find(input); match != task.map.values.end())
        borders_.insert(match->second.target);
    for (const int border : borders_)
      for (const int twin : task.target.twins(border))
        for (const auto& [value, distance] : task.target.behind(twin, most_behind_mates)) {
          const auto [place, is_new] = distances_.emplace(value, distance);
          if (!is_new) place->second = std::min(place->second, distance);
        }
    for (const auto& [value, match] : task.map.values) {
      known_.insert(value);
      for (const int twin : task.target.twins(match.target)) mates_of_known_.insert(twin);
    }
    for (const KernelMate& mate : mates_) {
      holders_.insert(mate.target);
      for (const int layer : mate.sources)
        if (is_right(layer)) right_layers_.insert(layer);
    }
  }

  std::vector<CutCandidate> search(std::size_t most_each) {
    std::map<int, std::vector<CutCandidate>> by_depth;
    for (const auto& [source, depth] : task_.source.behind(task_.suspect, most_depth))
      if (task_.suspects[static_cast<std::size_t>(source)]) add_all(source, depth, by_depth[depth]);
    std::vector<CutCandidate> found;
    for (auto& [depth, candidates] : by_depth) {
      std::ranges::stable_sort(candidates, std::ranges::greater{}, &CutCandidate::rank);
      if (candidates.size() > most_each) candidates.resize(most_each);
      found.insert(found.end(), candidates.begin(), candidates.end());
    }
    return found;
  }

 private:
  static const SampleSketch* sketch_in(const std::map<int, ValueSketch>& sketches, int value) {
    const auto found = sketches.find(value);
    return found == sketches.end() || found->second.by_sample.empty() ? nullptr : &found->second.by_sample.front();
  }

  /// Does the source's value end what the target's layer computes with its kernel? An activation behind it does not,
  /// nor does an addition of two values: there another value of the target stands for it.
  [[nodiscard]] bool ends_its_kernel(int source, int target) const {
    const int maker = task_.source.maker(source);
    if (maker < 0) return false;
    const NetworkLayer& layer = task_.source.network().layers[static_cast<std::size_t>(maker)];
    return !layer.parameters.empty() || is_mover(layer) || std::ranges::any_of(mates_, [&](const KernelMate& mate) {
      return mate.target == task_.target.maker(target) && std::ranges::find(mate.sources, maker) != mate.sources.end();
    });
  }

  /// Is the target's kernel a part of the one that gives the source's value, the query's of three in one? Then it gives
  /// a part of that value.
  [[nodiscard]] bool holds_a_part(int source, int target) const {
    return std::ranges::any_of(mates_, [&](const KernelMate& mate) {
      const auto& parts = task_.map.derived[task_.map.parameters[mate.match].source].stands_for;
      return mate.target == task_.target.maker(target) &&
             std::ranges::find(mate.sources, task_.source.maker(source)) != mate.sources.end() &&
             std::ranges::any_of(parts, [](const ReplacedParameter& part) { return part.of > 1; });
    });
  }

  static std::string type_of(const Ways& ways, int value) {
    const int maker = ways.maker(value);
    return maker < 0 ? "" : ways.network().layers[static_cast<std::size_t>(maker)].type;
  }

  /// Does nothing that it makes lead to what is wrong, but through what is found?
  [[nodiscard]] bool is_right(int layer) const {
    return std::ranges::none_of(
        task_.source.network().layers[static_cast<std::size_t>(layer)].outputs,
        [&](int output) { return output >= 0 && task_.suspects[static_cast<std::size_t>(output)]; });
  }

  void add_all(int source, int depth, std::vector<CutCandidate>& into) {
    std::set<int> layers;
    for (const int value : task_.source.back_to(source, known_)) layers.insert(task_.source.maker(value));
    const KernelsOf kernels = kernels_of(mates_, layers, right_layers_);
    if (!kernels.is_whole) return;
    for (const auto& [target, distance] : distances_)
      if (may_be(target) && crossed(target) == kernels.targets)
        add(source, depth, target, distance, kernels, layers, into);
  }

  /// An operator may be lost: then the value stands where a border is.
  bool may_be(int target) const {
    if (std::ranges::find(task_.fed, target) != task_.fed.end()) return false;
    return borders_.contains(target) || !mates_of_known_.contains(target);
  }

  /// The layers with kernels between what is known and a value of the target.
  const std::set<int>& crossed(int target) {
    const auto [found, is_new] = crossed_.try_emplace(target);
    if (!is_new) return found->second;
    std::set<int> stop = mates_of_known_;
    if (!borders_.contains(target)) stop.erase(target);
    for (const int value : task_.target.back_to(target, stop))
      if (holders_.contains(task_.target.maker(value))) found->second.insert(task_.target.maker(value));
    return found->second;
  }

  void add(int source, int depth, int target, int distance, const KernelsOf& kernels, const std::set<int>& layers,
           std::vector<CutCandidate>& into) const {
    const SampleSketch* one = sketch_in(task_.sketches_source, source);
    const SampleSketch* other = sketch_in(task_.sketches_target, target);
    const bool same_type = type_of(task_.source, source) == type_of(task_.target, target);
    // A target that stops before it shows nothing of it: then it is as the source's, if it can be.
    const bool is_visible = task_.target.network().values[static_cast<std::size_t>(target)].is_visible;
    if (other == nullptr && same_type && is_visible) other = one;
    if (one == nullptr || other == nullptr) return;
    CutCandidate candidate;
    candidate.source = source;
    candidate.target = target;
    candidate.depth = depth;
    candidate.holds_kernel = kernels.targets.contains(task_.target.maker(target));
    const bool same_count = one->count == other->count;
    if (!same_count && ((!same_type && !candidate.holds_kernel) || holds_a_part(source, target))) return;
    const bool ends_kernel = candidate.holds_kernel && ends_its_kernel(source, target);
    const bool may_be_lost = borders_.contains(target) && task_.source.before(source).size() == 1;
    candidate.is_alike = same_type || ends_kernel || may_be_lost;
    candidate.rank = (ends_kernel ? 8 : 0) + (same_type ? 4 : 0) + (same_count ? 3 : -2) -
                     0.5 * std::abs(depth - distance + 1) - 0.7 * depth - (borders_.contains(target) ? 2 : 0);
    if (same_count) candidate.rank += 2 * correlation(*one, *other);
    candidate.orders = cut_orders({task_, mates_, source, one->shape, other->shape, layers});
    if (!candidate.orders.empty()) into.push_back(std::move(candidate));
  }

  const CutTask& task_;
  std::vector<KernelMate> mates_;
  std::set<int> borders_, known_, mates_of_known_, holders_, right_layers_;
  std::map<int, int> distances_;
  std::map<int, std::set<int>> crossed_;
};

/// The best cut that was tried so far.
struct TriedCut {
  FoundCut found;
  double value = 0;
  int depth = 0;
  bool is_alike = false;
  double share = 0;  ///< of what lies behind it, found
};

class CutSearch {
 public:
  CutSearch(const CutTask& task, const TryCut& attempt, int most_tries)
      : task_(task), attempt_(attempt), most_tries_(most_tries) {}

  Result<std::optional<FoundCut>> search() {
    for (const CutCandidate& candidate : cut_candidates(task_)) {
      if (best_ && best_->found.is_settled && is_beaten(candidate)) continue;
      for (const ValueOrder& order : candidate.orders) {
        if (tries_ >= most_tries_) break;
        if (auto ok = try_one(candidate, order); !ok) return tl::unexpected(ok.error());
      }
    }
    if (!best_) return std::nullopt;
    best_->found.tries = tries_;
    return best_->found;
  }

 private:
  static constexpr double most_for_found = 3;
  /// An activation alone may be right behind it where the makers of both have nothing in common.
  static constexpr int most_behind_unlike = 2;
  static constexpr double much_more_found = 0.3;

  /// What the candidate may reach at most is less than what there is.
  [[nodiscard]] bool is_beaten(const CutCandidate& candidate) const {
    const bool is_too_deep = candidate.depth > best_->depth + (best_->is_alike ? 0 : most_behind_unlike);
    return is_too_deep || candidate.rank + most_for_found < best_->value;
  }

  [[nodiscard]] bool is_better(const TriedCut& tried) const {
    if (tried.found.is_settled && best_->found.is_settled && tried.depth > best_->depth)
      return tried.share > best_->share + much_more_found;
    return std::pair(tried.found.is_settled, tried.value) > std::pair(best_->found.is_settled, best_->value);
  }

  Result<void> try_one(const CutCandidate& candidate, const ValueOrder& order) {
    ValueMatch cut{candidate.source, candidate.target, order, FoundBy::fed};
    const auto is_it = [&](const ValueMatch& other) {
      return other.source == cut.source && other.target == cut.target && other.order == cut.order;
    };
    if (std::ranges::any_of(task_.refused, is_it)) return {};
    ++tries_;
    auto found = attempt_(cut);
    if (!found) return tl::unexpected(found.error());
    if (!*found) return {};
    const bool is_bound = std::ranges::any_of(
        task_.outputs, [&](const ValueMatch& out) { return out.source == cut.source && out.target == cut.target; });
    TriedCut tried{{std::move(cut)}, 0, candidate.depth, candidate.is_alike, 0};
    tried.found.is_settled = is_settled(task_.source, candidate.source, **found, is_bound);
    const double share = tried.share = found_share(task_.source, candidate.source, **found);
    tried.value = tried.found.is_settled
                      ? candidate.rank + most_for_found * share
                      : settled_share(task_.source, candidate.source, **found) + share / 2 + candidate.rank / 100;
    if (!best_ || is_better(tried)) best_ = std::move(tried);
    return {};
  }

  const CutTask& task_;
  const TryCut& attempt_;
  int most_tries_;
  int tries_ = 0;
  std::optional<TriedCut> best_;
};

}  // namespace

std::vector<CutCandidate> cut_candidates(const CutTask& task, std::size_t most_each) {
  return CandidateSearch(task).search(most_each);
}

Result<std::optional<FoundCut>> find_cut(const CutTask& task, const TryCut& attempt, int most_tries) {
  return CutSearch(task, attempt, most_tries).search();
}

}  // namespace culprit
