#include "report/profile_shown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/text.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr std::array order_of_telling = {SpeedVerdict::baseline,  SpeedVerdict::failed,       SpeedVerdict::slower,
                                         SpeedVerdict::ambiguous, SpeedVerdict::not_measured, SpeedVerdict::faster,
                                         SpeedVerdict::same};

/// The smaller, the more it tells.
std::pair<std::ptrdiff_t, double> rank_of(const ProfileEntry& entry) {
  const auto place = std::ranges::find(order_of_telling, entry.verdict) - order_of_telling.begin();
  const bool has_ratio = std::isfinite(entry.ratio.value) && entry.ratio.value > 0;
  return {place, has_ratio ? -std::abs(std::log(entry.ratio.value)) : 0};
}

bool says_unread(const Warning& warning) { return warning.code == "nvml_unread" || warning.code == "rapl_unread"; }

}  // namespace

ProfileReport most_telling(const ProfileReport& report, std::size_t most) {
  if (report.entries.size() <= most) return report;
  std::vector<std::size_t> order(report.entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return std::tuple(i != report.baseline, rank_of(report.entries[i])); });
  order.resize(most);
  std::set<std::size_t> kept(order.begin(), order.end());
  for (const std::size_t i : order) {
    const ProfileEntry& entry = report.entries[i];
    for (const ProfileEntry* other : {original_of(report, entry), baseline_of(report, entry)})
      if (other != nullptr) kept.insert(static_cast<std::size_t>(other - report.entries.data()));
  }
  std::map<std::size_t, std::size_t> now_at;
  for (const std::size_t i : kept) now_at.emplace(i, now_at.size());
  ProfileReport shown = report;
  shown.entries.clear();
  for (const std::size_t i : kept) {
    ProfileEntry& entry = shown.entries.emplace_back(report.entries[i]);
    if (now_at.contains(entry.baseline)) entry.baseline = now_at.at(entry.baseline);
  }
  if (now_at.contains(report.baseline)) shown.baseline = now_at.at(report.baseline);
  return shown;
}

std::string what_is_missing(const ProfileReport& report, const ProfileReport& shown) {
  if (shown.entries.size() == report.entries.size()) return "";
  std::map<SpeedVerdict, std::ptrdiff_t> missing;
  for (const ProfileEntry& entry : report.entries) ++missing[entry.verdict];
  for (const ProfileEntry& entry : shown.entries) --missing[entry.verdict];
  std::vector<std::string> said;
  for (const SpeedVerdict verdict : order_of_telling)
    if (missing[verdict] > 0) said.push_back(fmt::format("{} {}", missing[verdict], name_of(verdict)));
  return fmt::format("and {} more: {}", report.entries.size() - shown.entries.size(), join(said, ", "));
}

bool is_quiet(const ProfileReport& report, const Warning& warning) {
  const auto providers = split(report.environment.provider, ',');
  const bool uses_gpu =
      std::ranges::any_of(providers, [](const std::string& provider) { return runs_on_nvidia(trim(provider)); });
  return says_unread(warning) && !(uses_gpu && warning.code == "nvml_unread");
}

std::string unread_devices(const ProfileReport& report) {
  const auto is_said = [&](const char* code) {
    return std::ranges::any_of(report.warnings,
                               [&](const Warning& one) { return one.code == code && is_quiet(report, one); });
  };
  const bool no_gpu = is_said("nvml_unread"), no_package = is_said("rapl_unread");
  const bool is_any_read =
      std::ranges::any_of(report.entries, [](const auto& entry) { return !entry.devices.empty(); });
  if (!no_gpu && !no_package) return "";
  if (!is_any_read) return "none readable";
  return no_gpu ? "no NVIDIA GPU readable" : "not all CPU packages readable";
}

}  // namespace culprit
