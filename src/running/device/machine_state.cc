#include "device/machine_state.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/cgroups.h"
#include "device/small_files.h"
#include "process/process_table.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr unsigned most_cpus = 8192;  // as Linux is ever built

/// "0-3,8" -> 0, 1, 2, 3, 8; empty where it makes no sense.
std::set<unsigned> cpus_in(std::string_view list) {
  std::set<unsigned> cpus;
  for (const std::string& piece : split(trim(list), ',')) {
    const auto ends = split(piece, '-');
    const auto first = ends.empty() ? std::nullopt : number_in<unsigned>(ends.front());
    const auto last = ends.empty() ? std::nullopt : number_in<unsigned>(ends.back());
    if (ends.size() > 2 || !first || !last || *last < *first || *last >= most_cpus) return {};
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.insert(cpu);
  }
  return cpus;
}

/// Empty: not known.
std::set<unsigned> cpus_allowed(const fs::path& root) {
  constexpr std::string_view key = "Cpus_allowed_list:";
  std::ifstream status(root / "proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return cpus_in(std::string_view(line).substr(key.size()));
  return {};
}

/// The numbers of "cpu3 1488161 427985 ...", in ticks: user, nice, system, idle, iowait, irq, softirq, steal. What
/// follows is counted in these.
std::optional<MachineState::CpuTime> time_in(const std::string& line) {
  constexpr std::size_t idle = 3, iowait = 4, steal = 7;
  std::istringstream words(line);
  std::string name;
  words >> name;
  MachineState::CpuTime time;
  for (std::size_t column = 0; column <= steal; ++column) {
    std::string word;
    words >> word;
    const auto ticks = number_in<std::uint64_t>(word);
    if (!ticks) return std::nullopt;
    const double seconds = static_cast<double>(*ticks) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    time.all += seconds;
    if (column == steal) time.stolen += seconds;
    if (column != steal && column != idle && column != iowait) time.busy += seconds;
  }
  return time;
}

/// Sums over the CPUs that we may use. A line that makes no sense: nothing.
void read_time(const fs::path& root, MachineState& state, const std::set<unsigned>& allowed) {
  std::ifstream stat(root / "proc/stat");
  MachineState::CpuTime sum;
  std::size_t cpus = 0;
  for (std::string line; std::getline(stat, line) && line.starts_with("cpu");) {
    const auto number = number_in<unsigned>(std::string_view(line).substr(3, line.find(' ') - 3));
    if (!number || (!allowed.empty() && !allowed.contains(*number))) continue;  // the first line is their sum
    const auto time = time_in(line);
    if (!time) return;
    sum.busy += time->busy;
    sum.stolen += time->stolen;
    sum.all += time->all;
    ++cpus;
  }
  if (cpus == 0) return;
  state.time = sum;
  state.cpus = cpus;
}

void raise_to(std::optional<double>& most, const std::optional<double>& value) {
  if (value) most = std::max(most.value_or(*value), *value);
}

/// https://docs.kernel.org/admin-guide/pm/cpufreq.html: clocks are in kHz.
void read_clock(const fs::path& cpu, MachineState& state) {
  const fs::path clock = cpu / "cpufreq";
  if (const auto governor = read_line_of(clock / "scaling_governor"); governor && !governor->empty())
    state.governors.insert(printable(*governor, 40));
  const auto mhz = [&](const char* file) -> std::optional<double> {
    const auto khz = number_of<double>(clock / file);
    return khz ? std::optional(*khz / 1e3) : std::nullopt;
  };
  raise_to(state.clock_mhz, mhz("scaling_cur_freq"));
  raise_to(state.most_mhz, mhz("cpuinfo_max_freq"));
}

/// Counters of cores are each core's; that of a package stands at each of its CPUs.
void read_heat(const fs::path& cpu, MachineState& state) {
  const fs::path heat = cpu / "thermal_throttle";
  if (const auto times = number_of<std::uint32_t>(heat / "core_throttle_count"))
    state.hot_cores = state.hot_cores.value_or(0) + *times;
  if (const auto times = number_of<std::uint32_t>(heat / "package_throttle_count"))
    state.hot_packages = std::max<std::int64_t>(state.hot_packages.value_or(0), *times);
}

/// cpu.stat: "nr_throttled 12", and how long: "throttled_usec" of version 2, "throttled_time" (ns) of version 1.
std::optional<MachineState::Quota> quota_in(const fs::path& file) {
  std::ifstream stat(file);
  std::optional<MachineState::Quota> quota;
  for (std::string key, value; stat >> key >> value;) {
    const auto number = number_in<std::uint64_t>(value);
    if (!number) continue;
    const auto known = quota.value_or(MachineState::Quota());
    const auto amount = static_cast<double>(*number);
    if (key == "nr_throttled") quota = {static_cast<std::int64_t>(std::min(amount, 1e15)), known.seconds};
    if (key == "throttled_usec") quota = {known.stops, amount / 1e6};
    if (key == "throttled_time") quota = {known.stops, amount / 1e9};
  }
  return quota;
}

void read_quota(const fs::path& root, MachineState& state) {
  for (const auto& [folder, version] : cgroup_folders("cpu", root)) {
    const auto quota = quota_in(folder / "cpu.stat");
    if (!quota) continue;
    const auto known = state.quota.value_or(MachineState::Quota());
    state.quota = {known.stops + quota->stops, known.seconds + quota->seconds};
  }
}

}  // namespace

MachineState read_machine_state(const fs::path& root, std::optional<double> own_seconds) {
  MachineState state;
  state.own_seconds = own_seconds;
  const auto allowed = cpus_allowed(root);
  read_time(root, state, allowed);
  if (const auto line = read_line_of(root / "proc/loadavg"))
    state.load = number_in<double>(std::string_view(*line).substr(0, line->find(' ')));
  std::error_code error;
  for (fs::directory_iterator at(root / "sys/devices/system/cpu", error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const auto number = name.starts_with("cpu") ? number_in<unsigned>(std::string_view(name).substr(3)) : std::nullopt;
    if (!number || (!allowed.empty() && !allowed.contains(*number))) continue;
    read_clock(at->path(), state);
    read_heat(at->path(), state);
  }
  read_quota(root, state);
  return state;
}

MachineState read_machine_state() {
  std::error_code error;  // without this file of the kernel our workers would count as others
  const bool tells_children = fs::exists("/proc/thread-self/children", error);
  const auto own = tells_children ? usage_with_children(::getpid()) : std::nullopt;
  return read_machine_state("/", own ? std::optional(own->cpu_seconds) : std::nullopt);
}

}  // namespace culprit
