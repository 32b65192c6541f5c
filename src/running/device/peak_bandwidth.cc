#include "device/peak_bandwidth.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/memory.h"
#include "device/together.h"

namespace culprit {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;
constexpr std::size_t parts_of_arrays = 16;
constexpr std::size_t step = 1024;  ///< floats; so many at once are made by vectors at every level of optimization

/// The arrays of one thread, which touches their pages first.
struct TriadArrays {
  std::unique_ptr<float[]> a, b, c;
  std::size_t steps = 0;
};

void fill(TriadArrays& arrays, std::size_t steps) {
  const std::size_t count = steps * step;
  arrays.a.reset(new float[count]);
  arrays.b.reset(new float[count]);
  arrays.c.reset(new float[count]);
  arrays.steps = steps;
  std::fill_n(arrays.a.get(), count, 0.0F);
  std::fill_n(arrays.b.get(), count, 1.0F);
  std::fill_n(arrays.c.get(), count, 2.0F);
}

/// From this step on, so many.
void triad(const TriadArrays& arrays, std::size_t first, std::size_t steps) {
  constexpr float scale = 3;
  for (std::size_t at = first; at < first + steps; ++at) {
    float* const __restrict a = arrays.a.get() + at * step;
    const float* const __restrict b = arrays.b.get() + at * step;
    const float* const __restrict c = arrays.c.get() + at * step;
    for (std::size_t i = 0; i < step; ++i) a[i] = b[i] + scale * c[i];
  }
}

std::uint64_t largest_cache() {
  long largest = 0;
  for (const int name : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL4_CACHE_SIZE})
    largest = std::max(largest, ::sysconf(name));
  return static_cast<std::uint64_t>(largest);
}

}  // namespace

std::uint64_t bytes_of_triad(std::uint64_t cache_bytes, std::uint64_t memory) {
  const std::uint64_t wanted = std::clamp(2 * cache_bytes, 64 * mebibyte, 1024 * mebibyte);
  return std::max(std::min(wanted, memory / 4), 3 * mebibyte);
}

PeakBandwidth measure_peak_bandwidth(std::int64_t threads) {
  constexpr double seconds = 0.4;
  PeakBandwidth peak;
  peak.cache_bytes = largest_cache();
  const std::uint64_t wanted = bytes_of_triad(peak.cache_bytes, usable_memory());
  const std::uint64_t bytes_of_step = 3 * step * sizeof(float);
  const auto steps = static_cast<std::size_t>(
      std::max<std::uint64_t>(1, wanted / bytes_of_step / static_cast<std::uint64_t>(threads)));
  std::vector<TriadArrays> arrays(static_cast<std::size_t>(threads));
  peak.buffer_bytes = bytes_of_step * steps * arrays.size();
  (void)seconds_together(threads, [&](std::int64_t thread) { fill(arrays[static_cast<std::size_t>(thread)], steps); });
  // Rounds go through the arrays part by part: before a part has its next turn, all others went through the caches.
  const std::size_t part = std::max<std::size_t>(1, steps / parts_of_arrays);
  std::size_t next = 0;
  const double fastest = fastest_round(seconds, [&] {
    const std::size_t first = next;
    next = next + 2 * part <= steps ? next + part : 0;
    return seconds_together(threads,
                            [&](std::int64_t thread) { triad(arrays[static_cast<std::size_t>(thread)], first, part); });
  });
  const volatile float kept = arrays.front().a[0];  // nobody may leave the work out
  (void)kept;
  peak.bytes_a_second = static_cast<double>(bytes_of_step * part * arrays.size()) / fastest;
  return peak;
}

}  // namespace culprit
