// A library that speaks NVML's interface, declared here once more from NVIDIA's pages, so that a mistake in
// src/running/device/nvml_api.h is one. What it says is fixed, or told by the environment when it starts:
//   FAKE_NVML_DEVICES=2        how many there are (default 1)
//   FAKE_NVML_INIT=9           what nvmlInit_v2 returns
//   FAKE_NVML_ERRORS="nvmlDeviceGetPowerUsage=3 nvmlDeviceGetClockInfo=999"
//   FAKE_NVML_LOST_AFTER=5     calls of nvmlDeviceGetUtilizationRates that are answered; then the device is gone
//   FAKE_NVML_NAME             of device 0
// With FAKE_NVML_OLD it has no counter of energy, and the reasons by their old name.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

struct State {
  int started = 0, devices = 1, lost_after = -1;
  std::string errors, name;
  int looks = 0, powers = 0, energies = 0;
};
State state;

constexpr int lost = 15;

std::string setting(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

/// What this function returns instead of an answer; 0: it answers.
int error_of(const char* function) {
  if (state.started <= 0) return 1;
  if (state.lost_after >= 0 && state.looks > state.lost_after) return lost;
  const std::string key = std::string(function) + "=";
  const auto at = (" " + state.errors).find(" " + key);
  return at == std::string::npos ? 0 : std::atoi(state.errors.c_str() + at + key.size());
}

}  // namespace

extern "C" {

struct nvmlDevice_st {
  unsigned index;
};
static nvmlDevice_st devices[4] = {{0}, {1}, {2}, {3}};

struct Rates {
  unsigned gpu, memory;
};
struct Bytes {
  unsigned long long total, free, used;
};

int nvmlInit_v2() {
  if (const int error = std::atoi(setting("FAKE_NVML_INIT", "0").c_str()); error != 0) return error;
  const int started = state.started + 1;
  state = State();
  state.started = started;
  state.devices = std::atoi(setting("FAKE_NVML_DEVICES", "1").c_str());
  state.lost_after = std::atoi(setting("FAKE_NVML_LOST_AFTER", "-1").c_str());
  state.errors = setting("FAKE_NVML_ERRORS", "");
  state.name = setting("FAKE_NVML_NAME", "Fake H100");
  return 0;
}

int nvmlShutdown() { return --state.started < 0 ? 1 : 0; }

/// For tests: how often it was started and not stopped.
int fake_nvml_started() { return state.started; }
/// How often it was asked for its power.
int fake_nvml_powers() { return state.powers; }

const char* nvmlErrorString(int code) {
  switch (code) {
    case 3:
      return "Not Supported";
    case 4:
      return "Insufficient Permissions";
    case 9:
      return "Driver Not Loaded";
    case 13:
      return "Function Not Found";
    case lost:
      return "GPU is lost";
    default:
      return "Unknown \033[31mError";
  }
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(state.devices);
  return error_of("nvmlDeviceGetCount_v2");
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice_st** device) {
  if (index >= static_cast<unsigned>(state.devices) || index >= 4) return 2;
  *device = &devices[index];
  return error_of("nvmlDeviceGetHandleByIndex_v2");
}

int nvmlDeviceGetName(nvmlDevice_st* device, char* name, unsigned length) {
  const std::string own = device->index == 0 ? state.name : "Fake device " + std::to_string(device->index);
  if (own.size() + 1 > length) {  // a library that does not end what it writes
    std::memcpy(name, own.data(), length);
    return 0;
  }
  std::memcpy(name, own.c_str(), own.size() + 1);
  return error_of("nvmlDeviceGetName");
}

/// 10, 20, 30, 40, 10, ... percent
int nvmlDeviceGetUtilizationRates(nvmlDevice_st* device, Rates* rates) {
  (void)device;
  ++state.looks;
  rates->gpu = static_cast<unsigned>((state.looks - 1) % 4 * 10 + 10);
  rates->memory = 99;
  return error_of("nvmlDeviceGetUtilizationRates");
}

#ifdef FAKE_NVML_OLD
constexpr unsigned long long of_driver = 0;
#else
constexpr unsigned long long of_driver = 600'000'000;
#endif

/// With what the driver keeps.
int nvmlDeviceGetMemoryInfo(nvmlDevice_st* device, Bytes* bytes) {
  *bytes = {80'000'000'000ULL, 75'000'000'000ULL, 5'000'000'000ULL + of_driver + device->index};
  return error_of("nvmlDeviceGetMemoryInfo");
}

#ifndef FAKE_NVML_OLD
struct VersionedBytes {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
int nvmlDeviceGetMemoryInfo_v2(nvmlDevice_st* device, VersionedBytes* bytes) {
  constexpr int argument_version_mismatch = 25;
  if (bytes->version != (sizeof(VersionedBytes) | 2U << 24U)) return argument_version_mismatch;
  bytes->total = 80'000'000'000ULL;
  bytes->reserved = of_driver;
  bytes->free = 74'400'000'000ULL;
  bytes->used = 5'000'000'000ULL + device->index;
  return error_of("nvmlDeviceGetMemoryInfo_v2");
}
#endif

/// 100 W, 200 W, 100 W, ...
int nvmlDeviceGetPowerUsage(nvmlDevice_st* device, unsigned* milliwatts) {
  (void)device;
  *milliwatts = state.powers++ % 2 == 0 ? 100'000 : 200'000;
  return error_of("nvmlDeviceGetPowerUsage");
}

#ifndef FAKE_NVML_OLD
/// Each call it has taken 3 J more.
int nvmlDeviceGetTotalEnergyConsumption(nvmlDevice_st* device, unsigned long long* millijoules) {
  (void)device;
  *millijoules = 1'000'000'000'000ULL + 3000ULL * static_cast<unsigned long long>(state.energies++);
  return error_of("nvmlDeviceGetTotalEnergyConsumption");
}
#endif

int nvmlDeviceGetTemperature(nvmlDevice_st* device, unsigned sensor, unsigned* degrees) {
  (void)device;
  if (sensor != 0) return 2;
  *degrees = 61;
  return error_of("nvmlDeviceGetTemperature");
}

int nvmlDeviceGetClockInfo(nvmlDevice_st* device, unsigned kind, unsigned* mhz) {
  (void)device;
  if (kind != 1) return 2;
  *mhz = 1755;
  return error_of("nvmlDeviceGetClockInfo");
}

/// Idle (no slowing down), its power limit, and heat.
#ifdef FAKE_NVML_OLD
int nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_st* device, unsigned long long* bits) {
#else
int nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_st* device, unsigned long long* bits) {
#endif
  (void)device;
  *bits = 0x1 | 0x4 | 0x20;
  return error_of("nvmlDeviceGetCurrentClocksEventReasons");
}

}  // extern "C"
