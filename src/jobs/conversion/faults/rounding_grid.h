#pragma once
// Were the numbers of a tensor rounded on the way? A tool that writes weights as text, as float16 or in 8 bits leaves
// all of them on one grid, and each of them next to the number that it was.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace culprit {

struct RoundingGrid {
  enum class Kind {
    float16,
    bfloat16,
    decimals,  ///< so many digits behind the point
    digits,    ///< so many significant ones
    steps,     ///< multiples of one number, in 8 bits or less
  } kind = Kind::float16;
  int digits = 0;   ///< of `decimals` and `digits`
  double step = 0;  ///< of `steps`
  bool operator==(const RoundingGrid&) const = default;
};

/// "float16", "2 decimals", "3 significant digits", "multiples of 0.0078".
std::string to_string(const RoundingGrid& grid);

/// The first grid on which all of `found` lie, each next to its number in `right`, where more than half of them differ.
/// `factor`: what each number was multiplied with after it was rounded, as scales are folded into kernels; empty: with
/// nothing. Fewer than 4 numbers tell nothing.
std::optional<RoundingGrid> grid_of(std::span<const float> right, std::span<const float> found,
                                    std::span<const float> factor = {});

}  // namespace culprit
