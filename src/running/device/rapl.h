#pragma once
// The energy of CPU packages, as the CPU counts it (RAPL: running average power limit) and Linux shows it.
// https://docs.kernel.org/power/powercap/powercap.html

#include <filesystem>

#include "device/device.h"

namespace culprit {

/// One device for each package: <folder>/intel-rapl:N with a `name` that begins with "package" (AMD's are called so,
/// too). Parts of packages (core, uncore, dram) and the whole board (psys) are left out: a part is counted in its
/// package. Where none can be read, no device and one Warning "rapl_unread" that says why: on most systems only root
/// may read them, in virtual machines there are none.
///
/// The counter is in microjoules, renewed about each millisecond, and begins anew after max_energy_range_uj, which
/// takes a minute or more; so the device is to be read more often than that. Of power there are no readings: it is what
/// the counter rose by.
FoundDevices rapl_devices(const std::filesystem::path& folder = "/sys/class/powercap");

}  // namespace culprit
