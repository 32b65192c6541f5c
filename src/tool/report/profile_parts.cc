#include "report/profile_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>
#include <utility>

#include "base/text.h"
#include "report/console_parts.h"

namespace culprit {
namespace {

std::string three_digits(double value) {
  return value < 9.995   ? fmt::format("{:.2f}", value)
         : value < 99.95 ? fmt::format("{:.1f}", value)
                         : fmt::format("{:.0f}", value);
}

/// "24 %", "3.4 %"
std::string percent(double share) {
  const double shown = 100 * std::abs(share);
  return shown < 9.95 ? fmt::format("{:.1f} %", shown) : fmt::format("{:.0f} %", shown);
}

std::string more_or_less(double ratio) { return percent(ratio - 1) + (ratio < 1 ? " less" : " more"); }

}  // namespace

bool is_there(const TimeRecord& time) { return time.runs > 0; }
bool is_there(const RatioRecord& ratio) { return ratio != RatioRecord(); }
bool is_there(const GraphRecord& graph) { return graph.nodes > 0 || !graph.ops.empty(); }

const ProfileEntry* baseline_of(const ProfileReport& report, const ProfileEntry& entry) {
  return entry.baseline < report.entries.size() ? &report.entries[entry.baseline] : nullptr;
}

bool is_baseline(const ProfileReport& report, const ProfileEntry& entry) {
  return baseline_of(report, entry) == &entry;
}

std::string against_what(const ProfileReport& report, const std::function<std::string(const std::string&)>& shown) {
  if (report.entries.size() < 2) return "";
  const std::size_t first = report.entries.front().baseline;
  const bool is_one =
      std::ranges::all_of(report.entries, [&](const ProfileEntry& entry) { return entry.baseline == first; });
  if (!is_one) return ", each model against a baseline of its own";
  return first < report.entries.size() ? " against " + shown(report.entries[first].name) : "";
}

const ProfileEntry* original_of(const ProfileReport& report, const ProfileEntry& entry) {
  const auto is_untouched = [&](const ProfileEntry& other) {
    return other.model == entry.model && other.optimizer.empty() && other.level == "off" && is_there(other.graph);
  };
  const auto found = std::ranges::find_if(report.entries, is_untouched);
  if (found != report.entries.end()) return &*found;
  const ProfileEntry* baseline = baseline_of(report, entry);
  return baseline != nullptr && is_there(baseline->graph) ? baseline : nullptr;
}

std::vector<std::string> models_of(const ProfileReport& report) {
  std::vector<std::string> models;
  for (const ProfileEntry& entry : report.entries)
    if (std::ranges::find(models, entry.model) == models.end()) models.push_back(entry.model);
  return models;
}

std::optional<std::uint64_t> memory_peak(const ProfileEntry& entry) {
  if (!entry.memory) return std::nullopt;
  return std::max(entry.memory->load_peak, entry.memory->run_peak);
}

std::string samples_a_second(const ProfileEntry& entry) {
  if (!is_there(entry.seconds) || entry.batch.value_or(1) <= 1) return "";
  return scaled(entry.throughput * static_cast<double>(*entry.batch));
}

std::optional<double> node_change(const ProfileEntry& entry, const ProfileEntry& original) {
  if (!is_there(entry.graph) || original.graph.nodes <= 0) return std::nullopt;
  const auto before = static_cast<double>(original.graph.nodes);
  return 100 * (static_cast<double>(entry.graph.nodes) - before) / before;
}

std::string short_seconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 0.9995e-3) return three_digits(seconds * 1e6) + " us";
  if (seconds < 0.9995) return three_digits(seconds * 1e3) + " ms";
  return seconds < 99.95 ? three_digits(seconds) + " s" : human_seconds(seconds);
}

std::string ratio_text(const RatioRecord& ratio) {
  if (!is_there(ratio)) return "";
  if (!std::isfinite(ratio.value) || !std::isfinite(ratio.low) || !std::isfinite(ratio.high)) return "?";
  if (ratio.value >= 9999.5 || ratio.high >= 9999.5)
    return fmt::format("{:.2g} x ({:.2g} to {:.2g})", ratio.value, ratio.low, ratio.high);
  const bool is_narrow = ratio.value < 0.1 || std::abs(ratio.value - 1) < 0.1;
  const int digits = ratio.value >= 99.95 ? 0 : ratio.value >= 9.995 ? 1 : is_narrow ? 3 : 2;
  if (ratio.low == ratio.value && ratio.high == ratio.value) return fmt::format("{:.{}f} x", ratio.value, digits);
  return fmt::format("{:.{}f} x ({:.{}f} to {:.{}f})", ratio.value, digits, ratio.low, digits, ratio.high, digits);
}

