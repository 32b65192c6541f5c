#include "device/device_tally.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace culprit {
namespace {

using ::testing::IsEmpty;

class Named : public Device {
 public:
  [[nodiscard]] std::string name() const override { return "a device"; }
  [[nodiscard]] std::string source() const override { return "test"; }
  DeviceReading read() override { return {}; }
};

DeviceReading watts(double power) {
  DeviceReading reading;
  reading.power = power;
  return reading;
}
DeviceReading joules(double counter) {
  DeviceReading reading;
  reading.joules = counter;
  return reading;
}

DeviceRecord record_of(const std::vector<std::pair<double, DeviceReading>>& readings, std::int64_t runs = 10) {
  DeviceTally tally;
  for (const auto& [seconds, reading] : readings) tally.add(reading, seconds);
  return tally.record(Named(), runs);
}

TEST(DeviceTally, TellsMeanAndMost) {
  DeviceReading one;
  one.utilization = 20;
  one.memory = 4e9;
  one.temperature = 50;
  one.clock = 1000;
  DeviceReading other = one;
  other.utilization = 60;
  other.memory = 2e9;
  other.temperature = -10;
  other.clock.reset();
  const DeviceRecord record = record_of({{0, one}, {1, other}, {2, {}}});
  EXPECT_EQ(record.name, "a device");
  EXPECT_EQ(record.source, "test");
  EXPECT_EQ(record.utilization, (Sampled{40, 60}));
  EXPECT_EQ(record.memory, (Sampled{3e9, 4e9}));
  EXPECT_EQ(record.temperature, (Sampled{20, 50}));
  EXPECT_EQ(record.clock, (Sampled{1000, 1000}));
  EXPECT_EQ(record.power, std::nullopt);
  EXPECT_EQ(record.joules_a_run, std::nullopt);
  EXPECT_EQ(record.joules_from, "");
  EXPECT_EQ(record.readings, 3);
}

TEST(DeviceTally, MostOfWhatIsBelowZeroIsBelowZero) {
  DeviceReading cold;
  cold.temperature = -20;
  EXPECT_EQ(record_of({{0, cold}}).temperature, (Sampled{-20, -20}));
}

TEST(DeviceTally, EnergyIsTheDifferenceOfTheCounter) {
  DeviceReading first = joules(1000);
  first.power = 5;
  DeviceReading last = joules(1030);
  last.power = 5;
  const DeviceRecord record = record_of({{0, first}, {2, last}});
  EXPECT_EQ(record.joules_a_run, 3);
  EXPECT_EQ(record.joules_from, "counter");
  EXPECT_EQ(record.power, (Sampled{5, 5}));  // as told, and not from the counter
}

TEST(DeviceTally, WithoutACounterItIsTheIntegralOfPowerByTrapezoids) {
  const DeviceRecord record = record_of({{0, watts(100)}, {1, watts(200)}, {1.5, watts(40)}});
  EXPECT_EQ(record.joules_a_run, (150 + 60) / 10.0);
  EXPECT_EQ(record.joules_from, "power");
}

TEST(DeviceTally, ACounterThatDidNotRiseOrWentBackIsNotBelieved) {
  const auto both = [](double counter) {
    DeviceReading reading = joules(counter);
    reading.power = 30;
    return reading;
  };
  for (const double last : {7.0, 6.0}) {
    const DeviceRecord record = record_of({{0, both(7)}, {1, both(last)}});
    EXPECT_EQ(record.joules_a_run, 3) << last;
    EXPECT_EQ(record.joules_from, "power");
  }
  EXPECT_EQ(record_of({{0, both(7)}, {0.5, both(1)}, {1, both(9)}}).joules_from, "power");
  EXPECT_EQ(record_of({{0, joules(7)}, {1, joules(7)}}).joules_a_run, std::nullopt);
}

TEST(DeviceTally, WhatWasNotToldAtBothEndsIsNotTheEnergyOfAllRuns) {
  EXPECT_EQ(record_of({{0, {}}, {1, joules(1)}, {2, joules(5)}}).joules_a_run, std::nullopt);
  EXPECT_EQ(record_of({{0, joules(1)}, {1, joules(5)}, {2, {}}}).joules_a_run, std::nullopt);
  EXPECT_EQ(record_of({{0, {}}, {1, watts(1)}, {2, watts(5)}}).joules_a_run, std::nullopt);
  EXPECT_EQ(record_of({{0, watts(1)}, {1, watts(5)}, {2, {}}}).joules_a_run, std::nullopt);
  EXPECT_EQ(record_of({{0, watts(1)}, {1, {}}, {2, watts(1)}}).joules_a_run, 0.2);
}

TEST(DeviceTally, WithoutRunsThereIsNoEnergyForOne) {
  EXPECT_EQ(record_of({{0, joules(1)}, {1, joules(5)}}, 0).joules_a_run, std::nullopt);
  EXPECT_EQ(record_of({{0, joules(1)}}, 1).joules_a_run, std::nullopt);
  EXPECT_EQ(record_of({}).readings, 0);
}

TEST(DeviceTally, PowerOfACounterIsItsRise) {
  const DeviceRecord record = record_of({{0, joules(0)}, {0.1, joules(2)}, {0.2, joules(10)}, {1, joules(20)}});
  ASSERT_TRUE(record.power);
  EXPECT_DOUBLE_EQ(record.power->mean, 20);
  EXPECT_DOUBLE_EQ(record.power->most, 80);
}

/// A counter that is renewed each millisecond, read after 1 and after 9 of them, tells no power.
TEST(DeviceTally, MostPowerIsOfATenthOfASecondAtLeast) {
  const DeviceRecord record = record_of({{0, joules(0)}, {0.01, joules(50)}, {0.125, joules(50)}, {0.25, joules(60)}});
  ASSERT_TRUE(record.power);
  EXPECT_DOUBLE_EQ(record.power->mean, 240);
  EXPECT_DOUBLE_EQ(record.power->most, 400);
  const DeviceRecord brief = record_of({{0, joules(0)}, {0.01, joules(1)}});
  EXPECT_DOUBLE_EQ(brief.power->mean, 100);
  EXPECT_DOUBLE_EQ(brief.power->most, 100);
}

TEST(DeviceTally, OfALostDeviceTheTimeBeforeStays) {
  DeviceTally tally;
  DeviceReading reading = joules(1);
  reading.utilization = 50;
  reading.slowed_by = {"heat"};
  tally.add(reading, 0);
  reading.joules = 5;
  tally.add(reading, 1);
  DeviceReading lost;
  lost.lost = "fell off the bus";
  lost.utilization = 99;
  tally.add(lost, 2);
  tally.add(reading, 3);
  const DeviceRecord record = tally.record(Named(), 1);
  EXPECT_EQ(tally.lost(), "fell off the bus");
  EXPECT_EQ(tally.readings(), 2);
  EXPECT_EQ(tally.slowed().at("heat"), 2);
  EXPECT_EQ(record.utilization, (Sampled{50, 50}));
  EXPECT_EQ(record.joules_a_run, std::nullopt);
}

}  // namespace
}  // namespace culprit
