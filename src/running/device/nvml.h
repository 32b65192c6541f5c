#pragma once
// NVIDIA's devices, by the library that comes with their driver: NVML. It is loaded at run time, so nothing of NVIDIA
// is needed to build, and where it is not there that is one line.

#include <filesystem>

#include "device/device.h"

namespace culprit {

/// The device with this number, or none and a Warning "nvml_unread" that says why: no library, no driver, no such
/// device. Never more than that. `library`: a path, or a name that the system looks up.
///
/// NVML numbers devices by their place on the bus; CUDA does so only with CUDA_DEVICE_ORDER=PCI_BUS_ID, and leaves out
/// what CUDA_VISIBLE_DEVICES hides.
///
/// What is read, and what to know of it:
/// - utilization: of the driver's own last period, 1/6 s to 1 s, in which it counts as busy while any kernel runs;
/// - memory: in use on the whole device, by all programs;
/// - power: watts; of Ampere (other than GA100) and newer devices the mean of the last second;
/// - energy: millijoules since the driver was loaded, of Volta and newer; the driver renews it some ten times a second;
/// - temperature, SM clock, and what holds the clock down.
/// A function that the device does not support, or that this user may not call, is asked once and then told by
/// `untold`. A device that was lost says so by `lost`. A driver that hangs hangs its caller: nothing can end that.
FoundDevices nvml_device(unsigned index, const std::filesystem::path& library = "libnvidia-ml.so.1");

}  // namespace culprit
