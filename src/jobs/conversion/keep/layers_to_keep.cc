#include "conversion/keep/layers_to_keep.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace culprit {
namespace {

LayerSet by_cost(const std::vector<double>& cost_alone) {
  LayerSet order(cost_alone.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto cost = [&](std::size_t layer) {
    return std::isnan(cost_alone[layer]) ? std::numeric_limits<double>::infinity() : cost_alone[layer];
  };
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t other) { return cost(one) > cost(other); });
  return order;
}

LayerSet with_first(LayerSet kept, const LayerSet& order, std::size_t count) {
  kept.insert(kept.end(), order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
  return kept;
}

class KeepSearch {
 public:
  KeepSearch(const std::vector<double>& cost_alone, const ChangedWith& changed)
      : order_(by_cost(cost_alone)), changed_(changed) {}

  Result<LayersToKeep> run() {
    const auto by_rounding = ask({});
    if (!by_rounding) return tl::unexpected(by_rounding.error());
    found_.changed_by_rounding = *by_rounding;
    if (*by_rounding == 0) return told({}, 0);
    const auto left = ask(order_);
    if (!left) return tl::unexpected(left.error());
    if (*left > 0) return told(order_, *left);
    auto kept = needed_ones({}, order_, order_.size());
    if (kept) kept = without_idle(std::move(*kept));
    if (kept) kept = fewer_first(std::move(*kept));
    if (kept) kept = with_exchanges(std::move(*kept));
    if (!kept) return tl::unexpected(kept.error());
    return told(*kept, 0);
  }

 private:
  LayersToKeep told(LayerSet kept, std::int64_t changed_left) {
    std::ranges::sort(kept);
    found_.kept = std::move(kept);
    found_.changed_left = changed_left;
    found_.questions = static_cast<std::int64_t>(known_.size());
    return found_;
  }

  Result<std::int64_t> ask(LayerSet kept) {
    std::ranges::sort(kept);
    const auto known = known_.find(kept);
    if (known != known_.end()) return known->second;
    auto answer = changed_(kept);
    if (answer) known_.emplace(std::move(kept), *answer);
    return answer;
  }

  Result<bool> is_enough(const LayerSet& kept) {
    return ask(kept).map([](std::int64_t changed) { return changed == 0; });
  }

  /// May so many more questions be asked, where the answer is a set of so many?
  [[nodiscard]] bool may_ask(std::size_t size, std::size_t count) const {
    const double most = 4 * static_cast<double>(size) * std::log2(static_cast<double>(order_.size()));
    return static_cast<double>(known_.size() + count) <= most;
  }

  /// `kept` and the first `end` of `order` are enough. As many of these as are enough where halving finds it.
  Result<std::size_t> shortest(const LayerSet& kept, const LayerSet& order, std::size_t end) {
    std::size_t short_of = 0;
    while (end - short_of > 1) {
      const std::size_t middle = short_of + (end - short_of) / 2;
      const auto enough = is_enough(with_first(kept, order, middle));
      if (!enough) return tl::unexpected(enough.error());
      (*enough ? end : short_of) = middle;
    }
    return end;
  }

  /// `kept` and all of `order` are enough: which of these are needed? Gives up where there are more than `most`; then
  /// what it gives may not be enough.
  Result<LayerSet> needed_ones(LayerSet kept, const LayerSet& order, std::size_t most) {
    for (std::size_t end = order.size(); end > 0 && kept.size() <= most;) {
      const auto enough = is_enough(kept);
      if (!enough) return tl::unexpected(enough.error());
      if (*enough) break;
      const auto length = shortest(kept, order, end);
      if (!length) return tl::unexpected(length.error());
      end = *length - 1;
      kept.push_back(order[end]);
    }
    return kept;
  }

  /// Takes out, one by one, what is not needed after all; the least costly first.
  Result<LayerSet> without_idle(LayerSet kept) {
    for (auto layer = order_.rbegin(); layer != order_.rend() && kept.size() > 1; ++layer) {
      LayerSet rest = kept;
      if (std::erase(rest, *layer) == 0 || !may_ask(rest.size(), 1)) continue;
      const auto enough = is_enough(rest);
      if (!enough) return tl::unexpected(enough.error());
      if (*enough) kept = std::move(rest);
    }
    return kept;
  }

  /// Takes out a member that others make up for, where with one of them another is not needed.
  Result<LayerSet> with_exchanges(LayerSet kept) {
    for (std::size_t left = order_.size(); kept.size() > 1 && left > 0; --left) {
      const std::size_t member = order_[left - 1];
      if (std::ranges::find(kept, member) == kept.end()) continue;
      auto other = without(kept, member);
      if (!other) return other;
      if (other->size() >= kept.size()) continue;
      kept = std::move(*other);
      left = order_.size() + 1;  // again from the least costly on
    }
    return kept;
  }

  /// More layers in float may be worse: a few of the most costly may be enough where more of them were not.
  Result<LayerSet> fewer_first(LayerSet kept) {
    for (std::size_t count = 1; count < kept.size(); ++count) {
      const LayerSet first = with_first({}, order_, count);
      if (!may_ask(count, 1)) continue;
      const auto enough = is_enough(first);
      if (!enough) return tl::unexpected(enough.error());
      if (*enough) return first;
    }
    return kept;
  }

  /// A set without this member; `kept` itself where no such is found that is as small.
  Result<LayerSet> without(const LayerSet& kept, std::size_t member) {
    const auto halvings = static_cast<std::size_t>(std::bit_width(order_.size()));
    LayerSet rest = kept, others = order_;
    std::erase(rest, member);
    std::erase_if(others, [&](std::size_t layer) { return std::ranges::find(kept, layer) != kept.end(); });
    if (!may_ask(rest.size(), halvings + 2 + kept.size() / 2)) return kept;
    const auto enough = is_enough(with_first(rest, others, others.size()));
    if (!enough) return tl::unexpected(enough.error());
    if (!*enough) return kept;
    auto found = needed_ones(rest, others, kept.size() - 1);
    if (!found) return found;
    const auto is_found = is_enough(*found);
    if (!is_found) return tl::unexpected(is_found.error());
    if (!*is_found) return kept;
    return without_idle(std::move(*found));
  }

  LayerSet order_;
  const ChangedWith& changed_;
  std::map<LayerSet, std::int64_t> known_;
  LayersToKeep found_;
};

}  // namespace

Result<LayersToKeep> layers_to_keep(const std::vector<double>& cost_alone, const ChangedWith& changed) {
  return KeepSearch(cost_alone, changed).run();
}

}  // namespace culprit
