#include "task/classification.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "task/best_score.h"
#include "task/ranking.h"

namespace culprit {
namespace {

constexpr double one_percent = 0.01;
constexpr std::size_t overlap_depth = 10;

double common_share(std::span<const std::int64_t> a, std::span<const std::int64_t> b, std::size_t k) {
  const std::size_t depth = std::min(k, a.size());
  const auto among_b = b.first(std::min(k, b.size()));
  const auto is_common = [&](std::int64_t item) { return std::ranges::find(among_b, item) != among_b.end(); };
  return static_cast<double>(std::ranges::count_if(a.first(depth), is_common)) / static_cast<double>(depth);
}

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace

bool are_probabilities(std::span<const double> scores) {
  if (scores.empty() || !std::ranges::all_of(scores, [](double score) { return score >= 0; })) return false;
  return std::abs(std::accumulate(scores.begin(), scores.end(), 0.0) - 1) <= one_percent;
}

bool may_be_probabilities(std::span<const double> values) {
  constexpr double rounding = 1e-3;
  return std::ranges::none_of(values, [](double x) { return x < -rounding || x > 1 + rounding; });
}

std::vector<double> softmax(std::span<const double> scores) {
  std::vector<double> shares(scores.begin(), scores.end());
  if (shares.empty()) return shares;
  const double most = *std::ranges::max_element(shares);
  double sum = 0;
  for (double& share : shares) sum += share = std::exp(share - most);
  for (double& share : shares) share /= sum;
  return shares;
}

std::int64_t label_of(std::span<const double> scores) {
  BestScore best;
  for (const double score : scores) best.add(score);
  return best.label();
}

LabelAgreement compare_labels(std::span<const double> reference, std::span<const double> variant) {
  LabelAgreement agreement;
  agreement.reference = label_of(reference);
  agreement.variant = label_of(variant);
  agreement.is_same_label = agreement.reference == agreement.variant;
  if (!agreement.is_same_label && agreement.variant < 0) agreement.margin = lost_decision;
  if (!agreement.is_same_label && std::min(agreement.reference, agreement.variant) < 0) return agreement;
  if (same_bits(reference, variant)) {  // what is the same is ranked alike, whatever it is
    agreement.top5 = agreement.top10 = agreement.tau5 = agreement.overlap = 1;
    return agreement;
  }
  const auto best = top_k(reference, overlap_depth), other = top_k(variant, overlap_depth);
  agreement.top5 = common_share(best, other, 5);
  agreement.top10 = common_share(best, other, 10);
  agreement.tau5 = tau_of_top_k(reference, variant, 5);
  agreement.overlap = rank_biased_overlap(best, other);
  if (!agreement.is_same_label) agreement.margin = margin_between(reference, agreement.reference, agreement.variant);
  return agreement;
}

bool is_in_top(std::span<const double> scores, std::int64_t label, std::size_t k) {
  if (label_of(scores) < 0) return false;
  return label >= 0 && static_cast<std::size_t>(label) < scores.size() &&
         rank_of(scores, static_cast<std::size_t>(label)) < k;
}

}  // namespace culprit
