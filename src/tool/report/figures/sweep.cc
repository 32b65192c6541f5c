// Samples a second over batches, or over threads where only these were swept.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.h"
#include "report/figures/figures.h"
#include "report/figures/plane_chart.h"
#include "report/figures/row_chart.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

struct SweepCurve {
  std::string label;
  std::map<std::int64_t, double> samples;  ///< a second, by batch or threads

  [[nodiscard]] double most() const {
    double value = 0;
    for (const auto& [at, here] : samples) value = std::max(value, here);
    return value;
  }
};

/// One for each row, and for each number of threads where batches are swept as well.
std::vector<SweepCurve> sweep_curves(const SweepRecord& sweep, bool over_batches) {
  std::vector<SweepCurve> curves;
  for (const SweepPoint& point : sweep.points) {
    if (!point.latency || !std::isfinite(point.samples_per_second) || point.samples_per_second <= 0) continue;
    std::string label = cut_middle(printable(point.entry), 20);
    if (over_batches && sweep.settings.threads.size() > 1)
      label += fmt::format(", {} thread{}", point.threads, point.threads == 1 ? "" : "s");
    auto found = std::ranges::find(curves, label, &SweepCurve::label);
    if (found == curves.end()) found = curves.insert(curves.end(), {label, {}});
    found->samples[over_batches ? point.batch : point.threads] = point.samples_per_second;
  }
  return curves;
}

/// As many as there are colours: those that come highest, in their order.
std::vector<SweepCurve> highest_curves(const std::vector<SweepCurve>& curves) {
  std::vector<double> heights;
  heights.reserve(curves.size());
  for (const SweepCurve& curve : curves) heights.push_back(curve.most());
  std::ranges::sort(heights, std::ranges::greater());
  const double least = heights.size() > series_colours ? heights[series_colours - 1] : 0;
  std::vector<SweepCurve> kept;
  for (const SweepCurve& curve : curves)
    if (curve.most() >= least && kept.size() < series_colours) kept.push_back(curve);
  return kept;
}

}  // namespace

std::optional<Figure> sweep_figure(const ProfileReport& report) {
  if (!report.sweep) return std::nullopt;
  const bool over_batches = report.sweep->settings.batches.size() > 1;
  const auto all = sweep_curves(*report.sweep, over_batches);
  const auto curves = highest_curves(all);
  std::vector<std::int64_t> places = over_batches ? report.sweep->settings.batches : report.sweep->settings.threads;
  if (curves.empty() || places.size() < 2) return std::nullopt;
  double high = 0;
  std::vector<ChartLegend> legend;
  for (const SweepCurve& curve : curves) {
    high = std::max(high, curve.most());
    legend.push_back({curve.label, static_cast<int>(legend.size())});
  }
  std::string subtitle = subtitle_of(report);
  if (curves.size() < all.size()) subtitle += fmt::format("; the highest {} of {} lines", curves.size(), all.size());
  const PlaneText text = {.title = over_batches ? "Samples a second by batch" : "Samples a second by threads",
                          .subtitle = subtitle,
                          .below = over_batches ? "samples in one run (logarithmic)" : "threads (logarithmic)",
                          .left = "samples a second, one run after the other"};
  PlaneChart chart(text, ChartAxis::at(places), ChartAxis::linear(0, high * 1.02, ""), legend);
  for (std::size_t i = curves.size(); i-- > 0;) {
    std::vector<SvgPoint> points;
    for (const auto& [at, samples] : curves[i].samples)
      points.push_back({chart.x(static_cast<double>(at)), chart.y(samples)});
    chart.canvas().curve(points, static_cast<int>(i));
    for (const SvgPoint& point : points) chart.canvas().dot(point.x, point.y, 4, static_cast<int>(i));
  }
  return Figure{"sweep.svg", text.title, chart.finished()};
}

}  // namespace culprit
