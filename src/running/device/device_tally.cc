#include "device/device_tally.h"

#include <algorithm>

namespace culprit {

void DeviceTally::Gauge::add(const std::optional<double>& value) {
  if (!value) return;
  most = readings == 0 ? *value : std::max(most, *value);
  sum += *value;
  ++readings;
}

std::optional<Sampled> DeviceTally::Gauge::result() const {
  if (readings == 0) return std::nullopt;
  return Sampled{sum / static_cast<double>(readings), most};
}

void DeviceTally::add_energy(double joules, double seconds) {
  const At now{seconds, joules};
  if (!energy_.first) energy_.first = window_ = now;
  if (energy_.last && joules < energy_.last->value) has_gone_back_ = true;
  energy_.last = now;
  const double passed = seconds - window_->seconds;
  if (passed < shortest_rise) return;
  most_rise_ = std::max(most_rise_, (joules - window_->value) / passed);
  window_ = now;
}

void DeviceTally::add_power(double watts, double seconds) {
  power_.add(watts);
  if (last_power_) integral_ += (last_power_->value + watts) / 2 * (seconds - last_power_->seconds);
  last_power_ = {seconds, watts};
}

void DeviceTally::add(const DeviceReading& reading, double seconds) {
  if (!lost_.empty()) return;
  lost_ = reading.lost;
  if (!lost_.empty()) return;
  utilization_.add(reading.utilization);
  memory_.add(reading.memory);
  temperature_.add(reading.temperature);
  clock_.add(reading.clock);
  if (reading.power) add_power(*reading.power, seconds);
  if (reading.joules) add_energy(*reading.joules, seconds);
  power_ends_.see(reading.power.has_value(), readings_ == 0);
  energy_ends_.see(reading.joules.has_value(), readings_ == 0);
  for (const char* reason : reading.slowed_by) ++slowed_[reason];
  ++readings_;
}

std::optional<Sampled> DeviceTally::power() const {
  if (const auto told = power_.result()) return told;
  if (has_gone_back_ || energy_.rise() <= 0 || energy_.seconds() <= 0) return std::nullopt;
  const double mean = energy_.rise() / energy_.seconds();
  return Sampled{mean, std::max(mean, most_rise_)};
}

DeviceRecord DeviceTally::record(const Device& device, std::int64_t runs) const {
  DeviceRecord record;
  record.name = device.name();
  record.source = device.source();
  record.utilization = utilization_.result();
  record.memory = memory_.result();
  record.power = power();
  record.temperature = temperature_.result();
  record.clock = clock_.result();
  record.readings = readings_;
  if (runs <= 0 || !lost_.empty()) return record;
  const bool counts = energy_ends_.both() && !has_gone_back_ && energy_.rise() > 0;
  if (!counts && (!power_ends_.both() || integral_ <= 0)) return record;
  record.joules_a_run = (counts ? energy_.rise() : integral_) / static_cast<double>(runs);
  record.joules_from = counts ? "counter" : "power";
  return record;
}

}  // namespace culprit
