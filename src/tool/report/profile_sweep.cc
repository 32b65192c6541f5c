#include "report/profile_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/markdown_parts.h"
#include "report/profile_console_parts.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

std::string samples_text(const SweepPoint& point) {
  return point.latency ? scaled(point.samples_per_second) : std::string();
}

std::string time_text(const SweepPoint& point, double LatencyRecord::*which) {
  return point.latency ? short_seconds((*point.latency).*which) : std::string();
}

bool is_best(const std::vector<std::size_t>& best, std::size_t point) {
  return std::ranges::find(best, point) != best.end();
}

}  // namespace

std::vector<std::size_t> best_points(const SweepRecord& sweep) {
  std::map<std::string, std::size_t> best;
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    if (!point.latency || !std::isfinite(point.samples_per_second)) continue;
    const auto [at, is_new] = best.try_emplace(point.entry, i);
    if (!is_new && point.samples_per_second > sweep.points[at->second].samples_per_second) at->second = i;
  }
  std::vector<std::size_t> places;
  places.reserve(best.size());
  for (const auto& [entry, place] : best) places.push_back(place);
  std::ranges::sort(places);
  return places;
}

std::string sweep_part(const ProfileReport& report, const ConsoleStyle& style) {
  if (!report.sweep || report.sweep->points.empty()) return "";
  const SweepRecord& sweep = *report.sweep;
  const auto best = best_points(sweep);
  ConsoleColumn entry{"entry", {}, true}, threads{"threads", {}}, batch{"batch", {}}, time{"time", {}}, p95{"p95", {}},
      p99{"p99", {}, false, true}, samples{"samples/s", {}}, runs{"runs", {}, false, true}, said{"", {}, true};
  for (std::size_t i = 0; i < sweep.points.size(); ++i) {
    const SweepPoint& point = sweep.points[i];
    entry.cells.push_back({cut_middle(printable(point.entry), style.width / 4)});
    threads.cells.push_back({std::to_string(point.threads)});
    batch.cells.push_back({std::to_string(point.batch)});
    time.cells.push_back({time_text(point, &LatencyRecord::p50)});
    p95.cells.push_back({time_text(point, &LatencyRecord::p95)});
    p99.cells.push_back({time_text(point, &LatencyRecord::p99)});
    samples.cells.push_back({samples_text(point), is_best(best, i) ? Ink::good : Ink::plain});
    runs.cells.push_back({point.latency ? std::to_string(point.latency->runs) : ""});
    const bool is_told = is_best(best, i) && sweep.points.size() > best.size();
    said.cells.push_back({!point.failure.empty() ? "FAILED"
                          : !point.latency       ? "not measured"
                          : is_told              ? "most"
                                                 : "",
                          point.failure.empty() ? Ink::plain : Ink::bad});
  }
  std::string text = fmt::format("\n  sweep, {}\n", counted(sweep.blocks, "block")) +
                     wide_table({entry, threads, batch, time, p95, samples, said, p99, runs}, style);
  for (const SweepPoint& point : sweep.points)
    if (!point.failure.empty())
      text += hanging(fmt::format("  {}, batch {}, {}: ", cut_middle(printable(point.entry), 24), point.batch,
                                  counted(point.threads, "thread")),
                      printable(point.failure, style.verbose ? 2000 : 300), style.width);
  return text;
}

std::string sweep_markdown(const ProfileReport& report) {
  if (!report.sweep || report.sweep->points.empty()) return "";
  const auto best = best_points(*report.sweep);
  std::vector<std::vector<std::string>> rows;
  std::string notes;
  for (std::size_t i = 0; i < report.sweep->points.size(); ++i) {
    const SweepPoint& point = report.sweep->points[i];
    const std::string samples = samples_text(point), name = markdown_code(cut_middle(printable(point.entry), 60));
    rows.push_back({name, std::to_string(point.threads), std::to_string(point.batch),
                    time_text(point, &LatencyRecord::p50), time_text(point, &LatencyRecord::p95),
                    time_text(point, &LatencyRecord::p99),
                    !point.failure.empty() ? "**FAILED**"
                    : is_best(best, i)     ? "**" + samples + "**"
                                           : samples});
    if (!point.failure.empty())
      notes += fmt::format("- {}, batch {}, {}: {}\n", name, point.batch, counted(point.threads, "thread"),
                           markdown_text(point.failure));
  }
  return "\n### Sweep\n\n" +
         markdown_table({"entry", "threads", "batch", "time of a run", "p95", "p99", "samples a second"}, rows) +
         "\nTime of a run: the median. Bold: the most samples a second of the entry.\n" +
         (notes.empty() ? "" : "\n" + notes);
}

}  // namespace culprit
