#pragma once
// Devices read every few milliseconds while models run.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/stopwatch.h"
#include "device/device.h"
#include "device/device_tally.h"
#include "record/profile.h"

namespace culprit {

struct SampledDevices {
  std::vector<DeviceRecord> devices;  ///< in the order of the devices given
  /// device_unread: what a device does not tell, said once in the life of a sampler; device_lost: it answered no more,
  /// as often; device_slowed: what held its clock down in this span, and for how many readings.
  std::vector<Warning> warnings;
};

/// It takes time of the CPU and wakes the devices: have no run under way that is timed. It is meant for runs of their
/// own, whose number is then given to `stop`. Devices are read as a whole, so nothing else may use them meanwhile.
///
///     Sampler sampler(std::move(devices));
///     sampler.start();
///     const std::int64_t runs = run_for_a_while();
///     const SampledDevices sampled = sampler.stop(runs);
///
/// start and stop are for one thread at a time. In between another thread reads: processes are better forked before
/// `start`. What `read` throws makes its device a lost one. Without `stop` (an exception) the thread ends in ~Sampler.
class Sampler {
 public:
  explicit Sampler(std::vector<std::unique_ptr<Device>> devices,
                   std::chrono::nanoseconds period = std::chrono::milliseconds(10));
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  ~Sampler();

  /// Reads each device once before it returns, then each period. What was begun before is dropped. Where the system
  /// gives no thread, devices are read at both ends only.
  void start();
  /// Reads each device a last time. `runs`: inferences since start; 0: no energy for each. Without start there are no
  /// readings.
  SampledDevices stop(std::int64_t runs);

 private:
  struct Watched {
    std::unique_ptr<Device> device;
    DeviceTally tally;
    std::size_t told = 0;  // of what it does not tell
    bool is_lost = false;  // for good
  };
  void end_thread();
  void read_until_stopped();
  void read_all();
  void tell(Watched& watched, std::vector<Warning>& warnings);

  std::vector<Watched> watched_;  // while the thread runs, of that alone
  std::chrono::nanoseconds period_;
  Stopwatch watch_;  ///< since the start
  std::mutex mutex_;
  std::condition_variable wake_;
  bool is_stopping_ = false;  // guarded by mutex_
  bool is_started_ = false;
  std::thread thread_;
};

}  // namespace culprit
