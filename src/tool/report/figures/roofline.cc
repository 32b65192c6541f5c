// How near to the limits of the machine nodes come (Williams, Waterman and Patterson: "Roofline", 2009).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/figures/figures.h"
#include "report/figures/plane_chart.h"
#include "report/figures/row_chart.h"
#include "report/node_rates.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr double least_radius = 2.5, radius_of_all = 24;  ///< of a node with no time, and what all of the time adds
constexpr std::size_t labelled_each = 4;
constexpr double least_labelled_share = 0.02;
constexpr int label_columns_of_node = 22;

struct RooflinePoint {
  const NodeTimeRecord* node = nullptr;
  double intensity = 0, rate = 0;
};

struct RooflineRow {
  const ProfileEntry* entry = nullptr;
  std::vector<RooflinePoint> points;  ///< the slowest first
  int colour = 0;
};

/// Points of nodes on the CPU, whose limits were measured, where time and work are known.
std::vector<RooflinePoint> roofline_points(const ProfileEntry& entry) {
  std::vector<RooflinePoint> points;
  if (!entry.nodes) return points;
  for (const NodeTimeRecord& node : entry.nodes->nodes) {
    const auto intensity = flops_per_byte(node), rate = flops_per_second(node);
    if (!runs_on_cpu(provider_name(node.provider)) || !intensity || !rate || *intensity <= 0 || *rate <= 0) continue;
    points.push_back({&node, *intensity, *rate});
  }
  return points;
}

/// The first baseline, and the fastest of the others: more rows would cover each other.
std::vector<RooflineRow> roofline_rows(const ProfileReport& report) {
  std::vector<RooflineRow> rows;
  const ProfileEntry* fastest = nullptr;
  for (const ProfileEntry& entry : report.entries) {
    if (is_baseline(report, entry) || roofline_points(entry).empty() || !std::isfinite(entry.seconds.median)) continue;
    if (fastest == nullptr || entry.seconds.median < fastest->seconds.median) fastest = &entry;
  }
  if (report.baseline < report.entries.size()) {
    const ProfileEntry& baseline = report.entries[report.baseline];
    if (auto points = roofline_points(baseline); !points.empty())
      rows.push_back({&baseline, std::move(points), colour_of_same});
  }
  if (fastest != nullptr) rows.push_back({fastest, roofline_points(*fastest), colour_of_faster});
  return rows;
}

struct AxisSpan {
  double low = 0, high = 0;
  void take(double value) {
    low = low > 0 ? std::min(low, value) : value;
    high = std::max(high, value);
  }
};

std::string tick_of_rate(double value) {
  constexpr std::pair<double, const char*> units[] = {
      {1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}, {1e3, "kFLOP/s"}};
  for (const auto& [size, unit] : units)
    if (value >= 0.9999 * size) return fmt::format("{:.4g} {}", value / size, unit);
  return fmt::format("{:.4g} FLOP/s", value);
}

std::string words_of_level(const MachineLimits& limits) {
  return scaled(limits.flops, "FLOP/s") + ", " + limits.instructions;
}

/// The words of the slope stand below it, for there is mostly nothing at its foot.
void draw_roof(PlaneChart& chart, const MachineLimits& limits, const AxisSpan& intensity, const AxisSpan& rate) {
  const double ridge = limits.flops / limits.bandwidth;
  const double low = std::max(intensity.low, rate.low / limits.bandwidth);
  const double left = chart.x(low), foot = chart.y(low * limits.bandwidth), level = chart.y(limits.flops);
  SvgCanvas& canvas = chart.canvas();
  canvas.line(left, foot, chart.x(ridge), level, SvgLook::whisker);
  canvas.line(chart.x(ridge), level, chart.right(), level, SvgLook::whisker);
  canvas.text(chart.right() - 4, level - 6, words_of_level(limits), SvgLook::value, SvgAnchor::end);
  canvas.text(left + 16, std::min(foot + 14, chart.bottom() - 6), "memory: " + scaled(limits.bandwidth, "B/s"),
              SvgLook::value);
}

double radius_of(const NodeTimeRecord& node) {
  const double share = std::isfinite(node.share) ? std::clamp(node.share, 0.0, 1.0) : 0;
  return least_radius + radius_of_all * std::sqrt(share);
}

/// Tells where a label begins, or its middle or end is, and what it covers.
struct LabelPlace {
  double at = 0, y = 0;
  SvgAnchor anchor = SvgAnchor::start;
  double left = 0, right = 0;
};

/// Right of a point, left of it, above and below.
std::array<LabelPlace, 4> places_beside(double x, double y, double radius, double width) {
  const double room = radius + 3;
  return {{{x + room, y + 4, SvgAnchor::start, x + room, x + room + width},
           {x - room, y + 4, SvgAnchor::end, x - room - width, x - room},
           {x, y - room - 2, SvgAnchor::middle, x - width / 2, x + width / 2},
           {x, y + room + 9, SvgAnchor::middle, x - width / 2, x + width / 2}}};
}

