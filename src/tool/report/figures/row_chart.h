#pragma once
// A chart with a row for each entry, which holds with one entry as with twenty, and with long names: names on the left,
// the values on a common axis, what they are in words beside them.

#include <string>
#include <vector>

#include "record/profile.h"
#include "report/figures/axis.h"
#include "report/figures/chart_head.h"
#include "report/figures/svg.h"

namespace culprit {

struct ChartRow {
  std::string label;
  double room_above = 0;  ///< pixels: it begins a group
};

struct ChartText {
  std::string title;          ///< "Time against the baseline"
  std::string subtitle;       ///< what it was measured on
  std::string axis;           ///< what the axis tells
  std::string axis_low = {};  ///< what lies at its ends
  std::string axis_high = {};
  double value_room = 0;  ///< pixels right of the axis, for words
  double room_above = 0;  ///< pixels between the head and the rows
};

class RowChart {
 public:
  RowChart(const ChartText& text, const std::vector<ChartRow>& rows, ChartAxis axis,
           const std::vector<ChartLegend>& legend = {});

  static constexpr double bar_height = 16;

  [[nodiscard]] double x(double value) const;
  [[nodiscard]] double right() const;                     ///< where the axis ends
  [[nodiscard]] double middle_of(std::size_t row) const;  ///< y
  [[nodiscard]] double top() const;                       ///< of the plot
  [[nodiscard]] double bottom() const;
  SvgCanvas& canvas() { return canvas_; }

  /// From 0, and what it is in words behind it; of a negative value the words stand right of 0.
  void bar(std::size_t row, double value, int colour, const std::string& words);
  /// Bars one behind the other; each with its words where they fit.
  struct Piece {
    double value = 0;
    int colour = 0;
    std::string words;
  };
  void stack(std::size_t row, const std::vector<Piece>& pieces, const std::string& words);
  /// Right of the axis.
  void words(std::size_t row, const std::string& words);
  [[nodiscard]] std::string finished() const { return canvas_.finished(); }

 private:
  struct Places {
    double left = 0, right = 0, top = 0, bottom = 0, height = 0;
    std::vector<double> rows;
    LegendLines legend;
  };
  RowChart(const ChartText& text, const std::vector<ChartRow>& rows, ChartAxis axis, Places places);
  static Places places_of(const ChartText& text, const std::vector<ChartRow>& rows,
                          const std::vector<ChartLegend>& legend);
  void draw_axis(const ChartText& text);

  ChartAxis axis_;
  Places places_;
  SvgCanvas canvas_;
};

/// A row for each of these entries, or several with one name; models are kept apart.
std::vector<ChartRow> rows_of(const std::vector<const ProfileEntry*>& entries);
/// The models, in short.
std::string subtitle_of(const ProfileReport& report);

}  // namespace culprit
