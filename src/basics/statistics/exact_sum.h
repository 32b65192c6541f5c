#pragma once
// A sum of doubles without any rounding until it is read, so that it is the same however the terms were grouped: chunks
// of samples that were added apart and merged give the bits of one run. R. M. Neal, "Fast exact summation using small
// and large superaccumulators", arXiv:1505.05571 (2015), the small one: an integer of 2,144 bits in words of 32 that
// carry late.

#include <array>
#include <cstdint>

#include "base/state_bytes.h"

namespace culprit {

class ExactSum {
 public:
  void add(double value);  ///< NaN and infinities are kept apart and come out as addition gives them
  void merge(const ExactSum& other);
  /// Rounded once, to nearest even (what is below 2^-1022 twice).
  [[nodiscard]] double value() const;
  void write(StateWriter& state) const;  ///< the same bytes for the same sum
  static ExactSum read(StateReader& state);

 private:
  static constexpr std::size_t words = 68;
  using Words = std::array<std::int64_t, words>;
  [[nodiscard]] Words carried() const;
  void make_room();

  Words words_{};             ///< word i counts 2^(32 i - 1075)
  std::int64_t pending_ = 0;  ///< additions since the last carry: 2^31 fit
  std::int64_t nans_ = 0, plus_ = 0, minus_ = 0;
};

}  // namespace culprit
