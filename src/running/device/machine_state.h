#pragma once
// What the system tells of its CPUs at one moment: what they did so far, how fast they are, what held them back.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace culprit {

/// All of the CPUs that this process may use, and counted since the machine started. What the system does not tell is
/// absent: in a virtual machine mostly clocks and heat, outside of containers the quota.
struct MachineState {
  /// Seconds of all these CPUs together, of /proc/stat (proc(5)).
  struct CpuTime {
    double busy = 0;    ///< with us and with others
    double stolen = 0;  ///< in which a CPU of this virtual machine wanted to work, and the host did not let it
    double all = 0;     ///< idle ones included
  };
  struct Quota {
    std::int64_t stops = 0;  ///< times that a container's quota of CPU time was spent (nr_throttled)
    double seconds = 0;      ///< that it had to wait then
  };

  std::size_t cpus = 0;                                 ///< that we may use
  std::optional<CpuTime> time;                          ///< of them
  std::optional<double> own_seconds;                    ///< CPU time of this process and of all that it started
  std::optional<double> load;                           ///< processes that run or wait, mean of the last minute
  std::set<std::string> governors;                      ///< "performance", "powersave"
  std::optional<double> clock_mhz, most_mhz;            ///< of the CPU that is fastest now; that it could be
  std::optional<std::int64_t> hot_cores, hot_packages;  ///< times that heat slowed down CPUs; a package
  std::optional<Quota> quota;                           ///< of our own group and those that it lies in
};

/// `root` stands for "/": proc/stat, proc/loadavg, proc/self/status, proc/self/cgroup, sys/fs/cgroup and
/// sys/devices/system/cpu are read below it. Nothing in them is believed to be there or to make sense.
/// `own_seconds`: of this process with its children; absent where it is not known.
MachineState read_machine_state(const std::filesystem::path& root, std::optional<double> own_seconds);

/// Reads the state of this machine, now. That takes some milliseconds, for a CPU that sleeps is woken to tell its
/// clock: not while something is timed.
MachineState read_machine_state();

}  // namespace culprit
