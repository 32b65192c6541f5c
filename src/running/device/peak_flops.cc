#include "device/peak_flops.h"

#include <algorithm>
#include <cstddef>

#include "device/together.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace culprit {
namespace {

/// A multiply-add takes 4 cycles, and two or more begin in each; with 12 chains and their two constants all of it fits
/// into 16 registers.
constexpr std::size_t chains = 12;
constexpr float factor = 0.999F, term = 0.001F;  // each chain comes to rest at 1

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) float multiply_add_avx2(std::int64_t turns) {
  const __m256 by = _mm256_set1_ps(factor), plus = _mm256_set1_ps(term);
  __m256 sums[chains];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 16
    for (__m256& sum : sums) sum = _mm256_fmadd_ps(sum, by, plus);
  }
  __m256 all = sums[0];
#pragma GCC unroll 16
  for (std::size_t i = 1; i < chains; ++i) all = _mm256_add_ps(all, sums[i]);
  return _mm256_cvtss_f32(all);
}

__attribute__((target("avx512f"))) float multiply_add_avx512(std::int64_t turns) {
  const __m512 by = _mm512_set1_ps(factor), plus = _mm512_set1_ps(term);
  __m512 sums[chains];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < chains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 16
    for (__m512& sum : sums) sum = _mm512_fmadd_ps(sum, by, plus);
  }
  __m512 all = sums[0];
#pragma GCC unroll 16
  for (std::size_t i = 1; i < chains; ++i) all = _mm512_add_ps(all, sums[i]);
  return _mm512_cvtss_f32(all);
}

#elif defined(__aarch64__)

float multiply_add_neon(std::int64_t turns) {
  const float32x4_t by = vdupq_n_f32(factor), plus = vdupq_n_f32(term);
  float32x4_t sums[chains];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < chains; ++i) sums[i] = vdupq_n_f32(static_cast<float>(i));
  for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 16
    for (float32x4_t& sum : sums) sum = vfmaq_f32(plus, sum, by);
  }
  float32x4_t all = sums[0];
#pragma GCC unroll 16
  for (std::size_t i = 1; i < chains; ++i) all = vaddq_f32(all, sums[i]);
  return vgetq_lane_f32(all, 0);
}

#endif

using FourFloats = float __attribute__((vector_size(16)));

/// What any CPU has, as the compiler makes it.
float multiply_add_plain(std::int64_t turns) {
  FourFloats sums[chains];
#pragma GCC unroll 16
  for (std::size_t i = 0; i < chains; ++i) sums[i] = FourFloats{} + static_cast<float>(i);
  for (std::int64_t turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 16
    for (FourFloats& sum : sums) sum = sum * factor + term;
  }
  FourFloats all = sums[0];
#pragma GCC unroll 16
  for (std::size_t i = 1; i < chains; ++i) all += sums[i];
  return all[0];
}

double flops_of(double lanes) { return 2 * static_cast<double>(chains) * lanes; }

double rate_of(const MultiplyAdd& way, std::int64_t threads) {
  constexpr double seconds_of_round = 0.003, seconds_of_way = 0.15;
  constexpr std::int64_t first_turns = 100'000;
  std::vector<float> results(static_cast<std::size_t>(threads));
  const auto round = [&](std::int64_t turns) {
    return seconds_together(threads,
                            [&](std::int64_t thread) { results[static_cast<std::size_t>(thread)] = way.run(turns); });
  };
  const double first = std::max(fastest_round(0, [&] { return round(first_turns); }), 1e-7);
  const auto turns =
      static_cast<std::int64_t>(static_cast<double>(first_turns) * std::clamp(seconds_of_round / first, 1.0, 1000.0));
  const double fastest = fastest_round(seconds_of_way, [&] { return round(turns); });
  const volatile float kept = *std::ranges::max_element(results);  // nobody may leave the work out
  (void)kept;
  return static_cast<double>(threads) * static_cast<double>(turns) * way.flops_a_turn / fastest;
}

}  // namespace

std::vector<MultiplyAdd> multiply_adds() {
  std::vector<MultiplyAdd> ways = {{"plain C++", flops_of(4), multiply_add_plain}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    ways.push_back({"AVX2", flops_of(8), multiply_add_avx2});
  if (__builtin_cpu_supports("avx512f")) ways.push_back({"AVX-512", flops_of(16), multiply_add_avx512});
#elif defined(__aarch64__)
  ways.push_back({"NEON", flops_of(4), multiply_add_neon});
#endif
  return ways;
}

PeakFlops measure_peak_flops(std::int64_t threads) {
  PeakFlops best;
  const auto ways = multiply_adds();
  const std::size_t first = ways.size() > 1 ? 1 : 0;  // plain C++ is never the best where there is another way
  for (std::size_t i = first; i < ways.size(); ++i)
    if (const double rate = rate_of(ways[i], threads); rate > best.a_second) best = {rate, ways[i].instructions};
  return best;
}

}  // namespace culprit
