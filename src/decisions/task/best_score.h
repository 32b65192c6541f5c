#pragma once
// The best of the scores of one decision, and whether there is one: what every task takes for a label or a class.

#include <cmath>
#include <cstdint>
#include <limits>

namespace culprit {

/// Told the scores one by one. A decision needs a clear best one: with a NaN among them there is none (whoever takes
/// the first largest number gets it or passes it over, as his library likes), and where several are +inf or all -inf
/// none stands above the others. Of equal finite scores the first one is the best.
class BestScore {
 public:
  void add(double score) {
    const std::int64_t item = count_++;
    if (std::isnan(score)) {
      has_nan_ = true;
    } else if (best_ < 0 || score > most_) {
      second_ = best_ < 0 ? second_ : most_;
      most_ = score;
      best_ = item;
    } else if (score > second_) {
      second_ = score;
    }
  }

  /// Its place, from 0; -1 where there is none.
  [[nodiscard]] std::int64_t label() const {
    const bool is_open = std::isinf(most_) && (most_ < 0 || second_ == most_);
    return has_nan_ || is_open ? -1 : best_;
  }
  /// By how much it stands above the second; 0 where that is no number.
  [[nodiscard]] double ahead() const {
    const double ahead = most_ - second_;
    return label() >= 0 && std::isfinite(ahead) ? ahead : 0;
  }
  [[nodiscard]] bool has_nan() const { return has_nan_; }

 private:
  std::int64_t count_ = 0, best_ = -1;
  double most_ = -std::numeric_limits<double>::infinity(), second_ = most_;
  bool has_nan_ = false;
};

/// How sure the reference was of a decision that became none: it stands before all others in the list of the worst.
inline constexpr double lost_decision = std::numeric_limits<double>::infinity();

}  // namespace culprit
