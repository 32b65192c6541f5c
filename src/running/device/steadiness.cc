#include "device/steadiness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "base/text.h"

namespace culprit {
namespace {

using Warnings = std::vector<Warning>;

std::string load_of(const MachineState& state) {
  return state.load ? fmt::format("; load average {:.2f}", *state.load) : "";
}

void look_at_time(const MachineState& before, const MachineState& after, Warnings& warnings) {
  if (!before.time || !after.time || before.cpus != after.cpus) return;
  const double all = after.time->all - before.time->all;
  if (all < steadiness::shortest_seconds * static_cast<double>(after.cpus)) return;
  const double busy = after.time->busy - before.time->busy;
  const double stolen = after.time->stolen - before.time->stolen;
  const auto share = [&](double seconds) {
    return fmt::format("{:.0f} % of the time of {} CPUs ({:.1f} of {:.1f} s)", 100 * seconds / all, after.cpus, seconds,
                       all);
  };
  if (before.own_seconds && after.own_seconds) {
    const double others = busy - (*after.own_seconds - *before.own_seconds);
    if (others > steadiness::others_share * all)
      warnings.push_back({"machine_busy", "other programs used " + share(others) + load_of(after) +
                                              ": times scatter, and are longer than they need be; end them, or measure "
                                              "when the machine is quiet"});
  }
  if (stolen > steadiness::stolen_share * all)
    warnings.push_back({"steal", "the host took away " + share(stolen) +
                                     " from this virtual machine: times scatter; measure on a machine of your own, or "
                                     "for longer"});
}

void look_at_quota(const MachineState& before, const MachineState& after, Warnings& warnings) {
  if (!before.quota || !after.quota) return;
  const std::int64_t stops = after.quota->stops - before.quota->stops;
  if (stops <= 0) return;
  warnings.push_back(
      {"quota_throttled",
       fmt::format(
           "the container's quota of CPU time was spent {} times, and stopped it for {:.1f} s: single runs are "
           "far too long; give it a larger quota (docker run --cpus, a limit of Kubernetes), or use fewer threads",
           stops, std::max(0.0, after.quota->seconds - before.quota->seconds))});
}

void look_at_heat(const MachineState& before, const MachineState& after, Warnings& warnings) {
  const auto risen = [](const std::optional<std::int64_t>& from, const std::optional<std::int64_t>& to) {
    return from && to ? std::max<std::int64_t>(0, *to - *from) : 0;
  };
  const auto cores = risen(before.hot_cores, after.hot_cores);
  const auto packages = risen(before.hot_packages, after.hot_packages);
  if (cores + packages == 0) return;
  warnings.push_back(
      {"cpu_throttled", fmt::format("heat slowed down cores {} times and their package {} times: what ran "
                                    "later is slower for no fault of its own; cool the machine, or fix "
                                    "its clock lower",
                                    cores, packages)});
}

std::string in_ghz(const std::optional<double>& mhz) { return mhz ? fmt::format("{:.2f} GHz", *mhz / 1e3) : "?"; }

void look_at_clock(const MachineState& before, const MachineState& after, Warnings& warnings) {
  std::set<std::string> governors = before.governors;
  governors.insert(after.governors.begin(), after.governors.end());
  governors.erase("performance");
  const bool is_told = before.clock_mhz && after.clock_mhz;
  const double most = after.most_mhz.value_or(std::max(before.clock_mhz.value_or(0), after.clock_mhz.value_or(0)));
  const bool has_changed = is_told && std::abs(*after.clock_mhz - *before.clock_mhz) > steadiness::clock_change * most;
  if (governors.empty() && !has_changed) return;
  const std::vector<std::string> names(governors.begin(), governors.end());
  const std::string clocks =
      is_told ? fmt::format("the fastest CPU had {} before and {} after, of {}", in_ghz(before.clock_mhz),
                            in_ghz(after.clock_mhz), in_ghz(after.most_mhz))
              : "";
  if (names.empty())
    warnings.push_back({"clock_changes",
                        "the clock of the CPUs changed: " + clocks + "; switch its boost off, or measure for longer"});
  else
    warnings.push_back({"clock_changes", "the clock of the CPUs follows the load (governor " + join(names, ", ") + ")" +
                                             (clocks.empty() ? "" : ": " + clocks) +
                                             "; set it fast for the time of the measurement: cpupower frequency-set -g "
                                             "performance"});
}

}  // namespace

std::vector<Warning> unsteadiness(const MachineState& before, const MachineState& after) {
  Warnings warnings;
  look_at_time(before, after, warnings);
  look_at_quota(before, after, warnings);
  look_at_heat(before, after, warnings);
  look_at_clock(before, after, warnings);
  return warnings;
}

}  // namespace culprit
