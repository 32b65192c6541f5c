#pragma once
// A chart of two numbers: an axis below and one on the left, and curves and points between them.

#include <string>
#include <vector>

#include "report/figures/axis.h"
#include "report/figures/chart_head.h"
#include "report/figures/svg.h"

namespace culprit {

struct PlaneText {
  std::string title;      ///< "Time of single runs"
  std::string subtitle;   ///< what it was measured on
  std::string below;      ///< what the axis below tells
  std::string left;       ///< what the axis on the left tells; stands above it
  std::string note = {};  ///< a line below it all
};

class PlaneChart {
 public:
  PlaneChart(const PlaneText& text, ChartAxis below, ChartAxis left, const std::vector<ChartLegend>& legend = {});

  [[nodiscard]] double x(double value) const;
  [[nodiscard]] double y(double value) const;
  [[nodiscard]] double left() const { return left_; }
  [[nodiscard]] double right() const { return right_; }
  [[nodiscard]] double top() const { return top_; }
  [[nodiscard]] double bottom() const { return bottom_; }
  SvgCanvas& canvas() { return canvas_; }
  [[nodiscard]] std::string finished() const { return canvas_.finished(); }

 private:
  PlaneChart(const PlaneText& text, ChartAxis below, ChartAxis left, const LegendLines& legend);
  void draw_axes(const PlaneText& text);

  ChartAxis below_, beside_;
  double left_, right_, top_, bottom_;
  SvgCanvas canvas_;
};

}  // namespace culprit
