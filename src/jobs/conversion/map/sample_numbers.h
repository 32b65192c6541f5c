#pragma once
// The elements of a pair of values as floats, over all samples, and how far apart they are in some order.

#include <optional>
#include <span>
#include <vector>

#include "conversion/map/value_order.h"

namespace culprit {

class SamplePairs {
 public:
  /// Both must outlive it. nullopt: other counts of samples, or of elements in one; numbers of other kinds (floats,
  /// whole numbers); no numbers at all.
  static std::optional<SamplePairs> of(std::span<const Tensor> source, std::span<const Tensor> target);

  [[nodiscard]] std::size_t count() const { return source_.size(); }
  [[nodiscard]] const Shape& source_shape(std::size_t sample) const { return source_[sample].shape(); }
  [[nodiscard]] const Shape& target_shape(std::size_t sample) const { return target_[sample].shape(); }
  /// The sample whose shapes have the most axes of more than one element: its orders say the most.
  [[nodiscard]] std::size_t richest() const { return richest_; }
  /// All elements of the target, one sample behind the other: a copy.
  [[nodiscard]] std::vector<float> target_numbers() const;
  /// A copy of the source's numbers in that order; nullopt where it does not fit.
  [[nodiscard]] std::optional<std::vector<float>> source_in(const ValueOrder& order) const;
  /// Over a few elements of each sample, the same for every order; nullopt where the order does not fit.
  [[nodiscard]] std::optional<double> sampled_distance(const ValueOrder& order) const;
  /// In that order, without a copy; nullopt where it does not fit.
  [[nodiscard]] std::optional<NumbersApart> apart(const ValueOrder& order) const;
  /// Are they whole numbers, which must agree in all digits?
  [[nodiscard]] bool is_exact() const { return is_exact_; }
  /// Do they?
  [[nodiscard]] bool agrees(const ValueOrder& order) const;
  /// Are they the same numbers in whatever order, in the first sample, to within this distance?
  [[nodiscard]] bool has_same_numbers(double within) const;

 private:
  [[nodiscard]] std::int64_t elements() const;  // of the target, over all samples

  std::span<const Tensor> whole_source_, whole_target_;
  std::vector<Tensor> source_, target_;  // of floats
  std::size_t richest_ = 0;
  bool is_exact_ = false;
};

}  // namespace culprit
