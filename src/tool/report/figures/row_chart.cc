#include "report/figures/row_chart.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/layout.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr double width = chart_width, font = chart_font;
constexpr double row_height = 26, axis_height = 44;
constexpr double gap_of_models = 12, gap_of_entries = 5;
constexpr double least_labels = 60, most_labels = 220;
constexpr int label_columns = 28;
constexpr std::size_t models_named = 2;

}  // namespace

RowChart::Places RowChart::places_of(const ChartText& text, const std::vector<ChartRow>& rows,
                                     const std::vector<ChartLegend>& legend) {
  Places places;
  double labels = least_labels;
  for (const ChartRow& row : rows) labels = std::max(labels, text_width(cut_middle(row.label, label_columns), font));
  places.left = chart_margin + std::min(labels, most_labels) + 8;
  places.right = width - chart_margin - text.value_room;
  places.legend = legend_lines(legend);
  places.top = height_of_head(places.legend) + text.room_above;
  double y = places.top;
  for (const ChartRow& row : rows) {
    y += row.room_above;
    places.rows.push_back(y + row_height / 2);
    y += row_height;
  }
  places.bottom = y + 4;
  places.height = places.bottom + axis_height;
  return places;
}

RowChart::RowChart(const ChartText& text, const std::vector<ChartRow>& rows, ChartAxis axis,
                   const std::vector<ChartLegend>& legend)
    : RowChart(text, rows, std::move(axis), places_of(text, rows, legend)) {}

RowChart::RowChart(const ChartText& text, const std::vector<ChartRow>& rows, ChartAxis axis, Places places)
    : axis_(std::move(axis)),
      places_(std::move(places)),
      canvas_(width, places_.height, text.title, text.subtitle + "; " + text.axis) {
  draw_chart_head(canvas_, text.title, text.subtitle, places_.legend);
  draw_axis(text);
  for (std::size_t i = 0; i < rows.size(); ++i)
    canvas_.text(places_.left - 8, places_.rows[i] + 4, cut_middle(printable(rows[i].label), label_columns),
                 SvgLook::text, SvgAnchor::end);
}

void RowChart::draw_axis(const ChartText& text) {
  for (const ChartTick& tick : axis_.ticks()) {
    canvas_.line(x(tick.value), top(), x(tick.value), bottom(), SvgLook::grid);
    canvas_.text(x(tick.value), bottom() + 16, tick.label, SvgLook::faint, SvgAnchor::middle);
  }
  const double y = bottom() + 35;
  canvas_.text((places_.left + places_.right) / 2, y, text.axis, SvgLook::faint, SvgAnchor::middle);
  canvas_.text(places_.left, y, text.axis_low, SvgLook::faint);
  canvas_.text(places_.right, y, text.axis_high, SvgLook::faint, SvgAnchor::end);
}

double RowChart::x(double value) const { return places_.left + axis_.position(value) * (places_.right - places_.left); }
double RowChart::middle_of(std::size_t row) const { return places_.rows.at(row); }
double RowChart::top() const { return places_.top; }
double RowChart::bottom() const { return places_.bottom; }

void RowChart::bar(std::size_t row, double value, int colour, const std::string& words) {
  const double from = std::min(x(0), x(value)), to = std::max(x(0), x(value));
  canvas_.bar(from, middle_of(row) - bar_height / 2, to - from, bar_height, colour);
  canvas_.text(to + 6, middle_of(row) + 4, words, SvgLook::value);
}

void RowChart::stack(std::size_t row, const std::vector<Piece>& pieces, const std::string& words) {
  double sum = 0;
  for (const Piece& piece : pieces) {
    const double from = x(sum), to = x(sum + piece.value);
    sum += piece.value;
    canvas_.bar(from, middle_of(row) - bar_height / 2, std::max(0.0, to - from - 1), bar_height, piece.colour);
    if (to - from > text_width(piece.words, font - 1) + 6)
      canvas_.text((from + to) / 2, middle_of(row) + 4, piece.words,
                   is_dark(piece.colour) ? SvgLook::on_dark_bar : SvgLook::on_bar, SvgAnchor::middle);
  }
  canvas_.text(x(sum) + 6, middle_of(row) + 4, words, SvgLook::value);
}

void RowChart::words(std::size_t row, const std::string& words) {
  canvas_.text(places_.right + 10, middle_of(row) + 4, words, SvgLook::value);
}

std::vector<ChartRow> rows_of(const std::vector<const ProfileEntry*>& entries) {
  std::set<const ProfileEntry*> different(entries.begin(), entries.end());
  const double gap = different.size() < entries.size() ? gap_of_entries : 0;
  std::vector<ChartRow> rows;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == 0 || entries[i]->model != entries[i - 1]->model)
      rows.push_back({printable(entries[i]->name), i == 0 ? 0 : gap_of_models});
    else if (entries[i] != entries[i - 1])
      rows.push_back({printable(entries[i]->name), gap});
    else
      rows.emplace_back();
  }
  return rows;
}

std::string subtitle_of(const ProfileReport& report) {
  const auto models = models_of(report);
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(models.size(), models_named); ++i)
    named.push_back(cut_path(printable(models[i]), models.size() > 1 ? 42 : 84));
  if (models.size() > models_named)
    named.push_back(counted(static_cast<std::int64_t>(models.size() - models_named), "more model"));
  return join(named, ", ");
}

}  // namespace culprit
