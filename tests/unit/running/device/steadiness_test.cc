#include "device/steadiness.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "folder_fixture.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Steadiness : public SystemFolder {
 protected:
  /// Of each CPU in ticks: with somebody, idle, stolen.
  struct Ticks {
    long busy = 0, idle = 0, stolen = 0;
  };
  void put_stat(const std::vector<Ticks>& cpus) const {
    std::string text = "cpu  1 1 1 1 1 1 1 1 0 0\n";
    for (std::size_t i = 0; i < cpus.size(); ++i)
      text += fmt::format("cpu{} {} 0 0 {} 0 0 0 {} 77 0\n", i, cpus[i].busy, cpus[i].idle, cpus[i].stolen);
    put("proc/stat", text + "intr 1 2 3\n");
  }
  void put_cpu(int cpu, const std::string& file, const std::string& text) const {
    put(fmt::format("sys/devices/system/cpu/cpu{}/{}", cpu, file), text);
  }
  [[nodiscard]] MachineState state(std::optional<double> own_seconds = 0) const {
    return read_machine_state(root(), own_seconds);
  }
  static std::vector<std::string> codes(const std::vector<Warning>& warnings) {
    std::vector<std::string> found;
    for (const Warning& warning : warnings) found.push_back(warning.code);
    return found;
  }
  const long hz = ::sysconf(_SC_CLK_TCK);
};

TEST_F(Steadiness, NothingThereIsNothingSaid) {
  const MachineState nothing = state(std::nullopt);
  EXPECT_EQ(nothing.cpus, 0U);
  EXPECT_FALSE(nothing.time || nothing.load || nothing.clock_mhz || nothing.hot_cores || nothing.quota);
  EXPECT_THAT(unsteadiness(nothing, nothing), IsEmpty());
}

TEST_F(Steadiness, WhatOthersUsedIsAllButOurs) {
  put("proc/loadavg", "1.66 1.11 1.55 2/102 30153");
  put_stat({{100 * hz, 100 * hz}, {0, 100 * hz}});
  const MachineState before = state(7);
  put_stat({{109 * hz, 101 * hz}, {2 * hz, 108 * hz}});
  EXPECT_THAT(unsteadiness(before, state(18)), IsEmpty());            // all 11 seconds were ours
  EXPECT_THAT(unsteadiness(before, state(17.1)), IsEmpty());          // 0.9 of 20 s
  EXPECT_THAT(unsteadiness(before, state(30)), IsEmpty());            // clocks that do not agree
  EXPECT_THAT(unsteadiness(before, state(std::nullopt)), IsEmpty());  // nobody knows
  const auto warnings = unsteadiness(before, state(10));              // 3 of 11 were
  ASSERT_THAT(codes(warnings), ElementsAre("machine_busy"));
  EXPECT_THAT(warnings[0].message, AllOf(HasSubstr("40 % of the time of 2 CPUs (8.0 of 20.0 s)"),
                                         HasSubstr("load average 1.66"), HasSubstr("end them")));
}

TEST_F(Steadiness, WaitingForADiskIsNotBusy) {
  put("proc/stat", "cpu0 0 0 0 0 0 0 0 0");
  const MachineState before = state();
  put("proc/stat", fmt::format("cpu0 0 0 0 0 {} 0 0 0", 100 * hz));
  EXPECT_THAT(unsteadiness(before, state()), IsEmpty());
  put("proc/stat", fmt::format("cpu0 0 {0} {0} 0 0 {0} {0} 0", hz));  // nice, system, irq, softirq
  EXPECT_THAT(codes(unsteadiness(before, state())), ElementsAre("machine_busy"));
}

TEST_F(Steadiness, OnlyCpusThatWeMayUseCount) {
  put("proc/self/status", "Name:\tculprit\nCpus_allowed:\t5\nCpus_allowed_list:\t0,2-3\n");
  put_stat({{}, {}, {}, {}});
  const MachineState before = state();
  EXPECT_EQ(before.cpus, 3U);
  put_stat({{0, 10 * hz}, {10 * hz, 0}, {0, 10 * hz}, {0, 10 * hz}});
  EXPECT_THAT(unsteadiness(before, state()), IsEmpty());
  put_stat({{0, 10 * hz}, {0, 10 * hz}, {0, 10 * hz}, {10 * hz, 0}});
  EXPECT_THAT(codes(unsteadiness(before, state())), ElementsAre("machine_busy"));
}