std::string speed_words(double ratio) {
  if (!std::isfinite(ratio) || ratio <= 0) return "?";
  if (ratio >= 1.95) return three_digits(ratio) + " times as long";
  if (ratio <= 1 / 1.95) return three_digits(1 / ratio) + " times as fast";
  return std::abs(ratio - 1) < 0.0005 ? "as fast" : more_or_less(ratio) + " time";
}

std::string interval_words(const RatioRecord& ratio) {
  if (!std::isfinite(ratio.low) || !std::isfinite(ratio.high)) return "no interval";
  if (ratio.high > 10) return fmt::format("between {:.2g} and {:.2g} times the time", ratio.low, ratio.high);
  return "between " + more_or_less(ratio.low) + " and " + more_or_less(ratio.high) + " time";
}

std::string doubt_words(const ProfileEntry& entry) {
  if (has_interval(entry.ratio)) return interval_words(entry.ratio);
  const auto blocks = static_cast<std::int64_t>(entry.block_ratios.size());
  return fmt::format("{} too few for a verdict", blocks == 1 ? "1 block is" : fmt::format("{} blocks are", blocks));
}

std::string verdict_words(const ProfileEntry& entry) {
  switch (entry.verdict) {
    case SpeedVerdict::slower:
      return "SLOWER";
    case SpeedVerdict::faster:
      return "FASTER";
    case SpeedVerdict::ambiguous:
      return "AMBIGUOUS";
    case SpeedVerdict::failed:
      return entry.failed_at == FailedAt::nowhere ? "FAILED" : fmt::format("FAILED at {}", name_of(entry.failed_at));
    default:
      return std::string(name_of(entry.verdict));
  }
}

Ink ink_of(SpeedVerdict verdict) {
  switch (verdict) {
    case SpeedVerdict::same:
    case SpeedVerdict::faster:
      return Ink::good;
    case SpeedVerdict::slower:
    case SpeedVerdict::failed:
      return Ink::bad;
    case SpeedVerdict::ambiguous:
      return Ink::doubtful;
    case SpeedVerdict::baseline:
    case SpeedVerdict::not_measured:
      return Ink::plain;
  }
  return Ink::plain;
}

std::string scaled(double value) {
  if (!std::isfinite(value)) return "?";
  constexpr std::string_view units = " kMGTPE";
  std::size_t unit = 0;
  for (; std::abs(value) >= 999.5 && unit + 1 < units.size(); ++unit) value /= 1000;
  if (unit == 0) return fmt::format("{:.3g}", value);
  return (value < 0 ? "-" : "") + three_digits(std::abs(value)) + " " + units[unit];
}

std::string scaled(double value, std::string_view unit) {
  const std::string text = scaled(value);
  const bool has_prefix = text.find(' ') != std::string::npos;
  return text + (has_prefix ? "" : " ") + std::string(unit);
}

std::string graph_figure(const std::optional<double>& figure, const GraphRecord& graph, std::string_view unit) {
  std::string uncounted = graph.nodes_uncounted > 0 ? counted(graph.nodes_uncounted, "node") + " not counted" : "";
  if (!figure) return uncounted;
  const std::string text = unit.empty() ? scaled(*figure) : scaled(*figure, unit);
  return uncounted.empty() ? text : text + " + " + uncounted;
}

std::string provider_name(std::string_view provider) { return printable(short_provider(provider), 40); }

std::vector<OpChange> op_changes(const GraphRecord& before, const GraphRecord& after) {
  std::map<std::string, OpChange> by_op;
  for (const auto& [op, count] : before.ops) by_op[op] = {op, count, 0};
  for (const auto& [op, count] : after.ops) {
    by_op[op].op = op;
    by_op[op].after = count;
  }
  std::vector<OpChange> changes;
  for (const auto& [op, change] : by_op)
    if (change.before != change.after) changes.push_back(change);
  std::ranges::stable_sort(changes, [](const OpChange& one, const OpChange& other) {
    return std::abs(one.after - one.before) > std::abs(other.after - other.before);
  });
  return changes;
}

