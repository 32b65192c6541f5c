// OTX, figure 6: what the devices did meanwhile.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/figures.h"
#include "report/figures/row_chart.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

struct Quantity {
  const char* file;
  const char* title;
  const char* unit;
  std::optional<Sampled> DeviceRecord::*of;
  double at_least;  ///< that the axis shows
};

struct DeviceReading {
  const ProfileEntry* entry = nullptr;
  std::string device;
  Sampled sampled;
};

std::vector<DeviceReading> readings_of(const ProfileReport& report, const Quantity& quantity) {
  std::vector<DeviceReading> readings;
  for (const ProfileEntry& entry : report.entries)
    for (const DeviceRecord& device : entry.devices)
      if (const auto& sampled = device.*quantity.of; sampled && std::isfinite(sampled->mean) && sampled->mean >= 0)
        readings.push_back({&entry, device.name, *sampled});
  return readings;
}

int colour_of(const std::vector<std::string>& devices, const std::string& device) {
  const auto at = std::ranges::find(devices, device) - devices.begin();
  return at < series_colours ? static_cast<int>(at) : colour_of_rest;
}

std::optional<Figure> device_figure(const ProfileReport& report, const Quantity& quantity) {
  const auto readings = readings_of(report, quantity);
  if (readings.empty()) return std::nullopt;
  std::vector<std::string> devices;
  std::vector<ChartLegend> legend;
  std::vector<const ProfileEntry*> entries;
  double high = quantity.at_least;
  for (const DeviceReading& reading : readings) {
    entries.push_back(reading.entry);
    high = std::max({high, reading.sampled.mean, std::isfinite(reading.sampled.most) ? reading.sampled.most : 0});
    if (std::ranges::find(devices, reading.device) != devices.end()) continue;
    devices.push_back(reading.device);
    legend.push_back({reading.device, colour_of(devices, reading.device)});
  }
  const ChartText text = {.title = quantity.title,
                          .subtitle = subtitle_of(report),
                          .axis = "mean while it ran; the line ends at the most that was read",
                          .value_room = 150};
  RowChart chart(text, rows_of(entries), ChartAxis::linear(0, high, quantity.unit), legend);
  for (std::size_t row = 0; row < readings.size(); ++row) {
    const auto& [entry, device, sampled] = readings[row];
    chart.bar(row, sampled.mean, colour_of(devices, device), "");
    const double most = std::isfinite(sampled.most) ? std::max(sampled.most, sampled.mean) : sampled.mean;
    const double y = chart.middle_of(row);
    chart.canvas().line(chart.x(sampled.mean), y, chart.x(most), y, SvgLook::whisker);
    chart.canvas().line(chart.x(most), y - 4, chart.x(most), y + 4, SvgLook::whisker);
    chart.words(row, fmt::format("{:.3g} {} (most {:.3g})", sampled.mean, quantity.unit, most));
  }
  return Figure{quantity.file, quantity.title, chart.finished()};
}

}  // namespace

std::optional<Figure> utilization_figure(const ProfileReport& report) {
  return device_figure(report, {"utilization.svg", "Utilization of the devices", "%", &DeviceRecord::utilization, 100});
}

std::optional<Figure> power_figure(const ProfileReport& report) {
  return device_figure(report, {"power.svg", "Power of the devices", "W", &DeviceRecord::power, 0});
}

}  // namespace culprit
