#include "report/figures/plane_chart.h"

#include <algorithm>
#include <utility>

namespace culprit {
namespace {

constexpr double plot_height = 360, room_for_axis = 44, room_for_title_of_left = 22;
constexpr double least_room_left = 40, room_for_note = 18;

double room_left_of(const ChartAxis& axis) {
  double room = least_room_left;
  for (const ChartTick& tick : axis.ticks()) room = std::max(room, text_width(tick.label, chart_font));
  return chart_margin + room + 8;
}

}  // namespace

PlaneChart::PlaneChart(const PlaneText& text, ChartAxis below, ChartAxis left, const std::vector<ChartLegend>& legend)
    : PlaneChart(text, std::move(below), std::move(left), legend_lines(legend)) {}

PlaneChart::PlaneChart(const PlaneText& text, ChartAxis below, ChartAxis left, const LegendLines& legend)
    : below_(std::move(below)),
      beside_(std::move(left)),
      left_(room_left_of(beside_)),
      right_(chart_width - 2 * chart_margin),
      top_(height_of_head(legend) + room_for_title_of_left),
      bottom_(top_ + plot_height),
      canvas_(chart_width, bottom_ + room_for_axis + (text.note.empty() ? 0 : room_for_note), text.title,
              text.subtitle + "; below: " + text.below + "; left: " + text.left) {
  draw_chart_head(canvas_, text.title, text.subtitle, legend);
  draw_axes(text);
}

void PlaneChart::draw_axes(const PlaneText& text) {
  for (const ChartTick& tick : below_.ticks()) {
    canvas_.line(x(tick.value), top_, x(tick.value), bottom_, SvgLook::grid);
    canvas_.text(x(tick.value), bottom_ + 16, tick.label, SvgLook::faint, SvgAnchor::middle);
  }
  for (const ChartTick& tick : beside_.ticks()) {
    canvas_.line(left_, y(tick.value), right_, y(tick.value), SvgLook::grid);
    canvas_.text(left_ - 8, y(tick.value) + 4, tick.label, SvgLook::faint, SvgAnchor::end);
  }
  canvas_.text((left_ + right_) / 2, bottom_ + 35, text.below, SvgLook::faint, SvgAnchor::middle);
  canvas_.text(chart_margin, top_ - 9, text.left, SvgLook::faint);
  canvas_.text(chart_margin, bottom_ + 53, text.note, SvgLook::faint);
}

double PlaneChart::x(double value) const { return left_ + below_.position(value) * (right_ - left_); }
double PlaneChart::y(double value) const { return bottom_ - beside_.position(value) * (bottom_ - top_); }

}  // namespace culprit
