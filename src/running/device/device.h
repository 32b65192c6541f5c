#pragma once
// A thing that tells what it does and takes meanwhile: a graphics card, a CPU package.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "record/warning.h"

namespace culprit {

/// One look at a device. What it does not tell is absent.
struct DeviceReading {
  std::optional<double> utilization;   ///< percent
  std::optional<double> memory;        ///< bytes in use
  std::optional<double> power;         ///< watts
  std::optional<double> joules;        ///< a counter that only rises; where it starts means nothing
  std::optional<double> temperature;   ///< degrees Celsius
  std::optional<double> clock;         ///< MHz
  std::vector<const char*> slowed_by;  ///< why its clock is lower than it could be: "its power limit"
  std::string lost;                    ///< not "": it answers no more, and why
};

/// All that is read is of the whole device: of whatever else uses it, too.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;
  [[nodiscard]] virtual std::string name() const = 0;    ///< "NVIDIA H100", "CPU package 0"
  [[nodiscard]] virtual std::string source() const = 0;  ///< "NVML", "RAPL"
  /// Called by one thread at a time. It may throw; then the device is lost.
  virtual DeviceReading read() = 0;
  /// What it was asked for and did not tell, so far: "power (Not Supported)". Each once, in the order of asking.
  [[nodiscard]] virtual std::vector<std::string> untold() const { return {}; }
};

/// What there is to read, and one line about what there is not.
struct FoundDevices {
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<Warning> warnings;
};

}  // namespace culprit
