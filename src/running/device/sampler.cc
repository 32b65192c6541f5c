#include "device/sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "base/text.h"

namespace culprit {
namespace {

DeviceReading read_safely(Device& device) {
  DeviceReading lost;
  try {
    return device.read();
  } catch (const std::exception& error) {
    lost.lost = error.what();
  } catch (...) {
    lost.lost = "an exception";
  }
  if (lost.lost.empty()) lost.lost = "an exception";
  return lost;
}

}  // namespace

Sampler::Sampler(std::vector<std::unique_ptr<Device>> devices, std::chrono::nanoseconds period)
    : period_(std::max(period, std::chrono::nanoseconds(std::chrono::microseconds(100)))) {
  for (auto& device : devices) watched_.push_back({std::move(device), {}});
}

Sampler::~Sampler() { end_thread(); }

void Sampler::end_thread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Sampler::start() {
  end_thread();
  for (Watched& watched : watched_) watched.tally = {};
  is_stopping_ = false;
  is_started_ = true;
  watch_ = Stopwatch();
  read_all();
  try {
    if (!watched_.empty()) thread_ = std::thread([this] { read_until_stopped(); });
  } catch (const std::system_error&) {  // no more threads: both ends are read all the same
  }
}

void Sampler::read_until_stopped() {
  std::unique_lock lock(mutex_);
  auto next = std::chrono::steady_clock::now() + period_;
  while (!wake_.wait_until(lock, next, [this] { return is_stopping_; })) {
    lock.unlock();  // a device may take its time; who stops waits for one reading, not for the lock as well
    read_all();
    lock.lock();
    next = std::max(next + period_, std::chrono::steady_clock::now());  // what was missed is not made up for
  }
}

void Sampler::read_all() {
  for (Watched& watched : watched_) {
    if (watched.is_lost || !watched.tally.lost().empty()) continue;
    const DeviceReading reading = read_safely(*watched.device);
    const double passed = watch_.seconds();
    watched.tally.add(reading, passed);
  }
}

void Sampler::tell(Watched& watched, std::vector<Warning>& warnings) {
  const std::string name = watched.device->name() + " (" + watched.device->source() + ")";
  const auto untold = watched.device->untold();
  if (untold.size() > watched.told)
    warnings.push_back(
        {"device_unread", name + " does not tell " + join(std::span(untold).subspan(watched.told), ", ")});
  watched.told = untold.size();
  const DeviceTally& tally = watched.tally;
  if (!tally.lost().empty() && !std::exchange(watched.is_lost, true))
    warnings.push_back(
        {"device_lost", fmt::format("{} answered no more after {} readings ({}); its energy is not known, "
                                    "and the rest is of the time before",
                                    name, tally.readings(), printable(tally.lost(), 300))});
  std::vector<std::string> reasons;
  for (const auto& [reason, times] : tally.slowed())
    reasons.push_back(fmt::format("{} in {} of {} readings", reason, times, tally.readings()));
  if (!reasons.empty())
    warnings.push_back(
        {"device_slowed", name + " was held down by " + join(reasons, ", by ") +
                              "; cool it or let it rest, or fix its clock below that (nvidia-smi -lgc)"});
}

SampledDevices Sampler::stop(std::int64_t runs) {
  end_thread();
  SampledDevices sampled;
  if (std::exchange(is_started_, false)) read_all();
  for (Watched& watched : watched_) {
    sampled.devices.push_back(watched.tally.record(*watched.device, runs));
    tell(watched, sampled.warnings);
    watched.tally = {};
  }
  return sampled;
}

}  // namespace culprit
