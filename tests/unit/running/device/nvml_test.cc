#include "device/nvml.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StrEq;

class Nvml : public testing::Test {
 protected:
  ~Nvml() override {
    for (const char* setting : {"DEVICES", "INIT", "ERRORS", "LOST_AFTER", "NAME"})
      ::unsetenv(("FAKE_NVML_" + std::string(setting)).c_str());
  }
  static void set(const char* setting, const std::string& value) {
    ::setenv(("FAKE_NVML_" + std::string(setting)).c_str(), value.c_str(), 1);
  }
  static std::unique_ptr<Device> device(unsigned index = 0, const char* library = CULPRIT_TEST_FAKE_NVML) {
    auto found = nvml_device(index, library);
    EXPECT_THAT(found.warnings, IsEmpty());
    EXPECT_EQ(found.devices.size(), 1U);
    return std::move(found.devices.at(0));
  }
  /// What the fake tells tests; -1 where it is not loaded.
  static int told(const char* function) {
    void* library = ::dlopen(CULPRIT_TEST_FAKE_NVML, RTLD_NOW | RTLD_NOLOAD);
    if (library == nullptr) return -1;
    const int number = reinterpret_cast<int (*)()>(::dlsym(library, function))();
    ::dlclose(library);
    return number;
  }
  /// The one line that says why there is none.
  static std::string complaint(unsigned index = 0, const fs::path& library = CULPRIT_TEST_FAKE_NVML) {
    const auto found = nvml_device(index, library);
    EXPECT_THAT(found.devices, IsEmpty());
    EXPECT_EQ(found.warnings.size(), 1U);
    EXPECT_EQ(found.warnings.at(0).code, "nvml_unread");
    EXPECT_THAT(found.warnings.at(0).message, Not(HasSubstr("\n")));
    return found.warnings.at(0).message;
  }
};

TEST_F(Nvml, ReadsEverythingInItsUnits) {
  const auto one = device();
  EXPECT_EQ(one->name(), "Fake H100");
  EXPECT_EQ(one->source(), "NVML");
  const DeviceReading reading = one->read();
  EXPECT_EQ(reading.utilization, 10);
  EXPECT_EQ(reading.memory, 5e9);
  EXPECT_EQ(reading.power, 100);
  EXPECT_EQ(reading.joules, 1e9);
  EXPECT_EQ(reading.temperature, 61);
  EXPECT_EQ(reading.clock, 1755);
  EXPECT_THAT(reading.slowed_by, ElementsAre(StrEq("its power limit"), StrEq("heat")));
  EXPECT_EQ(reading.lost, "");
  const DeviceReading next = one->read();
  EXPECT_EQ(next.utilization, 20);
  EXPECT_EQ(next.power, 200);
  EXPECT_EQ(next.joules, 1e9 + 3);
  EXPECT_THAT(one->untold(), IsEmpty());
}

TEST_F(Nvml, DevicesAreTakenByTheirNumber) {
  set("DEVICES", "3");
  EXPECT_EQ(device(2)->name(), "Fake device 2");
  EXPECT_EQ(device(2)->read().memory, 5e9 + 2);
  EXPECT_THAT(complaint(3), AllOf(HasSubstr("no NVIDIA device 3"), HasSubstr("NVML sees 3")));
}

TEST_F(Nvml, IsStoppedAndUnloadedAtTheEnd) {
  const auto started = [] { return told("fake_nvml_started"); };
  {
    const auto one = device();
    EXPECT_EQ(started(), 1);
    device();
    EXPECT_EQ(started(), 1);
  }
  EXPECT_LE(started(), 0);
}

TEST_F(Nvml, WithoutALibraryThereIsOneLine) {
  EXPECT_THAT(complaint(0, "libno-such-nvml.so.1"),
              AllOf(HasSubstr("NVML cannot be loaded"), HasSubstr("libno-such-nvml.so.1"), HasSubstr("driver")));
}

TEST_F(Nvml, WhatIsNoLibraryIsNamed) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-nvml").value();
  std::ofstream(folder.path() / "text.so") << "not a library";
  EXPECT_THAT(complaint(0, folder.path() / "text.so"), HasSubstr("text.so"));
  EXPECT_THAT(complaint(0, "libm.so.6"), HasSubstr("has no nvmlInit_v2"));
}

