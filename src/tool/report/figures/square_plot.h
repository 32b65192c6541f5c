#pragma once
// A plot of shares against shares, both from 0 to 1, with a line for each model. Names and what they come to stand on
// the right, one below the other.

#include <string>
#include <utility>
#include <vector>

#include "report/figures/row_chart.h"
#include "report/figures/svg.h"

namespace culprit {

class SquarePlot {
 public:
  /// `up`: what the vertical axis tells; text.axis: the horizontal one. `notes` stand below the legend, a line each.
  SquarePlot(const ChartText& text, const std::string& up, const std::vector<ChartLegend>& legend,
             const std::vector<std::string>& notes);

  [[nodiscard]] static double x(double share);
  [[nodiscard]] static double y(double share);
  /// Shares; what is not finite is left out.
  void curve(const std::vector<std::pair<double, double>>& points, int colour);
  /// From one corner to the other.
  void diagonal();
  SvgCanvas& canvas() { return canvas_; }
  [[nodiscard]] std::string finished() const { return canvas_.finished(); }

 private:
  void draw_axes(const ChartText& text, const std::string& up);

  SvgCanvas canvas_;
};

}  // namespace culprit