TEST_F(Steadiness, WhatTheHostTookIsStolen) {
  put_stat({{}});
  const MachineState before = state();
  put_stat({{0, 99 * hz, 1 * hz}});
  EXPECT_THAT(unsteadiness(before, state()), IsEmpty());
  put_stat({{0, 9 * hz, 1 * hz}});
  const auto warnings = unsteadiness(before, state());
  ASSERT_THAT(codes(warnings), ElementsAre("steal"));
  EXPECT_THAT(warnings[0].message, HasSubstr("10 % of the time of 1 CPUs (1.0 of 10.0 s)"));
}

TEST_F(Steadiness, ABriefSpanTellsNothing) {
  put_stat({{}, {}});
  const MachineState before = state();
  put_stat({{hz * 2 / 5, 0}, {0, hz * 2 / 5}});
  EXPECT_THAT(unsteadiness(before, state()), IsEmpty());
  put_stat({{hz, 0}, {0, hz}});
  EXPECT_THAT(unsteadiness(before, state()), SizeIs(1));
}

TEST_F(Steadiness, TheQuotaOfAnyGroupAboveCounts) {
  put("proc/self/cgroup", "0::/pod/own");
  put("sys/fs/cgroup/pod/own/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 4\nthrottled_usec 1000000");
  put("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 1\nthrottled_usec 0");
  const MachineState before = state();
  EXPECT_EQ(before.quota->stops, 5);
  EXPECT_THAT(unsteadiness(before, before), IsEmpty());
  put("sys/fs/cgroup/pod/cpu.stat", "nr_throttled 13\nthrottled_usec 2500000");
  const auto warnings = unsteadiness(before, state());
  ASSERT_THAT(codes(warnings), ElementsAre("quota_throttled"));
  EXPECT_THAT(warnings[0].message, AllOf(HasSubstr("spent 12 times"), HasSubstr("for 2.5 s"), HasSubstr("--cpus")));
}

TEST_F(Steadiness, TheQuotaOfVersion1IsInNanoseconds) {
  put("proc/self/cgroup", "3:cpuacct,cpu:/own\n0::/own");
  put("sys/fs/cgroup/cpu/own/cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_time 500000000");
  const MachineState before = state();
  EXPECT_EQ(before.quota->seconds, 0.5);
  put("sys/fs/cgroup/cpu/own/cpu.stat", "nr_periods 1\nnr_throttled 3\nthrottled_time 1500000000");
  EXPECT_THAT(unsteadiness(before, state()).at(0).message, AllOf(HasSubstr("2 times"), HasSubstr("1.0 s")));
  EXPECT_THAT(unsteadiness(MachineState(), state()), IsEmpty());  // nobody knows since when
}

TEST_F(Steadiness, HeatIsCountedByCoreAndByPackage) {
  for (const int cpu : {0, 1, 2}) {
    put_cpu(cpu, "thermal_throttle/core_throttle_count", "5");
    put_cpu(cpu, "thermal_throttle/package_throttle_count", "40");
  }
  const MachineState before = state();
  EXPECT_THAT(unsteadiness(before, before), IsEmpty());
  put_cpu(1, "thermal_throttle/core_throttle_count", "8");
  put_cpu(2, "thermal_throttle/core_throttle_count", "6");
  for (const int cpu : {0, 1, 2}) put_cpu(cpu, "thermal_throttle/package_throttle_count", "42");
  const auto warnings = unsteadiness(before, state());
  ASSERT_THAT(codes(warnings), ElementsAre("cpu_throttled"));
  EXPECT_THAT(warnings[0].message, AllOf(HasSubstr("cores 4 times"), HasSubstr("package 2 times")));
}

