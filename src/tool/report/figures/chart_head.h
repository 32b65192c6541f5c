#pragma once
// What stands above the plot of every chart: its title, what it was measured on, and what the colours mean.

#include <string>
#include <string_view>
#include <vector>

#include "report/figures/svg.h"

namespace culprit {

inline constexpr double chart_width = 860, chart_margin = 16, chart_font = 12;

struct ChartLegend {
  std::string label;
  int colour = 0;
};

using LegendLines = std::vector<std::vector<ChartLegend>>;

/// The labels cut, and in as many lines as they need.
LegendLines legend_lines(const std::vector<ChartLegend>& legend);
/// y, below the last line of the legend.
double height_of_head(const LegendLines& legend);
void draw_chart_head(SvgCanvas& canvas, std::string_view title, std::string_view subtitle, const LegendLines& legend);

}  // namespace culprit
