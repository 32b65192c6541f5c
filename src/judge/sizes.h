#pragma once
// How large the elements of an output are, and which of them are of one scale (docs/judging.md, "Scales").

#include <cmath>
#include <cstdint>
#include <vector>

#include "judge/drawn.h"
#include "tensor/tensor.h"

namespace culprit {

/// |r| of each element; of a complex number its two parts. Some say nothing about a scale: NaN, infinities, and
/// fillers, which have the bits of another element and are moved by no draw.
class Sizes {
 public:
  Sizes(const Tensor& reference, const Drawn& drawn);

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  /// -1 where it says nothing.
  [[nodiscard]] double at(std::size_t i) const { return is_filler(i) ? -1 : sizes_[i]; }
  /// By element; empty: none is one.
  [[nodiscard]] const std::vector<bool>& fillers() const { return is_filler_; }
  /// The same, but fillers have a size as others.
  [[nodiscard]] double with_fillers_at(std::size_t i) const { return sizes_[i]; }

 private:
  template <class Elements>
  void find_fillers(const Elements& elements, const Drawn& drawn);
  [[nodiscard]] bool is_filler(std::size_t i) const { return !is_filler_.empty() && is_filler_[i]; }

  std::vector<double> sizes_;
  std::vector<bool> is_filler_;
};

/// The root of the mean square of the sizes that say something.
class Rms {
 public:
  void add(double size) {
    if (size < 0) return;
    squares_ += size * size;
    ++count_;
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double value() const { return count_ > 0 ? std::sqrt(squares_ / static_cast<double>(count_)) : 0; }

 private:
  double squares_ = 0;
  std::int64_t count_ = 0;
};

constexpr int binades_apart = 8;  ///< a gap: values of one scale differ by less

/// Scales by number, from 0.
struct Parted {
  std::size_t count = 1;
  std::vector<std::uint8_t> scale_of = {};  ///< by element; empty: all are of the first
};

/// Slices along an axis part where their rms differs by 16 times, if each has at least 4 elements that say something;
/// values part at gaps of 2^8 in |r|, but those that draws carry as far as rounding of the larger ones goes stay with
/// them. All in one where there would be more than 64. `eps`: of the type.
Parted part_by_size(const Tensor& reference, const Sizes& sizes, const Drawn& drawn, double eps);

}  // namespace culprit
