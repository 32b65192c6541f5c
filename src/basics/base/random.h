#pragma once
// Random numbers that are the same on every machine: no std distributions, no libm.

#include <cstdint>
#include <string_view>

namespace culprit {

/// SplitMix64 (Steele, Lea, Flood 2014): 64 good bits a call from a 64-bit state.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// An independent stream for a named thing, so that adding an input does not change the values of the others.
  Random(std::uint64_t seed, std::string_view stream);
  std::uint64_t next();
  double uniform();                                           ///< in [0, 1), 53 bits
  std::int64_t between(std::int64_t low, std::int64_t high);  ///< both ends included; unbiased
  /// Nearly standard normal: the sum of twelve uniforms less six (Irwin-Hall), in [-6, 6], exact everywhere.
  double normal();
  /// Makes one like normal() from a single draw, for weights by the million: four 16-bit numbers, scaled to unit
  /// variance, so within 3.5 of 0. Exact everywhere.
  double rough_normal();

 private:
  std::uint64_t state_;
};

}  // namespace culprit
