#include "task/verification.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "statistics/group_bootstrap.h"

namespace culprit {
namespace {

constexpr double no_cosine = -2;  // less than any

struct SortedPair {
  double cosine = 0;
  bool is_same = false;
  std::size_t group = 0;
};

/// What one draw of groups gives.
struct VerificationValues {
  double accuracy = 0, area = 0, equal_error = 1, taken_at_1e2 = 0, taken_at_1e3 = 0, best_cosine = 1;
  bool is_known = false;  ///< some are the same, and some are not
};

/// Goes down the cosines, one step for equal ones.
class PairSteps {
 public:
  PairSteps(const std::vector<SortedPair>& pairs, const GroupWeights& weights) : pairs_(pairs), weights_(weights) {
    for (const SortedPair& pair : pairs) (pair.is_same ? all_same_ : all_others_) += weight_of(pair);
  }

  VerificationValues values() {
    values_.is_known = all_same_ > 0 && all_others_ > 0;
    if (!values_.is_known) return values_;
    values_.accuracy = all_others_ / (all_same_ + all_others_);  // where none is taken
    for (std::size_t at = 0; at < pairs_.size();) {
      const double same_before = same_, others_before = others_;
      const double cosine = pairs_[at].cosine;
      for (; at < pairs_.size() && pairs_[at].cosine == cosine; ++at)
        (pairs_[at].is_same ? same_ : others_) += weight_of(pairs_[at]);
      take_step(same_before / all_same_, others_before / all_others_, cosine);
    }
    return values_;
  }

 private:
  [[nodiscard]] double weight_of(const SortedPair& pair) const { return static_cast<double>(weights_[pair.group]); }

  void take_step(double taken_before, double false_before, double cosine) {
    const double taken = same_ / all_same_, false_share = others_ / all_others_;
    values_.area += (false_share - false_before) * (taken + taken_before) / 2;
    const double accuracy = (same_ + all_others_ - others_) / (all_same_ + all_others_);
    if (accuracy > values_.accuracy) {
      values_.accuracy = accuracy;
      values_.best_cosine = cosine;
    }
    if (false_share <= 1e-2) values_.taken_at_1e2 = taken;
    if (false_share <= 1e-3) values_.taken_at_1e3 = taken;
    // The line from (false_before, taken_before) meets 1 - x.
    const double before = 1 - taken_before - false_before, behind = 1 - taken - false_share;
    if (is_met_ || behind > 0) return;
    is_met_ = true;
    values_.equal_error = false_before + (false_share - false_before) * before / (before - behind);
  }

  const std::vector<SortedPair>& pairs_;
  const GroupWeights& weights_;
  double all_same_ = 0, all_others_ = 0, same_ = 0, others_ = 0;
  bool is_met_ = false;
  VerificationValues values_;
};

}  // namespace

VerificationResult verify(std::vector<ComparedPair> pairs, std::uint64_t seed) {
  std::vector<SortedPair> sorted;
  sorted.reserve(pairs.size());
  std::uint32_t groups = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t group = group_of(static_cast<std::int64_t>(i));
    groups |= std::uint32_t{1} << group;
    sorted.push_back({std::isnan(pairs[i].cosine) ? no_cosine : pairs[i].cosine, pairs[i].is_same, group});
  }
  std::ranges::stable_sort(sorted, std::greater(), &SortedPair::cosine);
  GroupWeights once;
  once.fill(1);
  const VerificationValues all = PairSteps(sorted, once).values();
  std::vector<VerificationValues> draws;
  for (const GroupWeights& weights : draw_groups(groups, seed))
    if (const auto values = PairSteps(sorted, weights).values(); values.is_known) draws.push_back(values);
  const auto estimate = [&](double VerificationValues::*value) {
    std::vector<double> drawn;
    drawn.reserve(draws.size());
    for (const VerificationValues& values : draws) drawn.push_back(values.*value);
    return around_draws(all.*value, std::move(drawn), pairs.size());
  };
  return {estimate(&VerificationValues::accuracy),     estimate(&VerificationValues::area),
          estimate(&VerificationValues::equal_error),  estimate(&VerificationValues::taken_at_1e2),
          estimate(&VerificationValues::taken_at_1e3), all.best_cosine};
}

}  // namespace culprit
