#pragma once
// What a set of numbers looks like whatever order they lie in: two tensors with the same elements have the same
// profile, in any layout. So tensors are found again in a target without a look at names.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace culprit {

class NumberProfile {
 public:
  /// Sorts a copy. What is no number counts, and comes last.
  explicit NumberProfile(std::span<const float> numbers);

  [[nodiscard]] std::size_t count() const { return sorted_.size(); }
  /// The mean absolute value of all that are finite.
  [[nodiscard]] double size() const { return size_; }
  /// The mean absolute difference of the sorted numbers over their mean absolute value: never more than the distance of
  /// the tensors in whatever order of axes, and 0 where one holds just the numbers of the other. Infinite where the
  /// counts differ.
  [[nodiscard]] double distance(const NumberProfile& other) const;
  /// Measures the distance over a few of the sorted numbers, in no time: for a first look.
  [[nodiscard]] double rough_distance(const NumberProfile& other) const;
  /// How many different numbers there are.
  [[nodiscard]] std::size_t distinct() const;

 private:
  static constexpr std::size_t looks = 33;
  std::vector<float> sorted_;
  std::array<float, looks> some_ = {};
  double size_ = 0;
};

}  // namespace culprit
