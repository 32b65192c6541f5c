#include "profile/gate/regressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "profile/gate/paired_rows.h"
#include "profile/named_rows.h"

namespace culprit {
namespace {

/// Of the tasks' metrics, those that measure an error.
constexpr std::array errors_by_name{"relative_error", "mae", "rmse", "wer", "cer"};

bool is_smaller_better(const std::string& metric) {
  return std::ranges::find(errors_by_name, metric) != errors_by_name.end();
}

/// The bytes that the runs add to the process. What it had before comes from Culprit and the system.
double memory_of_runs(const MemoryRecord& memory) {
  return static_cast<double>(memory.run_peak - std::min(memory.start, memory.run_peak));
}

bool has_failed(const ProfileEntry& entry) { return entry.verdict == SpeedVerdict::failed; }

class EntryGate {
 public:
  EntryGate(const PairedRow& pair, const ProfileEntry& kept, const ProfileEntry& now,
            std::vector<RegressionRecord>& found)
      : pair_(pair), kept_(kept), now_(now), found_(found) {}

  void compare() {
    if (has_failed(kept_)) return;
    if (has_failed(now_)) return add("failed", "", {}, {}, "it fails, and did not: " + now_.failure);
    compare_time();
    compare_memory();
    if (kept_.quality && now_.quality && kept_.quality->task == now_.quality->task) {
      if (pair_.has_one_baseline) compare_metrics(kept_.quality->metrics, now_.quality->metrics, "");
      compare_metrics(kept_.quality->variant_against_labels, now_.quality->variant_against_labels, " against labels");
    }
  }

 private:
  void add(const char* what, const std::string& metric, const RatioRecord& before, const RatioRecord& now,
           const std::string& message) {
    found_.push_back({now_.name, what, metric, before, now, message});
  }

  void compare_time() {
    const RatioRecord &before = pair_.before, &now = pair_.after;
    if (!pair_.has_time || !has_interval(before) || !has_interval(now)) return;
    if (now.low <= before.high * (1 + same_within)) return;
    const std::string of = pair_.has_one_baseline ? "the baseline's time" : "the time of " + quoted_row(*pair_.against);
    add("time", "", before, now,
        fmt::format("{:.3g} x {} ({:.3g} to {:.3g}), and was {:.3g} ({:.3g} to {:.3g})", now.value, of, now.low,
                    now.high, before.value, before.low, before.high));
  }

  void compare_memory() {
    if (!kept_.memory || !now_.memory || kept_.runtime != now_.runtime) return;
    const double before = memory_of_runs(*kept_.memory), now = memory_of_runs(*now_.memory);
    if (now <= before * (1 + more_memory)) return;
    add("memory", "", {before, before, before}, {now, now, now},
        fmt::format("its runs add {:.0f} % more memory to the process: {:.1f} MB, and it was {:.1f}",
                    100 * (now / before - 1), now / 1e6, before / 1e6));
  }

  void compare_metrics(const std::map<std::string, MetricRecord>& kept, const std::map<std::string, MetricRecord>& now,
                       const char* of_what) {
    for (const auto& [name, before] : kept) {
      const auto found = now.find(name);
      if (found == now.end()) continue;
      const MetricRecord& metric = found->second;
      if (is_smaller_better(name) ? metric.low <= before.high : metric.high >= before.low) continue;
      add("quality", name, {before.value, before.low, before.high}, {metric.value, metric.low, metric.high},
          fmt::format("{}{} is {:.4g} ({:.4g} to {:.4g}), and was {:.4g} ({:.4g} to {:.4g})", name, of_what,
                      metric.value, metric.low, metric.high, before.value, before.low, before.high));
    }
  }

