#include "report/figures/square_plot.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/figures/axis.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr double plot_width = 860, plot_left = 60, plot_top = 88, plot_side = 420;
constexpr double plot_bottom = plot_top + plot_side, height_of_square = plot_bottom + 52;
constexpr double legend_left = plot_left + plot_side + 30, line_height = 20, line_swatch = 11;
constexpr int plot_legend_columns = 46;

}  // namespace

SquarePlot::SquarePlot(const ChartText& text, const std::string& up, const std::vector<ChartLegend>& legend,
                       const std::vector<std::string>& notes)
    : canvas_(plot_width, height_of_square, text.title, text.subtitle + "; " + up + " against " + text.axis) {
  canvas_.text(16, 28, text.title, SvgLook::title);
  canvas_.text(16, 47, text.subtitle, SvgLook::faint);
  draw_axes(text, up);
  double at = plot_top + 10;
  for (const ChartLegend& entry : legend) {
    canvas_.bar(legend_left, at - 10, line_swatch, line_swatch, entry.colour);
    canvas_.text(legend_left + line_swatch + 6, at, cut_middle(printable(entry.label), plot_legend_columns),
                 SvgLook::text);
    at += line_height;
  }
  at += 8;
  for (const std::string& note : notes) {
    canvas_.text(legend_left, at, note, SvgLook::faint);
    at += line_height - 4;
  }
}

void SquarePlot::draw_axes(const ChartText& text, const std::string& up) {
  const ChartAxis axis = ChartAxis::linear(0, 1, "");
  for (const ChartTick& tick : axis.ticks()) {
    canvas_.line(x(tick.value), plot_top, x(tick.value), plot_bottom, SvgLook::grid);
    canvas_.line(plot_left, y(tick.value), plot_left + plot_side, y(tick.value), SvgLook::grid);
    canvas_.text(x(tick.value), plot_bottom + 16, tick.label, SvgLook::faint, SvgAnchor::middle);
    canvas_.text(plot_left - 8, y(tick.value) + 4, tick.label, SvgLook::faint, SvgAnchor::end);
  }
  canvas_.text(plot_left - 8, plot_top - 12, "\u2191 " + up, SvgLook::faint);
  canvas_.text(plot_left + plot_side, plot_bottom + 35, text.axis + " \u2192", SvgLook::faint, SvgAnchor::end);
}

double SquarePlot::x(double share) { return plot_left + std::clamp(share, 0.0, 1.0) * plot_side; }
double SquarePlot::y(double share) { return plot_bottom - std::clamp(share, 0.0, 1.0) * plot_side; }

void SquarePlot::curve(const std::vector<std::pair<double, double>>& points, int colour) {
  std::vector<SvgPoint> places;
  places.reserve(points.size());
  for (const auto& [across, up] : points)
    if (std::isfinite(across) && std::isfinite(up)) places.push_back({x(across), y(up)});
  canvas_.curve(places, colour);
}

void SquarePlot::diagonal() { canvas_.line(x(0), y(0), x(1), y(1), SvgLook::zero); }

}  // namespace culprit
