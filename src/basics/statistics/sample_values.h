#pragma once
// One number for each sample, in sample order, and what is said of all of them: their mean, exact, with its interval.
// Takes 4 bytes a sample.

#include <deque>

#include "statistics/bootstrap.h"
#include "statistics/exact_sum.h"
#include "statistics/interval.h"

namespace culprit {

/// A number with what it may be in all samples there are, at 95 % confidence.
struct Estimate {
  double value = 0, low = 0, high = 0;
};

/// The rate of cases that are or are not so.
Estimate rate_of(double yes, std::int64_t cases);

/// Widens the interval of a number between `least` and `most`: where all samples say the same, drawing them again gives
/// no width, and yet they are only so many. Then Wilson's interval, with the samples as cases, tells how sure that is.
Estimate not_too_sure(const Estimate& estimate, std::size_t samples, double least = 0, double most = 1);

class SampleValues {
 public:
  void add(double value);
  /// `later` holds the samples behind these.
  void merge(const SampleValues& later);
  void write(StateWriter& state) const;
  static SampleValues read(StateReader& state);

  /// The sums of both numbers of each sample, which must be whole.
  [[nodiscard]] SampleValues plus(const SampleValues& other) const;

  [[nodiscard]] std::size_t size() const { return values_.size(); }
  [[nodiscard]] double sum() const { return sum_.value(); }
  /// The mean of the doubles that were added, each term exact; the interval is drawn from their floats. 0 of nothing.
  [[nodiscard]] Estimate mean(std::uint64_t seed) const;
  /// The mean of values between these two (`not_too_sure`).
  [[nodiscard]] Estimate mean_within(double least, double most, std::uint64_t seed) const;
  [[nodiscard]] Estimate share(std::uint64_t seed) const { return mean_within(0, 1, seed); }
  /// This sum over that of `below`, of the same samples, times `factor`: between 0 and 1; `empty` where that is 0.
  [[nodiscard]] Estimate ratio(const SampleValues& below, double factor, double empty, std::uint64_t seed) const;

 private:
  [[nodiscard]] std::vector<float> together() const { return {values_.begin(), values_.end()}; }

  ExactSum sum_;
  std::deque<float> values_;  // grows without ever holding twice what it needs
};

}  // namespace culprit
