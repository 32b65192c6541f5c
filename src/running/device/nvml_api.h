#pragma once
// The few functions and constants of NVML that are used, as NVIDIA documents them (NVML API Reference Guide,
// https://docs.nvidia.com/deploy/nvml-api/). Private to this room: the library is loaded by name at run time.

#include <array>
#include <cstdint>

namespace culprit::nvml {

using Handle = struct nvmlDevice_st*;  // nvmlDevice_t
using Code = int;                      // nvmlReturn_t

constexpr Code success = 0, uninitialized = 1, not_supported = 3, no_permission = 4, driver_not_loaded = 9,
               function_not_found = 13, gpu_is_lost = 15, reset_required = 16;

struct Utilization {          // nvmlUtilization_t
  unsigned gpu = 0;           // percent of the driver's last period (1/6 s to 1 s) in which a kernel ran
  unsigned memory_times = 0;  // percent in which memory was read or written
};

struct MemoryInfo {                                  // nvmlMemory_t, bytes
  unsigned long long total = 0, free = 0, used = 0;  // `used` with what the driver keeps for itself
};
struct MemoryInfo2 {                                               // nvmlMemory_v2_t, bytes
  unsigned version = 0;                                            // `version_of_memory`
  unsigned long long total = 0, reserved = 0, free = 0, used = 0;  // `used` by programs, as nvidia-smi tells it
};
constexpr unsigned version_of_memory = sizeof(MemoryInfo2) | (2U << 24U);

constexpr unsigned sensor_of_gpu = 0;  // NVML_TEMPERATURE_GPU
constexpr unsigned clock_of_sm = 1;    // NVML_CLOCK_SM

/// nvmlClocksEventReason*: a bit, and what it means. What is no slowing down is left out: an idle device, clocks that
/// were asked for.
struct Reason {
  std::uint64_t bit;
  const char* words;
};
constexpr std::array reasons = {
    Reason{0x04, "its power limit"},           // SwPowerCap
    Reason{0x08, "hardware slowdown"},         // HwSlowdown
    Reason{0x10, "the slowest of its group"},  // SyncBoost
    Reason{0x20, "heat"},                      // SwThermalSlowdown
    Reason{0x40, "heat (hardware)"},           // HwThermalSlowdown
    Reason{0x80, "the power supply"},          // HwPowerBrakeSlowdown
};

using Init = Code (*)();                                       // nvmlInit_v2
using Shutdown = Code (*)();                                   // nvmlShutdown
using ErrorString = const char* (*)(Code);                     // nvmlErrorString
using GetCount = Code (*)(unsigned*);                          // nvmlDeviceGetCount_v2
using GetHandle = Code (*)(unsigned, Handle*);                 // nvmlDeviceGetHandleByIndex_v2
using GetName = Code (*)(Handle, char*, unsigned);             // nvmlDeviceGetName: buffer, its length
using GetUtilization = Code (*)(Handle, Utilization*);         // nvmlDeviceGetUtilizationRates
using GetMemory = Code (*)(Handle, MemoryInfo*);               // nvmlDeviceGetMemoryInfo
using GetMemory2 = Code (*)(Handle, MemoryInfo2*);             // nvmlDeviceGetMemoryInfo_v2
using GetPower = Code (*)(Handle, unsigned*);                  // nvmlDeviceGetPowerUsage: milliwatts
using GetEnergy = Code (*)(Handle, unsigned long long*);       // nvmlDeviceGetTotalEnergyConsumption: millijoules
using GetTemperature = Code (*)(Handle, unsigned, unsigned*);  // nvmlDeviceGetTemperature: sensor, degrees Celsius
using GetClock = Code (*)(Handle, unsigned, unsigned*);        // nvmlDeviceGetClockInfo: kind of clock, MHz
using GetReasons = Code (*)(Handle, unsigned long long*);      // nvmlDeviceGetCurrentClocksEventReasons: bits

}  // namespace culprit::nvml
