#pragma once
// Operations on float32 numbers a second, at most: multiply-adds whose operands lie in registers, in as many chains as
// hide how long each takes.

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

/// One way of multiplying and adding that this CPU has.
struct MultiplyAdd {
  std::string instructions;                    ///< "AVX-512", "AVX2", "NEON", "plain C++"
  double flops_a_turn = 0;                     ///< of one turn of its loop; a multiply-add is 2
  float (*run)(std::int64_t turns) = nullptr;  ///< what comes of it is no NaN, and not 0
};

/// The widest last; never empty.
std::vector<MultiplyAdd> multiply_adds();

struct PeakFlops {
  double a_second = 0;  ///< of all threads together
  std::string instructions;
};

/// The best of all ways, for about 0.15 s each.
PeakFlops measure_peak_flops(std::int64_t threads);

}  // namespace culprit