TEST_F(Steadiness, AGovernorThatFollowsTheLoadIsSaid) {
  for (const int cpu : {0, 1}) {
    put_cpu(cpu, "cpufreq/scaling_governor", cpu == 0 ? "performance" : "powersave");
    put_cpu(cpu, "cpufreq/scaling_cur_freq", cpu == 0 ? "1200000" : "3500000");
    put_cpu(cpu, "cpufreq/cpuinfo_max_freq", "4200000");
  }
  const auto warnings = unsteadiness(state(), state());
  ASSERT_THAT(codes(warnings), ElementsAre("clock_changes"));
  EXPECT_THAT(warnings[0].message,
              AllOf(HasSubstr("governor powersave"), HasSubstr("3.50 GHz before and 3.50 GHz after"),
                    HasSubstr("of 4.20 GHz"), HasSubstr("cpupower frequency-set -g performance")));
  put_cpu(1, "cpufreq/scaling_governor", "performance");
  EXPECT_THAT(unsteadiness(state(), state()), IsEmpty());
}

TEST_F(Steadiness, AClockThatChangedIsSaidWhateverTheGovernor) {
  put_cpu(0, "cpufreq/scaling_governor", "performance");
  put_cpu(0, "cpufreq/cpuinfo_max_freq", "4000000");
  put_cpu(0, "cpufreq/scaling_cur_freq", "3600000");
  const MachineState before = state();
  put_cpu(0, "cpufreq/scaling_cur_freq", "3300000");
  EXPECT_THAT(unsteadiness(before, state()), IsEmpty());
  put_cpu(0, "cpufreq/scaling_cur_freq", "2100000");
  const auto warnings = unsteadiness(before, state());
  ASSERT_THAT(codes(warnings), ElementsAre("clock_changes"));
  EXPECT_THAT(warnings[0].message, HasSubstr("3.60 GHz before and 2.10 GHz after, of 4.00 GHz"));
}

TEST_F(Steadiness, GarbageIsPassedOver) {
  put("proc/loadavg", "much");
  put("proc/self/status", "Cpus_allowed_list:\t3-1,9999999\n");
  put("proc/self/cgroup", "nonsense\n0::/\n");
  put("sys/fs/cgroup/cpu.stat", "nr_throttled many\nthrottled_usec -5\nnr_throttled");
  put_cpu(0, "cpufreq/scaling_governor", "\033[31mred");
  put_cpu(0, "cpufreq/scaling_cur_freq", "<unknown>");
  put_cpu(0, "cpufreq/cpuinfo_max_freq", "");
  put_cpu(0, "thermal_throttle/core_throttle_count", "-1");
  for (const char* stat : {"", "cpu0", "cpu0 1 2 3", "cpu0 1 2 3 4 5 6 7 x", "cpu0 1 2 3 4 5 6 7 -8",
                           "cpux 1 2 3 4 5 6 7 8", "cpu99999999999 1 2 3 4 5 6 7 8", "\0\0\0"}) {
    put("proc/stat", stat);
    const MachineState read = state();
    EXPECT_FALSE(read.time) << stat;
    EXPECT_FALSE(read.load || read.clock_mhz || read.most_mhz || read.hot_cores || read.quota);
    for (const Warning& warning : unsteadiness(read, read)) EXPECT_THAT(warning.message, Not(HasSubstr("\033")));
  }
}

TEST_F(Steadiness, AListOfMoreCpusThanThereCanBeIsNotBelieved) {
  put("proc/self/status", "Cpus_allowed_list:\t1-20000000\n");
  put_stat({{}});
  EXPECT_EQ(state().cpus, 1U);
}

TEST_F(Steadiness, CountersThatWentBackAreNothing) {
  put_stat({{90 * hz, 90 * hz, 90 * hz}});
  put("proc/self/cgroup", "0::/");
  put("sys/fs/cgroup/cpu.stat", "nr_throttled 5");
  put_cpu(0, "thermal_throttle/core_throttle_count", "9");
  const MachineState before = state();
  put_stat({{1, 1, 1}});
  put("sys/fs/cgroup/cpu.stat", "nr_throttled 1");
  put_cpu(0, "thermal_throttle/core_throttle_count", "1");
  EXPECT_THAT(unsteadiness(before, state()), IsEmpty());
}

TEST_F(Steadiness, OfThisMachine) {
  const MachineState now = read_machine_state();
  if (!now.time) GTEST_SKIP() << "this system has no /proc/stat: run it on Linux";
  EXPECT_GT(now.cpus, 0U);
  EXPECT_GT(now.time->all, 0);
  EXPECT_GE(now.time->all, now.time->busy + now.time->stolen);
  EXPECT_TRUE(now.load);
  EXPECT_GE(now.own_seconds.value_or(0), 0);
}

}  // namespace
}  // namespace culprit
