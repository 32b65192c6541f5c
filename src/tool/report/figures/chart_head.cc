#include "report/figures/chart_head.h"

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr double legend_height = 20, swatch = 11, legend_top = 62;
constexpr int legend_columns = 34;

double legend_width(const ChartLegend& entry) { return swatch + 5 + text_width(entry.label, chart_font) + 16; }

}  // namespace

LegendLines legend_lines(const std::vector<ChartLegend>& legend) {
  LegendLines lines;
  double used = chart_width;
  for (ChartLegend entry : legend) {
    entry.label = cut_middle(printable(entry.label), legend_columns);
    if (used + legend_width(entry) > chart_width - chart_margin) {
      lines.emplace_back();
      used = chart_margin;
    }
    used += legend_width(entry);
    lines.back().push_back(std::move(entry));
  }
  return lines;
}

double height_of_head(const LegendLines& legend) {
  return legend_top + legend_height * static_cast<double>(legend.size());
}

void draw_chart_head(SvgCanvas& canvas, std::string_view title, std::string_view subtitle, const LegendLines& legend) {
  canvas.text(chart_margin, 28, title, SvgLook::title);
  canvas.text(chart_margin, 47, subtitle, SvgLook::faint);
  double y = legend_top;
  for (const auto& line : legend) {
    double left = chart_margin;
    for (const ChartLegend& entry : line) {
      canvas.bar(left, y, swatch, swatch, entry.colour);
      canvas.text(left + swatch + 5, y + 10, entry.label, SvgLook::text);
      left += legend_width(entry);
    }
    y += legend_height;
  }
}

}  // namespace culprit