TEST_F(Nvml, WithoutADriverThereIsOneLine) {
  set("INIT", "9");
  EXPECT_THAT(complaint(), AllOf(HasSubstr("Driver Not Loaded"), HasSubstr("nvidia-smi")));
}

TEST_F(Nvml, WithoutADeviceThereIsOneLine) {
  set("DEVICES", "0");
  EXPECT_THAT(complaint(), HasSubstr("NVML sees no device"));
}

TEST_F(Nvml, ADeviceThatCannotBeOpenedIsNamedWithoutControlCharacters) {
  set("ERRORS", "nvmlDeviceGetHandleByIndex_v2=999");
  EXPECT_THAT(complaint(), AllOf(HasSubstr("does not open device 0: Unknown Error"), Not(HasSubstr("\033"))));
}

TEST_F(Nvml, WhatADeviceDoesNotTellIsSaidOnceAndTheRestIsRead) {
  set("ERRORS", "nvmlDeviceGetPowerUsage=3 nvmlDeviceGetTemperature=4");
  const auto one = device();
  for (int i = 0; i < 3; ++i) {
    const DeviceReading reading = one->read();
    EXPECT_EQ(reading.power, std::nullopt);
    EXPECT_EQ(reading.temperature, std::nullopt);
    EXPECT_EQ(reading.clock, 1755);
    EXPECT_EQ(reading.lost, "");
  }
  EXPECT_THAT(one->untold(), ElementsAre("power (Not Supported)", "temperature (Insufficient Permissions)"));
  EXPECT_EQ(told("fake_nvml_powers"), 1);  // it is not asked again
}

TEST_F(Nvml, WhatMayPassIsAskedAgainAndSaidOnce) {
  set("ERRORS", "nvmlDeviceGetPowerUsage=999");
  const auto one = device();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(one->read().power, std::nullopt);
  EXPECT_THAT(one->untold(), ElementsAre(HasSubstr("power (Unknown Error")));
  EXPECT_EQ(told("fake_nvml_powers"), 3);
}

TEST_F(Nvml, OlderLibrariesLackFunctions) {
  const auto one = device(0, CULPRIT_TEST_FAKE_NVML_OLD);
  const DeviceReading reading = one->read();
  EXPECT_EQ(reading.joules, std::nullopt);
  EXPECT_EQ(reading.power, 100);
  EXPECT_THAT(reading.slowed_by, ElementsAre(StrEq("its power limit"), StrEq("heat")));
  EXPECT_THAT(one->untold(), ElementsAre("energy (Function Not Found)"));
}

TEST_F(Nvml, ADeviceThatVanishesIsLost) {
  set("LOST_AFTER", "2");
  const auto one = device();
  EXPECT_EQ(one->read().lost, "");
  EXPECT_EQ(one->read().lost, "");
  const DeviceReading reading = one->read();
  EXPECT_EQ(reading.lost, "GPU is lost");
  EXPECT_EQ(reading.memory, std::nullopt);
  EXPECT_THAT(one->untold(), IsEmpty());
}

TEST_F(Nvml, ANameWithoutAnEndIsRead) {
  set("NAME", std::string(500, 'x') + "\033[2J");
  EXPECT_THAT(device()->name(), AllOf(HasSubstr("xxx"), Not(HasSubstr("\033"))));
  EXPECT_LT(device()->name().size(), 130U);
  set("NAME", "");
  EXPECT_EQ(device()->name(), "NVIDIA device");
}

TEST_F(Nvml, OfThisMachine) {
  const auto found = nvml_device(0);
  if (found.devices.empty()) GTEST_SKIP() << found.warnings.at(0).message << ": run it where `nvidia-smi` works";
  const DeviceReading reading = found.devices[0]->read();
  EXPECT_EQ(reading.lost, "");
  EXPECT_NE(found.devices[0]->name(), "NVIDIA device");
  ASSERT_TRUE(reading.memory);
  EXPECT_GT(*reading.memory, 0);
  if (reading.power) {
    EXPECT_GT(*reading.power, 1);
    EXPECT_LT(*reading.power, 3000);
  }
  if (reading.temperature) {
    EXPECT_GT(*reading.temperature, 0);
    EXPECT_LT(*reading.temperature, 130);
  }
}

}  // namespace
}  // namespace culprit
