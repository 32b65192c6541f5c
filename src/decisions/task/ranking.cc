#include "task/ranking.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

namespace culprit {
namespace {

/// 1: a is better, -1: b is, 0: they are tied.
std::int64_t compare_scores(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return (std::isnan(b) ? 1 : 0) - (std::isnan(a) ? 1 : 0);
  return (a > b ? 1 : 0) - (a < b ? 1 : 0);
}

std::vector<double> picked_scores(std::span<const double> scores, const std::vector<std::int64_t>& items) {
  std::vector<double> picked;
  picked.reserve(items.size());
  for (const std::int64_t item : items) picked.push_back(scores[static_cast<std::size_t>(item)]);
  return picked;
}

}  // namespace

std::vector<std::int64_t> top_k(std::span<const double> scores, std::size_t k) {
  std::vector<std::int64_t> items(scores.size());
  std::iota(items.begin(), items.end(), 0);
  const auto end = items.begin() + static_cast<std::ptrdiff_t>(std::min(k, items.size()));
  std::partial_sort(items.begin(), end, items.end(), [&](std::int64_t a, std::int64_t b) {
    const std::int64_t order = compare_scores(scores[static_cast<std::size_t>(a)], scores[static_cast<std::size_t>(b)]);
    return order != 0 ? order > 0 : a < b;
  });
  items.erase(end, items.end());
  return items;
}

std::size_t rank_of(std::span<const double> scores, std::size_t item) {
  std::size_t before = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int64_t order = compare_scores(scores[i], scores[item]);
    before += order > 0 || (order == 0 && i < item) ? 1 : 0;
  }
  return before;
}

double kendall_tau_b(std::span<const double> a, std::span<const double> b) {
  const std::size_t items = std::min(a.size(), b.size());
  std::int64_t balance = 0, ordered_a = 0, ordered_b = 0;
  for (std::size_t i = 0; i < items; ++i) {
    for (std::size_t j = i + 1; j < items; ++j) {
      const std::int64_t in_a = compare_scores(a[i], a[j]), in_b = compare_scores(b[i], b[j]);
      balance += in_a * in_b;
      ordered_a += in_a * in_a;
      ordered_b += in_b * in_b;
    }
  }
  if (ordered_a == 0 && ordered_b == 0) return 1;
  if (ordered_a == 0 || ordered_b == 0) return 0;
  if (ordered_a == ordered_b) return static_cast<double>(balance) / static_cast<double>(ordered_a);
  return static_cast<double>(balance) / std::sqrt(static_cast<double>(ordered_a) * static_cast<double>(ordered_b));
}

double tau_of_top_k(std::span<const double> a, std::span<const double> b, std::size_t k) {
  std::vector<std::int64_t> both = top_k(a, k);
  for (const std::int64_t item : top_k(b, k))
    if (std::ranges::find(both, item) == both.end()) both.push_back(item);
  return kendall_tau_b(picked_scores(a, both), picked_scores(b, both));
}

double rank_biased_overlap(std::span<const std::int64_t> a, std::span<const std::int64_t> b, double p) {
  const std::size_t depth = std::min(a.size(), b.size());
  if (depth == 0) return a.size() == b.size() ? 1 : 0;
  std::unordered_set<std::int64_t> seen_a, seen_b;
  std::size_t common = 0;
  double sum = 0, weight = 1, left = 1;
  for (std::size_t d = 1; d <= depth; ++d) {
    const std::int64_t next_a = a[d - 1], next_b = b[d - 1];
    seen_a.insert(next_a);
    seen_b.insert(next_b);
    common += next_a == next_b ? 1 : seen_b.count(next_a) + seen_a.count(next_b);
    // All weights together are 1: (1 - p) / p times p^d, and p^depth for what was not seen.
    left = weight * p;
    sum += static_cast<double>(common) / static_cast<double>(d) * (weight - left);
    weight = left;
  }
  if (common == depth && sum + left >= 1 - 1e-12) return 1;  // the same list: no rounding
  return sum + static_cast<double>(common) / static_cast<double>(depth) * left;
}

double margin_between(std::span<const double> scores, std::int64_t first, std::int64_t other) {
  const double margin = scores[static_cast<std::size_t>(first)] - scores[static_cast<std::size_t>(other)];
  return std::isnan(margin) ? 0 : margin;
}

}  // namespace culprit
