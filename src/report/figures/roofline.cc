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
constexpr int label_columns_of_node = 26;

struct RooflinePoint {
  const NodeTimeRecord* node = nullptr;
  double intensity = 0, rate = 0;
};

struct RooflineRow {
  const ProfileEntry* entry = nullptr;
  std::vector<RooflinePoint> points;  ///< the slowest first
  int colour = 0;
};

/// Of nodes on the CPU, whose limits were measured, and of which both is known.
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
  constexpr std::array<std::pair<double, const char*>, 4> units{
      {{1e12, "TFLOP/s"}, {1e9, "GFLOP/s"}, {1e6, "MFLOP/s"}, {1e3, "kFLOP/s"}}};
  for (const auto& [size, unit] : units)
    if (value >= 0.9999 * size) return fmt::format("{:.4g} {}", value / size, unit);
  return fmt::format("{:.4g} FLOP/s", value);
}

/// The words of the slope stand below it, for there is mostly nothing at its foot.
void draw_roof(PlaneChart& chart, const MachineLimits& limits, const AxisSpan& intensity, const AxisSpan& rate) {
  const double ridge = limits.flops / limits.bandwidth;
  const double low = std::max(intensity.low, rate.low / limits.bandwidth);
  const double left = chart.x(low), foot = chart.y(low * limits.bandwidth), level = chart.y(limits.flops);
  SvgCanvas& canvas = chart.canvas();
  canvas.line(left, foot, chart.x(ridge), level, SvgLook::whisker);
  canvas.line(chart.x(ridge), level, chart.right(), level, SvgLook::whisker);
  canvas.text(chart.right() - 4, level - 6, scaled(limits.flops, "FLOP/s") + ", " + limits.instructions, SvgLook::value,
              SvgAnchor::end);
  canvas.text(left + 16, std::min(foot + 14, chart.bottom() - 6), "memory: " + scaled(limits.bandwidth, "B/s"),
              SvgLook::value);
}

/// What a label covers, so that no other one lies on it.
struct LabelPlace {
  double left, right, y;
};

bool is_free(const std::vector<LabelPlace>& taken, const LabelPlace& place) {
  constexpr double line = 13;
  return std::ranges::none_of(taken, [&](const LabelPlace& other) {
    return std::abs(other.y - place.y) < line && other.left < place.right && place.left < other.right;
  });
}

double radius_of(const NodeTimeRecord& node) {
  const double share = std::isfinite(node.share) ? std::clamp(node.share, 0.0, 1.0) : 0;
  return least_radius + radius_of_all * std::sqrt(share);
}

void label_points(PlaneChart& chart, const RooflineRow& row, std::vector<LabelPlace>& taken) {
  for (std::size_t i = 0; i < std::min(row.points.size(), labelled_each); ++i) {
    const RooflinePoint& point = row.points[i];
    if (!(point.node->share >= least_labelled_share)) continue;
    const std::string name = point.node->node.empty() ? point.node->op : point.node->node;
    const std::string label =
        fmt::format("{}, {:.0f} %", cut_middle(printable(name), label_columns_of_node), 100 * point.node->share);
    const double x = chart.x(point.intensity), room = radius_of(*point.node) + 3;
    const bool is_left = x + room + text_width(label, chart_font) > chart.right();
    const double at = is_left ? x - room : x + room;
    LabelPlace place{is_left ? at - text_width(label, chart_font) : at,
                     is_left ? at : at + text_width(label, chart_font), chart.y(point.rate) + 4};
    if (place.left < chart.left() || !is_free(taken, place)) continue;
    chart.canvas().text(at, place.y, label, SvgLook::value, is_left ? SvgAnchor::end : SvgAnchor::start);
    taken.push_back(place);
  }
}

std::string limits_note(const MachineLimits& limits) {
  return fmt::format(
      "limits measured with {}: multiply-adds of float32 in registers ({}); a triad over {}. Above the slope: from "
      "caches",
      counted(limits.threads, "thread"), printable(limits.instructions, 20), human_bytes(limits.buffer_bytes));
}

}  // namespace

std::optional<ProfileFigure> roofline_figure(const ProfileReport& report) {
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
  std::vector<LabelPlace> taken;
  for (const RooflineRow& row : rows) label_points(chart, row, taken);
  return ProfileFigure{"roofline.svg", text.title, chart.finished()};
}

}  // namespace culprit
