#include "device/machine_limits.h"

#include <algorithm>

#include "device/peak_bandwidth.h"
#include "device/peak_flops.h"

namespace culprit {

MachineLimits measure_limits(std::int64_t threads) {
  threads = std::max<std::int64_t>(1, threads);
  const PeakFlops flops = measure_peak_flops(threads);
  const PeakBandwidth bandwidth = measure_peak_bandwidth(threads);
  return {.flops = flops.a_second,
          .bandwidth = bandwidth.bytes_a_second,
          .threads = threads,
          .instructions = flops.instructions,
          .buffer_bytes = bandwidth.buffer_bytes,
          .cache_bytes = bandwidth.cache_bytes};
}

}  // namespace culprit
