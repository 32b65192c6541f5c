#include "profile/gate/regressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace culprit {
namespace {

const ProfileEntry* entry_named(const ProfileReport& report, const std::string& name) {
  const auto found = std::ranges::find(report.entries, name, &ProfileEntry::name);
  return found == report.entries.end() ? nullptr : &*found;
}

/// The only one of the tasks' metrics.
constexpr const char* smaller_is_better = "relative_error";

bool has_failed(const ProfileEntry& entry) { return entry.verdict == SpeedVerdict::failed; }

bool has_time_to_compare(const ProfileEntry& entry) {
  return entry.verdict != SpeedVerdict::baseline && !has_failed(entry);
}

class EntryGate {
 public:
  EntryGate(const ProfileEntry& kept, const ProfileEntry& now, std::vector<RegressionRecord>& found)
      : kept_(kept), now_(now), found_(found) {}

  void compare() {
    if (has_failed(kept_)) return;
    if (has_failed(now_)) return add("failed", "", {}, {}, "it fails, and did not: " + now_.failure);
    compare_time();
    compare_memory();
    if (kept_.quality && now_.quality && kept_.quality->task == now_.quality->task) {
      compare_metrics(kept_.quality->metrics, now_.quality->metrics, "");
      compare_metrics(kept_.quality->variant_against_labels, now_.quality->variant_against_labels, " against labels");
    }
  }

 private:
  void add(const char* what, const std::string& metric, const RatioRecord& before, const RatioRecord& now,
           const std::string& message) {
    found_.push_back({now_.name, what, metric, before, now, message});
  }

  void compare_time() {
    const RatioRecord &before = kept_.ratio, &now = now_.ratio;
    if (!has_time_to_compare(kept_) || !has_interval(before) || !has_interval(now)) return;
    if (now.low <= before.high * (1 + same_within)) return;
    add("time", "", before, now,
        fmt::format("{:.3g} x the baseline's time ({:.3g} to {:.3g}), and was {:.3g} ({:.3g} to {:.3g})", now.value,
                    now.low, now.high, before.value, before.low, before.high));
  }

  void compare_memory() {
    if (!kept_.memory || !now_.memory || kept_.runtime != now_.runtime) return;
    const auto before = static_cast<double>(kept_.memory->run_peak), now = static_cast<double>(now_.memory->run_peak);
    if (now <= before * (1 + more_memory)) return;
    add("memory", "", {before, before, before}, {now, now, now},
        fmt::format("its runs take {:.0f} % more memory: {:.1f} MB, and it was {:.1f}", 100 * (now / before - 1),
                    now / 1e6, before / 1e6));
  }

  void compare_metrics(const std::map<std::string, MetricRecord>& kept, const std::map<std::string, MetricRecord>& now,
                       const char* of_what) {
    for (const auto& [name, before] : kept) {
      const auto found = now.find(name);
      if (found == now.end()) continue;
      const MetricRecord& metric = found->second;
      if (name == smaller_is_better ? metric.low <= before.high : metric.high >= before.low) continue;
      add("quality", name, {before.value, before.low, before.high}, {metric.value, metric.low, metric.high},
          fmt::format("{}{} is {:.4g} ({:.4g} to {:.4g}), and was {:.4g} ({:.4g} to {:.4g})", name, of_what,
                      metric.value, metric.low, metric.high, before.value, before.low, before.high));
    }
  }

  const ProfileEntry& kept_;
  const ProfileEntry& now_;
  std::vector<RegressionRecord>& found_;
};

}  // namespace

std::vector<RegressionRecord> regressions(const ProfileReport& kept, const ProfileReport& now) {
  std::vector<RegressionRecord> found;
  for (const ProfileEntry& entry : now.entries)
    if (const ProfileEntry* before = entry_named(kept, entry.name)) EntryGate(*before, entry, found).compare();
  return found;
}

Result<void> check_ratios(const ProfileReport& kept) {
  for (const ProfileEntry& entry : kept.entries) {
    const RatioRecord& ratio = entry.ratio;
    const bool is_ratio = std::isfinite(ratio.value) && ratio.value > 0 && ratio.low >= 0 && ratio.high > 0;
    if (ratio == RatioRecord() || is_ratio) continue;
    return fail(ErrorKind::bad_input,
                fmt::format("the ratio of '{}' is {:g} ({:g} to {:g}), and one time over another is a number above 0",
                            printable(entry.name, 100), ratio.value, ratio.low, ratio.high),
                "the file was changed or is damaged; give a report.json as culprit profile wrote it");
  }
  return {};
}

std::vector<Warning> not_compared(const ProfileReport& kept, const ProfileReport& now) {
  std::vector<Warning> warnings;
  bool is_any_shared = false;
  for (const ProfileEntry& entry : now.entries) {
    const std::string name = "'" + printable(entry.name, 100) + "'";
    const ProfileEntry* before = entry_named(kept, entry.name);
    is_any_shared = is_any_shared || before;
    if (!before)
      warnings.push_back({"row_not_kept", name + " is not in the kept report, so it was held against nothing"});
    if (!before || !has_time_to_compare(*before) || !has_time_to_compare(entry)) continue;
    if (has_interval(before->ratio) && has_interval(entry.ratio)) continue;
    const bool is_kept_blind = has_interval(entry.ratio);
    const ProfileEntry& blind = is_kept_blind ? *before : entry;
    const bool is_timed = blind.verdict != SpeedVerdict::not_measured;
    warnings.push_back(
        {"time_not_compared",
         fmt::format("the time of {} was not compared: {} {}; measure that with at least {} blocks "
                     "(--blocks {})",
                     name, is_kept_blind ? "the kept report" : "this profile",
                     is_timed ? "has no interval of it" : "has not measured it", least_blocks, least_blocks)});
  }
  for (const ProfileEntry& entry : kept.entries)
    if (!entry_named(now, entry.name))
      warnings.push_back({"row_gone", "'" + printable(entry.name, 100) + "' of the kept report is not here any more"});
  if (!is_any_shared)
    warnings.insert(warnings.begin(), {nothing_to_compare, "no row of the kept report has the name of any row here"});
  return warnings;
}

}  // namespace culprit
