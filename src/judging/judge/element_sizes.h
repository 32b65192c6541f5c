#pragma once
// How large the elements of an output are, and which of them are of one scale (docs/judging.md, "Scales").

#include <cmath>
#include <cstdint>
#include <vector>

#include "judge/draw_results.h"
#include "tensor/tensor.h"

namespace culprit {

/// Elements that have the bits of another one, and that no draw moves.
enum class Filler : std::uint8_t {
  none,
  still,    ///< no draw moves any with these bits: masks, padding. It borrows nothing
  clamped,  ///< draws do move others with these bits: zeros of a Relu. It borrows nothing either, but has the tolerance
            ///< of its scale, for it may stand just beside the border
};

/// |r| of each element; of a complex number its two parts. Some say nothing about a scale: NaN, infinities, and
/// fillers, which have the bits of another element and are moved by no draw.
class ElementSizes {
 public:
  ElementSizes(const Tensor& reference, const Drawn& drawn);

  [[nodiscard]] std::size_t count() const { return sizes_.size(); }
  /// -1 where it says nothing.
  [[nodiscard]] double at(std::size_t i) const { return is_filler(i) ? -1 : sizes_[i]; }
  /// By element; empty: none is one.
  [[nodiscard]] const std::vector<Filler>& fillers() const { return fillers_; }
  /// The same, but fillers have a size as others.
  [[nodiscard]] double with_fillers_at(std::size_t i) const { return sizes_[i]; }

 private:
  template <class Elements>
  void find_fillers(const Elements& elements, const Drawn& drawn);
  [[nodiscard]] bool is_filler(std::size_t i) const { return !fillers_.empty() && fillers_[i] != Filler::none; }

  std::vector<double> sizes_;
  std::vector<Filler> fillers_;
};

/// The root of the mean square of the sizes that say something.
class Rms {
 public:
  void add(double size) {
    if (size < 0) return;
    squares_ += static_cast<long double>(size) * size;  // of 1e200, too
    ++count_;
  }
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] double value() const {
    return count_ > 0 ? static_cast<double>(std::sqrt(squares_ / static_cast<long double>(count_))) : 0;
  }

 private:
  long double squares_ = 0;
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
Parted part_by_size(const Tensor& reference, const ElementSizes& sizes, const Drawn& drawn, double eps);

}  // namespace culprit
