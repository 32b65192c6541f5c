#include "device/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>

#include "device/nvml.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using namespace std::chrono_literals;

/// Counts its readings, so that a test waits for them and not for time.
struct Readings {
  void count() {
    const std::lock_guard lock(mutex);
    ++done;
    changed.notify_all();
  }
  void wait_for(int wanted) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return done >= wanted; });
  }
  int so_far() {
    const std::lock_guard lock(mutex);
    return done;
  }
  std::mutex mutex;
  std::condition_variable changed;
  int done = 0;
};

class Counted : public Device {
 public:
  explicit Counted(Readings& readings) : readings_(readings) {}
  [[nodiscard]] std::string name() const override { return "counted"; }
  [[nodiscard]] std::string source() const override { return "test"; }
  [[nodiscard]] std::vector<std::string> untold() const override { return untold_; }
  DeviceReading read() override {
    DeviceReading reading;
    reading.utilization = 10 * (at_ % 2);
    reading.joules = at_++;
    if (at_ == throws_at) {
      readings_.count();
      throw std::runtime_error("fell off\nthe bus");
    }
    if (at_ == throws_word_at) throw "a word";
    if (is_slow) reading.slowed_by = {"heat"};
    untold_.resize(lacking, "clock (not here)");
    readings_.count();
    return reading;
  }
  int throws_at = 0, throws_word_at = 0;
  std::size_t lacking = 0;
  bool is_slow = false;

 private:
  Readings& readings_;
  int at_ = 0;
  std::vector<std::string> untold_;
};

class SamplerTest : public testing::Test {
 protected:
  Sampler sampler_of(std::unique_ptr<Device> device) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(std::move(device));
    return Sampler(std::move(devices), 1ms);
  }
  Readings readings_;
};

TEST_F(SamplerTest, ReadsAtBothEndsAndInBetween) {
  Sampler sampler = sampler_of(std::make_unique<Counted>(readings_));
  EXPECT_EQ(readings_.so_far(), 0);
  sampler.start();
  EXPECT_GE(readings_.so_far(), 1);
  readings_.wait_for(5);
  const SampledDevices sampled = sampler.stop(1);
  const int done = readings_.so_far();
  EXPECT_GE(done, 6);
  ASSERT_THAT(sampled.devices, SizeIs(1));
  EXPECT_EQ(sampled.devices[0].readings, done);
  EXPECT_EQ(sampled.devices[0].joules_a_run, done - 1);
  EXPECT_EQ(sampled.devices[0].utilization->most, 10);
  EXPECT_THAT(sampled.warnings, IsEmpty());
}

TEST_F(SamplerTest, AfterTheStopNothingIsRead) {
  Sampler sampler = sampler_of(std::make_unique<Counted>(readings_));
  sampler.start();
  readings_.wait_for(3);
  sampler.stop(1);
  const int done = readings_.so_far();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(readings_.so_far(), done);
  EXPECT_EQ(sampler.stop(1).devices.at(0).readings, 0);
}

TEST_F(SamplerTest, EachSpanBeginsAnew) {
  Sampler sampler = sampler_of(std::make_unique<Counted>(readings_));
  sampler.start();
  readings_.wait_for(20);
  sampler.start();  // what was begun is dropped
  const int before = readings_.so_far();
  readings_.wait_for(before + 2);
  const SampledDevices sampled = sampler.stop(1);
  EXPECT_LE(sampled.devices.at(0).readings, readings_.so_far() - 19);
  EXPECT_EQ(sampled.devices[0].joules_a_run, static_cast<double>(sampled.devices[0].readings - 1));
}

TEST_F(SamplerTest, EndsWithAnException) {
  try {
    Sampler sampler = sampler_of(std::make_unique<Counted>(readings_));
    sampler.start();
    readings_.wait_for(3);
    throw std::runtime_error("a run failed");
  } catch (const std::runtime_error&) {
  }
  const int done = readings_.so_far();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(readings_.so_far(), done);
}

TEST_F(SamplerTest, ADeviceThatThrowsIsLostOnceAndTheOthersGoOn) {
  Readings others;
  auto throws = std::make_unique<Counted>(readings_);
  throws->throws_at = 4;
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::move(throws));
  devices.push_back(std::make_unique<Counted>(others));
  Sampler sampler(std::move(devices), 1ms);
  sampler.start();
  readings_.wait_for(4);
  others.wait_for(9);
  const SampledDevices sampled = sampler.stop(1);
  ASSERT_THAT(sampled.devices, SizeIs(2));
  EXPECT_EQ(sampled.devices[0].readings, 3);
  EXPECT_EQ(sampled.devices[0].joules_a_run, std::nullopt);
  EXPECT_GE(sampled.devices[1].readings, 10);
  ASSERT_THAT(sampled.warnings, SizeIs(1));
  EXPECT_EQ(sampled.warnings[0].code, "device_lost");
  EXPECT_THAT(sampled.warnings[0].message,
              AllOf(HasSubstr("counted (test)"), HasSubstr("after 3 readings"), HasSubstr("fell off the bus")));
  sampler.start();
  EXPECT_THAT(sampler.stop(1).warnings, IsEmpty());
  EXPECT_EQ(readings_.so_far(), 4);
}

TEST_F(SamplerTest, WhateverIsThrownIsLost) {
  auto throws = std::make_unique<Counted>(readings_);
  throws->throws_word_at = 1;
  Sampler sampler = sampler_of(std::move(throws));
  sampler.start();
  EXPECT_THAT(sampler.stop(1).warnings, SizeIs(1));
}

TEST_F(SamplerTest, WhatIsNotToldIsSaidOnceAndWhatSlowsEachTime) {
  auto device = std::make_unique<Counted>(readings_);
  device->lacking = 2;
  device->is_slow = true;
  Sampler sampler = sampler_of(std::move(device));
  sampler.start();
  auto warnings = sampler.stop(1).warnings;
  ASSERT_THAT(warnings, SizeIs(2));
  EXPECT_EQ(warnings[0], (Warning{"device_unread", "counted (test) does not tell clock (not here), clock (not here)"}));
  EXPECT_EQ(warnings[1].code, "device_slowed");
  EXPECT_THAT(warnings[1].message, AllOf(HasSubstr("heat in "), HasSubstr(" readings"), HasSubstr("nvidia-smi -lgc")));
  sampler.start();
  warnings = sampler.stop(1).warnings;
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_EQ(warnings[0].code, "device_slowed");
}

TEST_F(SamplerTest, WithoutDevicesItDoesNothing) {
  Sampler sampler({});
  sampler.start();
  const SampledDevices sampled = sampler.stop(3);
  EXPECT_THAT(sampled.devices, IsEmpty());
  EXPECT_THAT(sampled.warnings, IsEmpty());
}

TEST_F(SamplerTest, NvmlThroughAll) {
  Sampler sampler(nvml_device(0, CULPRIT_TEST_FAKE_NVML).devices, 1ms);
  sampler.start();
  const SampledDevices sampled = sampler.stop(3);
  ASSERT_THAT(sampled.devices, SizeIs(1));
  const DeviceRecord& record = sampled.devices[0];
  EXPECT_EQ(record.name, "Fake H100");
  EXPECT_EQ(record.joules_from, "counter");
  EXPECT_DOUBLE_EQ(record.joules_a_run.value(), static_cast<double>(record.readings - 1));  // 3 J each, 3 runs
  EXPECT_EQ(record.memory->most, 5e9);
  EXPECT_EQ(sampled.warnings.at(0).code, "device_slowed");
}

}  // namespace
}  // namespace culprit
