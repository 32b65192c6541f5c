#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/profile_console_parts.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr std::size_t kernels_shown = 5;

/// "97 (100)": the mean, and the most.
std::string mean_and_most(const std::optional<Sampled>& sampled) {
  if (!sampled || !std::isfinite(sampled->mean) || !std::isfinite(sampled->most)) return "";
  return fmt::format("{:.0f} ({:.0f})", sampled->mean, sampled->most);
}

std::string mean_of(const std::optional<Sampled>& sampled) {
  return sampled && std::isfinite(sampled->mean) ? fmt::format("{:.0f}", sampled->mean) : "";
}

std::vector<std::string> device_cells(const DeviceRecord& device, const std::string& head, const ConsoleStyle& style) {
  const std::string name = printable(device.name) + (device.source.empty() ? "" : ", " + printable(device.source, 20));
  return {"  " + head + cut_middle(name, style.width / 4),
          mean_and_most(device.utilization),
          device.memory ? scaled(device.memory->most, "B") : "",
          mean_and_most(device.power),
          device.joules_a_run ? fmt::format("{:.3g}", *device.joules_a_run) : "",
          mean_of(device.temperature),
          mean_of(device.clock),
          style.verbose ? std::to_string(device.readings) : ""};
}

void add_kernels(const ProfileEntry& entry, const std::string& head, std::vector<ConsoleColumn>& columns,
                 const ConsoleStyle& style) {
  const auto percent = [](double value) { return fmt::format("{:.1f}", value); };
  const std::size_t shown = style.verbose ? entry.kernels.size() : std::min(entry.kernels.size(), kernels_shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const KernelRecord& kernel = entry.kernels[i];
    const std::vector<std::string> cells = {"  " + head + cut_middle(printable(kernel.name), style.width / 4),
                                            std::to_string(kernel.calls),
                                            short_seconds(kernel.seconds),
                                            scaled(kernel.grid_size),
                                            scaled(kernel.block_size),
                                            percent(kernel.sm_percent),
                                            percent(kernel.memory_percent),
                                            kernel.occupancy_percent ? percent(*kernel.occupancy_percent) : ""};
    for (std::size_t column = 0; column < columns.size(); ++column) columns[column].cells.push_back({cells[column]});
  }
}

std::string metrics_line(const std::map<std::string, MetricRecord>& metrics) {
  std::vector<std::string> said;
  said.reserve(metrics.size());
  for (const auto& [name, metric] : metrics)
    said.push_back(
        fmt::format("{} {:.4g} ({:.4g} to {:.4g})", printable(name, 60), metric.value, metric.low, metric.high));
  return join(said, ", ");
}

}  // namespace

std::string devices_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::vector<ConsoleColumn> columns = {
      {"devices: mean (most)", {}, true}, {"used %", {}},  {"memory", {}}, {"W", {}}, {"J a run", {}}, {"C", {}},
      {"MHz", {}, false, true},           {"readings", {}}};
  for (const ProfileEntry& entry : report.entries) {
    for (const DeviceRecord& device : entry.devices) {
      const auto cells = device_cells(device, entry_head(report, entry), style);
      for (std::size_t i = 0; i < columns.size(); ++i) columns[i].cells.push_back({cells[i]});
    }
  }
  if (columns.front().cells.empty()) return "";
  const bool has_energy = std::ranges::any_of(columns[4].cells, [](const auto& cell) { return !cell.text.empty(); });
  return "\n" + wide_table(columns, style) +
         (has_energy ? hanging("  ", "J a run: all that the device took, also for being on, by runs", style.width)
                     : "");
}

std::string kernels_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::vector<ConsoleColumn> columns = {
      {"kernels", {}, true}, {"calls", {}}, {"time", {}},  {"grid", {}},
      {"block", {}},         {"SM %", {}},  {"mem %", {}}, {"occ. %", {}, false, true}};
  for (const ProfileEntry& entry : report.entries) add_kernels(entry, entry_head(report, entry), columns, style);
  return columns.front().cells.empty() ? "" : "\n" + wide_table(columns, style);
}

std::string quality_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const std::string& line : report.quality_about) text += hanging("    ", printable(line), style.width);
  for (const ProfileEntry& entry : report.entries) {
    if (!entry.quality) continue;
    const DecisionRecord& quality = *entry.quality;
    const bool is_worth_telling = quality.changed > 0 || !quality.traits.counts_decisions || style.verbose;
    std::vector<std::string> said;
    if (!is_baseline(report, entry) && is_worth_telling) said.push_back(metrics_line(quality.metrics));
    if (quality.labelled > 0) said.push_back("against labels " + metrics_line(quality.variant_against_labels));
    if (!said.empty()) text += hanging("    " + entry_head(report, entry), join(said, "; "), style.width);
  }
  return text.empty() ? "" : "\n  quality\n" + text;
}

}  // namespace culprit
