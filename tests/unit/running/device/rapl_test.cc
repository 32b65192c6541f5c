#include "device/rapl.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "folder_fixture.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Rapl : public SystemFolder {
 protected:
  void put_domain(const std::string& folder, const std::string& name, const std::string& microjoules,
                  const std::string& range = "262143328850") const {
    put(folder + "/name", name);
    put(folder + "/energy_uj", microjoules);
    put(folder + "/max_energy_range_uj", range);
  }
  [[nodiscard]] std::string complaint() const {
    const auto found = rapl_devices(root());
    EXPECT_THAT(found.devices, IsEmpty());
    EXPECT_EQ(found.warnings.size(), 1U);
    EXPECT_EQ(found.warnings.at(0).code, "rapl_unread");
    EXPECT_THAT(found.warnings.at(0).message, Not(HasSubstr("\n")));
    return found.warnings.at(0).message;
  }
};

TEST_F(Rapl, PackagesAreReadAndTheirPartsAreNot) {
  put_domain("intel-rapl:1", "package-1", "7000000");
  put_domain("intel-rapl:0", "package-0", "1000000");
  put_domain("intel-rapl:0:0", "core", "1");
  put_domain("intel-rapl:0/intel-rapl:0:0", "core", "1");
  put_domain("intel-rapl:0:1", "package-7", "1");
  put_domain("intel-rapl:2", "psys", "1");
  put_domain("intel-rapl-mmio:0", "package-0", "1");
  put_domain("dtpm", "package-9", "1");
  const auto found = rapl_devices(root());
  EXPECT_THAT(found.warnings, IsEmpty());
  ASSERT_THAT(found.devices, SizeIs(2));
  EXPECT_EQ(found.devices[0]->name(), "CPU package 0");
  EXPECT_EQ(found.devices[1]->name(), "CPU package 1");
  EXPECT_EQ(found.devices[0]->source(), "RAPL");
}

TEST_F(Rapl, JoulesAreWhatTheCounterRoseBy) {
  put_domain("intel-rapl:0", "package-0", "1000000");
  const auto found = rapl_devices(root());
  EXPECT_EQ(found.devices.at(0)->read().joules, 0);
  put("intel-rapl:0/energy_uj", "3500000");
  EXPECT_EQ(found.devices[0]->read().joules, 2.5);
  put("intel-rapl:0/energy_uj", "3500000");
  EXPECT_EQ(found.devices[0]->read().joules, 2.5);
  EXPECT_EQ(found.devices[0]->read().power, std::nullopt);
}

TEST_F(Rapl, ACounterThatBeganAnewGoesOn) {
  put_domain("intel-rapl:0", "package-0", "9000000", "10000000");
  const auto found = rapl_devices(root());
  put("intel-rapl:0/energy_uj", "500000");
  EXPECT_EQ(found.devices.at(0)->read().joules, 1.5);
  put("intel-rapl:0/energy_uj", "200000");
  EXPECT_EQ(found.devices[0]->read().joules, 1.5 + 9.7);
}

TEST_F(Rapl, WithoutARangeACounterThatWentBackIsLost) {
  for (const char* range : {"", "word", "-1", "8999999"}) {
    put_domain("intel-rapl:0", "package-0", "9000000", range);
    const auto found = rapl_devices(root());
    put("intel-rapl:0/energy_uj", "500000");
    const DeviceReading reading = found.devices.at(0)->read();
    EXPECT_THAT(reading.lost, HasSubstr("went back")) << range;
    EXPECT_EQ(reading.joules, std::nullopt);
  }
}

TEST_F(Rapl, GarbageIsNoNumber) {
  for (const char* garbage : {"", "many", "12 34", "-5", "1e6", "99999999999999999999999"}) {
    put_domain("intel-rapl:0", "package-0", garbage);
    EXPECT_THAT(complaint(), AllOf(HasSubstr("energy_uj"), HasSubstr("no number"))) << garbage;
    put_domain("intel-rapl:0", "package-0", "1");
    const auto found = rapl_devices(root());
    put("intel-rapl:0/energy_uj", garbage);
    EXPECT_THAT(found.devices.at(0)->read().lost, HasSubstr("no number")) << garbage;
  }
}

TEST_F(Rapl, APackageThatGoesIsLost) {
  put_domain("intel-rapl:0", "package-0", "1");
  const auto found = rapl_devices(root());
  fs::remove_all(root() / "intel-rapl:0");
  EXPECT_THAT(found.devices.at(0)->read().lost, HasSubstr("cannot read"));
}

TEST_F(Rapl, WithoutPackagesThereIsOneLine) {
  EXPECT_THAT(complaint(), HasSubstr("shows no CPU package"));
  put_domain("intel-rapl:0", "psys", "1");
  EXPECT_THAT(complaint(), HasSubstr("shows no CPU package"));
  EXPECT_THAT(rapl_devices(root() / "no-such-folder").warnings, SizeIs(1));
}

/// As on most systems: the file is there, and only root may read it.
TEST_F(Rapl, WithoutTheRightThereIsOneLineThatSaysWhatToDo) {
  constexpr uid_t nobody = 65534;
  put_domain("intel-rapl:0", "package-0", "1");
  put_domain("intel-rapl:1", "package-1", "1");
  constexpr auto to_all = static_cast<fs::perms>(0055);
  fs::permissions(root(), to_all, fs::perm_options::add);
  for (const auto& entry : fs::recursive_directory_iterator(root())) {
    fs::permissions(entry, to_all, fs::perm_options::add);
    if (entry.path().filename() == "energy_uj") fs::permissions(entry, fs::perms::none);
  }
  const uid_t us = ::geteuid();
  if (us == 0 && ::seteuid(nobody) != 0) GTEST_SKIP() << "root cannot become anybody else here";
  const auto found = rapl_devices(root());
  ASSERT_TRUE(us != 0 || ::seteuid(us) == 0);
  EXPECT_THAT(found.devices, IsEmpty());
  ASSERT_THAT(found.warnings, SizeIs(1));
  EXPECT_THAT(found.warnings[0].message, AllOf(HasSubstr("Permission denied"), HasSubstr("run as root")));
}

TEST_F(Rapl, OfThisMachine) {
  const auto found = rapl_devices();
  if (found.devices.empty()) GTEST_SKIP() << found.warnings.at(0).message << ": run it as root on a real machine";
  EXPECT_EQ(found.devices[0]->read().lost, "");
}

}  // namespace
}  // namespace culprit
