#include "base/random.h"

#include "base/hash.h"

namespace culprit {

Random::Random(std::uint64_t seed, std::string_view stream)
    : state_(Hasher().add(static_cast<std::int64_t>(seed)).add(stream).finish().low) {}

std::uint64_t Random::next() {
  state_ += UINT64_C(0x9e3779b97f4a7c15);
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  mixed = (mixed ^ (mixed >> 27)) * UINT64_C(0x94d049bb133111eb);
  return mixed ^ (mixed >> 31);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::int64_t Random::between(std::int64_t low, std::int64_t high) {
  if (low >= high) return low;
  const auto first = static_cast<std::uint64_t>(low);
  const std::uint64_t choices = static_cast<std::uint64_t>(high) - first + 1;  // 0 stands for all 2^64
  if (choices == 0) return static_cast<std::int64_t>(next());
  const std::uint64_t uneven = (0 - choices) % choices;  // 2^64 mod choices: the first values are taken once too often
  std::uint64_t drawn = next();
  while (drawn < uneven) drawn = next();
  return static_cast<std::int64_t>(first + drawn % choices);
}

double Random::normal() {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += uniform();
  return sum - 6;
}

double Random::rough_normal() {
  constexpr std::int64_t mean = std::int64_t{2} * 65535;
  constexpr double deviation = 37837.2;  // of the sum of four uniform numbers below 65536: sqrt((65536^2 - 1) / 3)
  const std::uint64_t bits = next();
  std::int64_t sum = -mean;
  for (int shift = 0; shift < 64; shift += 16) sum += static_cast<std::int64_t>((bits >> shift) & 0xffff);
  return static_cast<double>(sum) / deviation;
}

}  // namespace culprit
