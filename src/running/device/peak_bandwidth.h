#pragma once
// Bytes a second from memory and to it: the triad of STREAM (McCalpin, 1995), a = b + s * c, over arrays that no cache
// holds. As there, a float that is read or written counts 4 bytes, and what the cache fetches before a write does not.

#include <cstdint>

namespace culprit {

struct PeakBandwidth {
  double bytes_a_second = 0;       ///< of all threads together
  std::uint64_t buffer_bytes = 0;  ///< of the three arrays together
  std::uint64_t cache_bytes = 0;   ///< of the largest cache that the system tells of; 0: of none
};

/// For about 0.4 s, with so many threads.
PeakBandwidth measure_peak_bandwidth(std::int64_t threads);

/// How large the arrays are, together: twice this cache, 64 MiB to 1 GiB, and never more than a quarter of `memory`.
std::uint64_t bytes_of_triad(std::uint64_t cache_bytes, std::uint64_t memory);

}  // namespace culprit
