#include "profile/measured_devices.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "device/nvml.h"
#include "device/rapl.h"

namespace culprit {

FoundDevices devices_of_this_machine() {
  FoundDevices found = nvml_device(0);
  FoundDevices packages = rapl_devices();
  std::ranges::move(packages.devices, std::back_inserter(found.devices));
  std::ranges::move(packages.warnings, std::back_inserter(found.warnings));
  return found;
}

SampledDevices measure_devices(MeasuringBlocks& blocks, const MeasuredModel& model, double seconds_of_run,
                               Sampler& sampler) {
  constexpr double least_runs = 5, most_runs = 100'000;
  const double runs = std::clamp(std::ceil(seconds_of_devices / std::max(seconds_of_run, 1e-9)), least_runs, most_runs);
  const auto block = blocks.open({model});
  if (block->load(0).failure.failed() || block->run(0, 2).failure.failed()) return {};
  sampler.start();
  const Turn turn = block->run(0, static_cast<std::int64_t>(runs));
  SampledDevices sampled = sampler.stop(static_cast<std::int64_t>(runs));
  if (turn.failure.failed()) sampled.devices.clear();
  return sampled;
}

}  // namespace culprit