  const PairedRow& pair_;
  const ProfileEntry& kept_;
  const ProfileEntry& now_;
  std::vector<RegressionRecord>& found_;
};

/// Rows that one row of both profiles, or none, can stand for.
struct Rebased {
  std::string kept, now;  ///< their baselines
  std::optional<std::string> against;
  bool operator==(const Rebased&) const = default;
};

Warning warning_of(const Rebased& rows) {
  const std::string difference = fmt::format("the kept report holds its rows against {}, and this profile against {}",
                                             quoted_row(rows.kept), quoted_row(rows.now));
  if (rows.against)
    return {"kept_rebased",
            fmt::format("{}: times of both were held against {}", difference, quoted_row(*rows.against))};
  return {no_common_row,
          fmt::format("{}, and no row is in both with an interval of its time, so no times were compared; measure with "
                      "--against {} and a row of that name, or keep a new report",
                      difference, quoted_row(rows.kept))};
}

std::vector<Warning> rebased(const std::vector<PairedRow>& pairs, const ProfileReport& kept, const ProfileReport& now) {
  std::vector<Rebased> told;
  std::vector<Warning> warnings;
  for (const PairedRow& pair : pairs) {
    if (pair.has_one_baseline) continue;
    if (kept.entries[pair.kept].quality && now.entries[pair.now].quality)
      warnings.push_back({"quality_not_compared",
                          fmt::format("decisions of {} were compared with labels only: the kept report tells by those "
                                      "of another row how many are changed",
                                      quoted_row(now.entries[pair.now].name))});
    Rebased one{kept.entries[kept.entries[pair.kept].baseline].name, now.entries[now.entries[pair.now].baseline].name,
                pair.against};
    if (std::ranges::find(told, one) != told.end()) continue;
    warnings.push_back(warning_of(one));
    told.push_back(std::move(one));
  }
  return warnings;
}

std::optional<Warning> time_not_compared(const PairedRow& pair, const ProfileReport& kept, const ProfileReport& now) {
  if (!pair.has_time || (has_interval(pair.before) && has_interval(pair.after))) return std::nullopt;
  const bool is_kept_blind = has_interval(pair.after);
  const ProfileEntry& blind = is_kept_blind ? kept.entries[pair.kept] : now.entries[pair.now];
  const bool is_timed = blind.verdict != SpeedVerdict::not_measured;
  return Warning{"time_not_compared",
                 fmt::format("the time of {} was not compared: {} {}; measure that with at least {} blocks "
                             "(--blocks {})",
                             quoted_row(blind.name), is_kept_blind ? "the kept report" : "this profile",
                             is_timed ? "has no interval of it" : "has not measured it", least_blocks, least_blocks)};
}

bool has_row(const ProfileReport& report, const std::string& name) {
  return std::ranges::find(report.entries, name, &ProfileEntry::name) != report.entries.end();
}

}  // namespace

std::vector<RegressionRecord> regressions(const ProfileReport& kept, const ProfileReport& now) {
  std::vector<RegressionRecord> found;
  for (const PairedRow& pair : paired_rows(kept, now))
    EntryGate(pair, kept.entries[pair.kept], now.entries[pair.now], found).compare();
  return found;
}

std::vector<Warning> not_compared(const ProfileReport& kept, const ProfileReport& now) {
  const std::vector<PairedRow> pairs = paired_rows(kept, now);
  std::vector<Warning> warnings = rebased(pairs, kept, now);
  if (pairs.empty()) warnings.push_back({nothing_to_compare, "no row of the kept report has the name of any row here"});
  for (const ProfileEntry& entry : now.entries)
    if (!has_row(kept, entry.name))
      warnings.push_back(
          {"row_not_kept", quoted_row(entry.name) + " is not in the kept report, so it was held against nothing"});
  for (const PairedRow& pair : pairs)
    if (auto warning = time_not_compared(pair, kept, now)) warnings.push_back(std::move(*warning));
  for (const ProfileEntry& entry : kept.entries)
    if (!has_row(now, entry.name))
      warnings.push_back({"row_gone", quoted_row(entry.name) + " of the kept report is not here any more"});
  return warnings;
}

bool is_blind(const ProfileReport& kept, const ProfileReport& now) {
  const std::vector<PairedRow> pairs = paired_rows(kept, now);
  return pairs.empty() || std::ranges::any_of(pairs, [](const PairedRow& pair) { return !pair.against; });
}

}  // namespace culprit
