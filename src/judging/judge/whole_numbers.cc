#include "judge/whole_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "judge/element_readers.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

constexpr std::int64_t least_values = 4;
constexpr std::int64_t few_elements = 8, few_of_a_half = 16;
constexpr int bits_left = 4, bits_left_of_few = 12, bits_left_of_halves = 3;
constexpr std::int64_t one_in_so_many = 16;
constexpr int bits_of_a_double = 53;

/// Those elements of one scale that stood still.
class StillElements {
 public:
  /// `bits`: of the type's fraction, with the one that is not stored.
  void add(double value, int bits) {
    ++elements_;
    if (value == 0 || is_off_) return;
    ++count_;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);  // in [0.5, 1)
    const auto whole = static_cast<std::uint64_t>(std::ldexp(fraction, bits_of_a_double));
    lowest_ = std::min(lowest_, exponent - bits_of_a_double + std::countr_zero(whole));
    highest_ = std::max(highest_, exponent);
    is_off_ = highest_ - lowest_ > bits;
    const auto known = values_.begin() + distinct_;
    if (distinct_ < least_values && std::find(values_.begin(), known, value) == known)
      values_[static_cast<std::size_t>(distinct_++)] = value;
  }
  void add_moved() { ++elements_, ++moved_; }

  [[nodiscard]] double unit(int bits, bool is_half, bool jumps) const {
    if (is_off_ || distinct_ < least_values) return 0;
    if (jumps && moved_ * one_in_so_many > elements_) return 0;
    if (is_half && count_ < few_of_a_half) return 0;
    const int left = is_half ? bits_left_of_halves : count_ < few_elements ? bits_left_of_few : bits_left;
    return highest_ - lowest_ + left <= bits ? std::ldexp(1.0, lowest_) : 0;
  }

 private:
  std::int64_t elements_ = 0, moved_ = 0, count_ = 0;
  std::ptrdiff_t distinct_ = 0;
  std::array<double, least_values> values_{};
  int lowest_ = 1 << 20, highest_ = -(1 << 20);
  bool is_off_ = false;
};

}  // namespace

std::vector<double> units_of(const Tensor& reference, const Drawn& drawn, std::size_t scales,
                             const std::vector<std::uint8_t>& scale_of) {
  const double eps = epsilon_of(reference.dtype());
  const std::size_t type_bits = bits_of(reference.dtype());
  if ((drawn.draws == 0 && !drawn.never_moves) || !(eps > 0) || type_bits <= 8) return {};
  const int bits = 1 - std::ilogb(eps);
  std::vector<StillElements> still(scales);
  with_float_elements(reference.dtype(), reference.count(), [&]<class Elements>(std::int64_t parts) {
    const Elements elements(reference);
    for (std::int64_t i = 0; i < parts; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const double value = elements.number(i);
      if (!std::isfinite(value)) continue;
      StillElements& of = still[scale_of.empty() ? 0 : scale_of[at]];
      drawn.moves(i) ? of.add_moved() : of.add(value, bits);
    }
  });
  std::vector<double> units;
  units.reserve(still.size());
  for (const StillElements& one : still)
    units.push_back(one.unit(bits, type_bits == 16, drawn.nature != Nature::smooth));
  return units;
}

bool is_multiple(double value, double unit) { return std::rint(value / unit) * unit == value; }

}  // namespace culprit
