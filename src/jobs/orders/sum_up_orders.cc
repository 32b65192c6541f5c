#include "orders/sum_up_orders.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "orders/make_orders.h"

namespace culprit {
namespace {

/// What orders must have in common to have one result.
using ResultKey = std::tuple<std::string, Verdict, EvidenceStage, EvidenceEnding>;

ResultKey key_of(const VariantRecord& variant) {
  if (!variant.fingerprint.empty()) return {variant.fingerprint, {}, {}, {}};
  return {"", variant.verdict, variant.evidence.stage, variant.evidence.ending};
}

/// Does this verdict say that the model is as the original?
bool is_fine(Verdict verdict, bool strict) { return !is_fault(verdict, strict) && verdict != Verdict::inconclusive; }

void add_verdict(OrderResult& result, const VariantRecord& variant, bool can_judge, bool strict) {
  result.verdict = variant.verdict;
  result.message = variant.message;
  result.is_right = can_judge && is_fine(variant.verdict, strict);
  result.is_wrong = is_fault(variant.verdict, strict);
  const bool is_fine_until_shipped = variant.deployed && is_fine(variant.verdict, strict);
  if (!is_fine_until_shipped || is_fine(variant.deployed->verdict, strict)) return;
  result.verdict = variant.deployed->verdict;
  result.message = variant.deployed->message;
  result.level = variant.deployed->level;
  result.is_right = false;
  result.is_wrong = is_fault(result.verdict, strict);
}

OrderResult result_of(const VariantRecord& variant, std::size_t number, bool can_judge, bool strict) {
  OrderResult result;
  result.id = "R" + std::to_string(number + 1);
  result.fingerprint = variant.fingerprint;
  result.nodes = variant.nodes;
  result.file = variant.file;
  add_verdict(result, variant, can_judge, strict);
  return result;
}

std::optional<bool> same_bits(const VariantRecord& variant, const VariantRecord& first) {
  if (variant.output_bits.empty() || first.output_bits.empty()) return std::nullopt;
  return variant.output_bits == first.output_bits;
}

/// Pairs of orders that differ in one swap of neighbours, by the two steps as they stand in the first order.
class SwapFinder {
 public:
  SwapFinder(const std::vector<VariantRecord>& variants, const std::vector<std::size_t>& results,
             const std::vector<OrderResult>& told)
      : results_(results), told_(told) {
    const StepOrder& first = variants.front().recipe.passes;
    for (std::size_t i = 0; i < first.size(); ++i) place_.emplace(first[i], i);
    for (std::size_t i = 0; i < variants.size(); ++i) variant_of_.emplace(variants[i].recipe.passes, i);
  }

  std::vector<SwappedSteps> find() {
    for (const auto& [order, variant] : variant_of_) look_around(order, variant);
    std::vector<SwappedSteps> swaps;
    for (auto& [places, swap] : swaps_) swaps.push_back(std::move(swap));
    return swaps;
  }

 private:
  void look_around(const StepOrder& order, std::size_t variant) {
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      const std::size_t one = place_.at(order[i]), next = place_.at(order[i + 1]);
      if (one > next) continue;  // seen from the other order
      StepOrder swapped = order;
      std::swap(swapped[i], swapped[i + 1]);
      const auto other = variant_of_.find(swapped);
      if (other == variant_of_.end()) continue;
      SwappedSteps& swap = swaps_[{one, next}];
      swap.before = order[i], swap.after = order[i + 1];
      count(swap, results_[variant], results_[other->second]);
    }
  }

  void count(SwappedSteps& swap, std::size_t result, std::size_t swapped) const {
    ++swap.tried;
    if (result == swapped) return;
    ++swap.changed;
    if (!swap.result.empty()) return;
    swap.result = told_[result].id, swap.swapped = told_[swapped].id;
  }

  const std::vector<std::size_t>& results_;
  const std::vector<OrderResult>& told_;
  std::map<std::string, std::size_t> place_;
  std::map<StepOrder, std::size_t> variant_of_;
  std::map<std::pair<std::size_t, std::size_t>, SwappedSteps> swaps_;
};

std::optional<std::size_t> best_of(const std::vector<OrderResult>& results) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].is_right) continue;
    const auto cost = [&](std::size_t of) { return std::pair(results[of].nodes, results[of].inversions); };
    if (!best || cost(i) < cost(*best)) best = i;
  }
  return best;
}

}  // namespace

std::optional<MovedStep> one_move(const StepOrder& order, const StepOrder& first) {
  std::size_t from = 0, to = first.size();
  while (from < to && order[from] == first[from]) ++from;
  while (to > from && order[to - 1] == first[to - 1]) --to;
  if (from == to) return std::nullopt;
  const auto begin = static_cast<std::ptrdiff_t>(from), end = static_cast<std::ptrdiff_t>(to);
  StepOrder part(first.begin() + begin, first.begin() + end);
  const StepOrder wanted(order.begin() + begin, order.begin() + end);
  std::rotate(part.begin(), part.begin() + 1, part.end());
  if (part == wanted) return MovedStep{part.back(), order[to - 2]};
  std::rotate(part.begin(), part.end() - 2, part.end());
  if (part == wanted) return MovedStep{part.front(), from == 0 ? "" : order[from - 1]};
  return std::nullopt;
}

std::vector<std::size_t> results_of_variants(const std::vector<VariantRecord>& variants) {
  std::map<ResultKey, std::size_t> numbers;
  std::vector<std::size_t> results;
  results.reserve(variants.size());
  for (const VariantRecord& variant : variants)
    results.push_back(numbers.emplace(key_of(variant), numbers.size()).first->second);
  return results;
}

TriedOrders sum_up_orders(const std::vector<VariantRecord>& variants, bool can_judge, bool strict) {
  TriedOrders tried;
  if (variants.empty()) return tried;
  const VariantRecord& first = variants.front();
  const std::vector<std::size_t> results = results_of_variants(variants);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const VariantRecord& variant = variants[i];
    if (results[i] == tried.results.size()) tried.results.push_back(result_of(variant, results[i], can_judge, strict));
    OrderResult& result = tried.results[results[i]];
    const std::int64_t away = inversions(variant.recipe.passes, first.recipe.passes);
    if (result.orders++ > 0 && away >= result.inversions) continue;
    result.example = variant.recipe.passes;
    result.inversions = away;
    result.moved = one_move(result.example, first.recipe.passes);
    result.same_bits = same_bits(variant, first);
  }
  tried.swaps = SwapFinder(variants, results, tried.results).find();
  tried.best = best_of(tried.results);
  return tried;
}

std::optional<std::size_t> best_variant(const TriedOrders& tried, const std::vector<VariantRecord>& variants) {
  if (!tried.best) return std::nullopt;
  const StepOrder& example = tried.results[*tried.best].example;
  const auto at =
      std::ranges::find_if(variants, [&](const VariantRecord& variant) { return variant.recipe.passes == example; });
  return at == variants.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - variants.begin()));
}

}  // namespace culprit