std::int64_t nodes_in(const std::map<std::string, std::int64_t>& ops) {
  std::int64_t nodes = 0;
  for (const auto& [op, count] : ops) nodes += count;
  return nodes;
}

std::vector<std::string> top_op_types(const ProfileReport& report, std::size_t count) {
  std::map<std::string, double> shares;
  for (const ProfileEntry& entry : report.entries) {
    const auto all = static_cast<double>(nodes_in(entry.graph.ops));
    for (const auto& [op, nodes] : entry.graph.ops)
      if (all > 0) shares[op] += static_cast<double>(nodes) / all;
  }
  std::vector<std::pair<std::string, double>> ordered(shares.begin(), shares.end());
  std::ranges::stable_sort(ordered, [](const auto& one, const auto& other) { return one.second > other.second; });
  std::vector<std::string> types;
  for (const auto& [op, share] : ordered)
    if (types.size() < count) types.push_back(op);
  return types;
}

std::string words_of_steps(const std::vector<std::string>& steps, std::size_t all) {
  if (steps.empty()) return "no step";
  if (steps.size() == all && all > 1) return fmt::format("all {} steps", all);
  return join(steps, ", ");
}

std::string change_words(const std::map<std::string, std::int64_t>& ops_changed) {
  constexpr std::size_t most = 6;
  std::vector<std::pair<std::string, std::int64_t>> ops(ops_changed.begin(), ops_changed.end());
  std::ranges::stable_sort(ops, std::ranges::greater(), [](const auto& op) { return std::abs(op.second); });
  std::vector<std::string> said;
  for (std::size_t i = 0; i < std::min(ops.size(), most); ++i)
    said.push_back(
        fmt::format("{} {} {}", std::abs(ops[i].second), ops[i].first, ops[i].second > 0 ? "more" : "fewer"));
  if (ops.size() > most) said.push_back(fmt::format("and {} other types", ops.size() - most));
  return join(said, ", ");
}

std::vector<OpTime> op_times(const NodeTimes& times) {
  std::map<std::string, OpTime> by_op;
  double all = 0;
  for (const NodeTimeRecord& node : times.nodes) {
    OpTime& time = by_op[node.op];
    time.op = node.op;
    time.nodes += 1;
    if (!std::isfinite(node.seconds) || node.seconds < 0) continue;
    time.seconds += node.seconds;
    all += node.seconds;
  }
  std::vector<OpTime> ops;
  for (auto& [op, time] : by_op) {
    time.share = all > 0 ? time.seconds / all : 0;
    ops.push_back(time);
  }
  std::ranges::stable_sort(ops, [](const OpTime& one, const OpTime& other) { return one.seconds > other.seconds; });
  return ops;
}

std::string baseline_elsewhere(const NodeTimes& times) {
  if (times.baseline_other_seconds.value_or(0) <= 0) return "";
  return "of the baseline's nodes " + short_seconds(*times.baseline_other_seconds) + " stand against none of these";
}

namespace {

/// Which of a task's metrics stands for it, the likeliest first. Of a comparator's own the first by name.
constexpr std::array heads{"top1", "top1_agreement", "map_50_95", "miou", "psnr", "cosine", "wer", "relative_error"};

std::optional<std::string> head_of(const std::map<std::string, MetricRecord>& metrics) {
  for (const char* name : heads)
    if (metrics.contains(name)) return name;
  return metrics.empty() ? std::nullopt : std::optional(metrics.begin()->first);
}

const std::map<std::string, MetricRecord>& metrics_of(const DecisionRecord& quality, bool is_against_labels) {
  return is_against_labels ? quality.variant_against_labels : quality.metrics;
}

}  // namespace

std::optional<HeadMetric> head_metric(const ProfileReport& report) {
  for (const bool is_against_labels : {true, false})
    for (const ProfileEntry& entry : report.entries) {
      if (!entry.quality) continue;
      if (const auto name = head_of(metrics_of(*entry.quality, is_against_labels)))
        return HeadMetric{*name, is_against_labels};
    }
  return std::nullopt;
}

std::optional<MetricRecord> value_of(const HeadMetric& metric, const ProfileEntry& entry) {
  if (!entry.quality) return std::nullopt;
  const auto& metrics = metrics_of(*entry.quality, metric.is_against_labels);
  const auto found = metrics.find(metric.name);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace culprit
