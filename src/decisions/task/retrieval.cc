#include "task/retrieval.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "task/ranking.h"

namespace culprit {
namespace {

constexpr double behind_all = -2;  // less than any cosine

/// The vector scaled to length 1. One of zeros stays as it is; one that is not finite becomes empty.
std::vector<double> with_length_1(const std::vector<float>& vector) {
  double most = 0;
  for (const float x : vector) {
    if (!std::isfinite(x)) return {};
    most = std::max(most, std::abs(static_cast<double>(x)));
  }
  std::vector<double> unit(vector.begin(), vector.end());
  if (most == 0) return unit;
  double square = 0;
  for (double& x : unit) {
    x /= most;  // so that no square overflows
    square += x * x;
  }
  for (double& x : unit) x /= std::sqrt(square);
  return unit;
}

/// Equal scores are one step.
double average_precision_of(std::span<const double> scores, std::span<const std::string> kinds, std::size_t item) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase(order, item);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  double sum = 0;
  std::size_t hits = 0;
  for (std::size_t at = 0; at < order.size();) {
    std::size_t end = at, gained = 0;
    for (; end < order.size() && scores[order[end]] == scores[order[at]]; ++end)
      gained += kinds[order[end]] == kinds[item] ? 1 : 0;
    hits += gained;
    sum += static_cast<double>(gained) * static_cast<double>(hits) / static_cast<double>(end);
    at = end;
  }
  return hits == 0 ? 0 : sum / static_cast<double>(hits);
}

}  // namespace

std::vector<RetrievedKind> retrieve_kinds(std::span<const std::vector<float>> vectors,
                                          std::span<const std::string> kinds) {
  std::vector<std::vector<double>> units;
  units.reserve(vectors.size());
  for (const auto& vector : vectors) units.push_back(with_length_1(vector));
  std::map<std::string, std::size_t> counts;
  for (const std::string& kind : kinds) ++counts[kind];
  std::vector<RetrievedKind> found;
  std::vector<double> scores(vectors.size());
  for (std::size_t item = 0; item < vectors.size(); ++item) {
    if (counts.at(kinds[item]) < 2) continue;
    RetrievedKind& one = found.emplace_back();
    if (units[item].empty()) continue;
    for (std::size_t other = 0; other < vectors.size(); ++other)
      scores[other] = units[other].size() != units[item].size()
                          ? behind_all
                          : std::inner_product(units[item].begin(), units[item].end(), units[other].begin(), 0.0);
    one.average_precision = average_precision_of(scores, kinds, item);
    scores[item] = 2 * behind_all;  // last, and cut off
    const auto nearest = top_k(scores, std::min<std::size_t>(5, vectors.size() - 1));
    const auto is_of_kind = [&](std::int64_t other) { return kinds[static_cast<std::size_t>(other)] == kinds[item]; };
    one.recall_1 = is_of_kind(nearest.front()) ? 1 : 0;
    one.recall_5 = std::ranges::any_of(nearest, is_of_kind) ? 1 : 0;
  }
  return found;
}

}  // namespace culprit