class PointLabels {
 public:
  PointLabels(PlaneChart& chart, const std::vector<RooflineRow>& rows, const MachineLimits& limits)
      : chart_(chart), rows_(rows) {
    const double right = chart.right() - 4, width = text_width(words_of_level(limits), chart_font);
    taken_.push_back({right, chart.y(limits.flops) - 6, SvgAnchor::end, right - width, right});
  }

  void draw() {
    for (const RooflineRow& row : rows_)
      for (std::size_t i = 0; i < std::min(row.points.size(), labelled_each); ++i)
        if (row.points[i].node->share >= least_labelled_share) label(row.points[i]);
  }

 private:
  /// Puts a label where the fewest points lie under it, and no other label; nowhere, where there is no such place.
  void label(const RooflinePoint& point) {
    const std::string name = point.node->node.empty() ? point.node->op : point.node->node;
    const std::string text =
        fmt::format("{}, {:.0f} %", cut_middle(printable(name), label_columns_of_node), 100 * point.node->share);
    std::optional<LabelPlace> best;
    std::size_t fewest = 0;
    for (const LabelPlace& place : places_beside(chart_.x(point.intensity), chart_.y(point.rate),
                                                 radius_of(*point.node), text_width(text, chart_font))) {
      if (!is_free(place)) continue;
      const std::size_t covered = points_under(place);
      if (best && covered >= fewest) continue;
      best = place;
      fewest = covered;
    }
    if (!best) return;
    chart_.canvas().text(best->at, best->y, text, SvgLook::value, best->anchor);
    taken_.push_back(*best);
  }

  [[nodiscard]] bool is_free(const LabelPlace& place) const {
    if (place.left < chart_.left() || place.right > chart_.right()) return false;
    if (place.y - line < chart_.top() || place.y > chart_.bottom()) return false;
    return std::ranges::none_of(taken_, [&](const LabelPlace& other) {
      return std::abs(other.y - place.y) < line && other.left < place.right && place.left < other.right;
    });
  }

  [[nodiscard]] std::size_t points_under(const LabelPlace& place) const {
    std::size_t count = 0;
    for (const RooflineRow& row : rows_)
      for (const RooflinePoint& point : row.points) {
        const double x = chart_.x(point.intensity), y = chart_.y(point.rate), radius = radius_of(*point.node);
        count +=
            x + radius > place.left && x - radius < place.right && y + radius > place.y - line && y - radius < place.y;
      }
    return count;
  }

  static constexpr double line = 13;
  PlaneChart& chart_;
  const std::vector<RooflineRow>& rows_;
  std::vector<LabelPlace> taken_;
};

std::string limits_note(const MachineLimits& limits) {
  return fmt::format(
      "limits measured with {}: multiply-adds of float32 in registers ({}); a triad over {}. Above the slope: from "
      "caches",
      counted(limits.threads, "thread"), printable(limits.instructions, 20), human_bytes(limits.buffer_bytes));
}

}  // namespace

std::optional<Figure> roofline_figure(const ProfileReport& report) {
  if (!report.limits || !(report.limits->flops > 0) || !(report.limits->bandwidth > 0)) return std::nullopt;
  const std::vector<RooflineRow> rows = roofline_rows(report);
  if (rows.empty()) return std::nullopt;
  AxisSpan intensity, rate;
  intensity.take(report.limits->flops / report.limits->bandwidth);
  rate.take(report.limits->flops);
  std::vector<ChartLegend> legend;
  for (const RooflineRow& row : rows) {
    legend.push_back({printable(row.entry->name), row.colour});
    for (const RooflinePoint& point : row.points) {
      intensity.take(point.intensity);
      rate.take(point.rate);
    }
  }
  intensity = {intensity.low / 2, intensity.high * 4};
  rate = {rate.low / 2, rate.high * 2};
  const PlaneText text = {.title = "Nodes under the limits of the machine",
                          .subtitle = subtitle_of(report) + "; area: share of the time in nodes",
                          .below = "FLOPs for each byte that is read or written (logarithmic)",
                          .left = "FLOPs a second (logarithmic)",
                          .note = limits_note(*report.limits)};
  const auto plain = [](double value) { return fmt::format("{:.4g}", value); };
  PlaneChart chart(text, ChartAxis::logarithmic(intensity.low, intensity.high, plain),
                   ChartAxis::logarithmic(rate.low, rate.high, tick_of_rate), legend);
  draw_roof(chart, *report.limits, intensity, rate);
  for (const RooflineRow& row : rows)
    for (const RooflinePoint& point : row.points)
      chart.canvas().bubble(chart.x(point.intensity), chart.y(point.rate), radius_of(*point.node), row.colour);
  PointLabels(chart, rows, *report.limits).draw();
  return Figure{"roofline.svg", text.title, chart.finished()};
}

}  // namespace culprit
