// How the times of single runs spread: for each time, which share of the runs takes no longer.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/figures/figures.h"
#include "report/figures/plane_chart.h"
#include "report/figures/row_chart.h"
#include "report/profile_parts.h"
#include "report/profile_shown.h"

namespace culprit {
namespace {

constexpr double mark_radius = 4;
constexpr int columns_of_name = 18;

/// Seconds of all runs of an entry, ascending, without what a logarithm has no place for.
std::vector<double> sorted_runs(const ProfileEntry& entry) {
  std::vector<double> runs;
  for (const BlockSamples& block : entry.samples)
    for (const double seconds : block.seconds)
      if (std::isfinite(seconds) && seconds > 0) runs.push_back(seconds);
  std::ranges::sort(runs);
  return runs;
}

/// "5 ms", "0.2 us"
std::string tick_of_seconds(double seconds) {
  if (seconds < 0.9995e-3) return fmt::format("{:.4g} us", seconds * 1e6);
  return seconds < 0.9995 ? fmt::format("{:.4g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

/// A step for each run; where several fall on one place of the picture, one for all of them.
std::vector<SvgPoint> ecdf_steps(const std::vector<double>& runs, const PlaneChart& chart) {
  constexpr double same_place = 0.5;
  std::vector<SvgPoint> points;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double x = chart.x(runs[i]);
    const double y = chart.y(100 * static_cast<double>(i + 1) / static_cast<double>(runs.size()));
    if (!points.empty() && x - points.back().x < same_place) {
      points.back().y = y;
      continue;
    }
    points.push_back({x, points.empty() ? chart.bottom() : points.back().y});
    points.push_back({x, y});
  }
  return points;
}

void draw_marks(PlaneChart& chart, const LatencyRecord& latency, int colour) {
  const std::pair<double, double> marks[] = {{latency.p50, 50}, {latency.p95, 95}, {latency.p99, 99}};
  for (const auto& [seconds, percent] : marks)
    if (std::isfinite(seconds) && seconds > 0)
      chart.canvas().dot(chart.x(seconds), chart.y(percent), mark_radius, colour);
}

std::string legend_label(const ProfileEntry& entry) {
  return cut_middle(printable(entry.name), columns_of_name) + ", p99 " + short_seconds(entry.latency->p99);
}

}  // namespace

std::optional<Figure> latency_figure(const ProfileReport& report) {
  const ProfileReport shown = most_telling(report, series_colours);
  std::vector<const ProfileEntry*> entries;
  std::vector<std::vector<double>> runs;
  std::vector<ChartLegend> legend;
  double low = 0, high = 0;
  for (const ProfileEntry& entry : shown.entries) {
    if (!entry.latency || entries.size() == series_colours) continue;
    std::vector<double> sorted = sorted_runs(entry);
    if (sorted.empty()) continue;
    low = entries.empty() ? sorted.front() : std::min(low, sorted.front());
    high = std::max(high, sorted.back());
    legend.push_back({legend_label(entry), static_cast<int>(entries.size())});
    entries.push_back(&entry);
    runs.push_back(std::move(sorted));
  }
  if (entries.empty()) return std::nullopt;
  std::string subtitle = subtitle_of(report) + "; dots: p50, p95, p99";
  if (report.samples > 1) subtitle += "; runs of all " + counted(report.samples, "sample");
  const PlaneText text = {.title = "Time of single runs",
                          .subtitle = subtitle,
                          .below = "time of one run (logarithmic)",
                          .left = "share of runs that take no longer"};
  PlaneChart chart(text, ChartAxis::logarithmic(low / 1.02, high * 1.02, tick_of_seconds),
                   ChartAxis::linear(0, 100, "%"), legend);
  for (std::size_t i = entries.size(); i-- > 0;) {  // the first one lies above the others
    chart.canvas().curve(ecdf_steps(runs[i], chart), static_cast<int>(i));
    draw_marks(chart, *entries[i]->latency, static_cast<int>(i));
  }
  return Figure{"latency.svg", text.title, chart.finished()};
}

}  // namespace culprit
