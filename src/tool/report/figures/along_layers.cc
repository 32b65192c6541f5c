// What a conversion did along the layers of the source: how far each output is off, and each parameter.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "base/text.h"
#include "report/diagnosis_figures.h"
#include "report/figures/plane_chart.h"
#include "report/layout.h"
#include "report/repair_figures.h"

namespace culprit {
namespace {

constexpr double layer_dot = 2.5, fault_line_step = 15;
constexpr int columns_of_fault_layer = 26, columns_of_file = 40;
constexpr std::size_t most_dots = 200;  // more would be one band
constexpr int colour_as_it_came = 5, colour_alone = 0, colour_of_floor = 6;
constexpr double least_decades = 2;

/// A number of each layer that has one.
struct LayerNumber {
  int layer = 0;
  double value = 0;
};

/// The decades that hold all positive numbers, and one below for what is 0.
class Decades {
 public:
  void take(double value) {
    if (!std::isfinite(value) || value <= 0) return;
    low_ = low_ > 0 ? std::min(low_, value) : value;
    high_ = std::max(high_, value);
  }
  [[nodiscard]] bool is_empty() const { return low_ <= 0; }
  [[nodiscard]] double low() const { return std::pow(10, std::floor(std::log10(low_)) - 1); }
  /// One more above, for words.
  [[nodiscard]] double high() const {
    return std::max(std::pow(10, std::ceil(std::log10(high_)) + 1), low() * std::pow(10, least_decades));
  }

 private:
  double low_ = 0, high_ = 0;
};

std::string tick_of_size(double value) { return fmt::format("{:.0e}", value); }

std::string subtitle_of(const Diagnosis& diagnosis) {
  const auto file = [](const NetworkFacts& facts) {
    return cut_middle(printable(std::filesystem::path(facts.path).filename().string()), columns_of_file);
  };
  return fmt::format("{} and what was converted of it, {}", file(diagnosis.source), file(diagnosis.target));
}

class LayersChart {
 public:
  LayersChart(const Diagnosis& diagnosis, const PlaneText& text, const Decades& decades,
              const std::vector<ChartLegend>& legend)
      : low_(decades.low()),
        chart_(text, ChartAxis::linear(0, static_cast<double>(diagnosis.layers.size()), ""),
               ChartAxis::logarithmic(decades.low(), decades.high(), tick_of_size), legend) {}

  /// Lines between neighbours: what lies between layers without a number is not known.
  void series(const std::vector<LayerNumber>& numbers, int colour, bool has_dots) {
    std::vector<SvgPoint> line;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      line.push_back({x_of(numbers[i].layer), y_of(numbers[i].value)});
      const bool goes_on = i + 1 < numbers.size() && numbers[i + 1].layer == numbers[i].layer + 1;
      if (goes_on) continue;
      if (line.size() > 1) chart_.canvas().curve(line, colour);
      if (has_dots || line.size() == 1)
        for (const SvgPoint& point : line) chart_.canvas().dot(point.x, point.y, layer_dot, colour);
      line.clear();
    }
  }

  /// From the ground up.
  void columns(const std::vector<LayerNumber>& numbers, const std::function<int(int)>& colour_of_layer) {
    for (const LayerNumber& one : numbers) {
      const double y = y_of(one.value);
      chart_.canvas().bar(x_of(one.layer) - 1.5, y, 3, chart_.bottom() - y, colour_of_layer(one.layer));
      chart_.canvas().dot(x_of(one.layer), y, layer_dot, colour_of_layer(one.layer));
    }
  }

  /// A line at the first layer of each fault, with what is wrong there.
  void faults(const Diagnosis& diagnosis) {
    std::set<std::string> told;
    std::size_t number = 0;
    for (const LayerRow& row : diagnosis.layers) {
      if (row.fault.empty() || !told.insert(row.fault).second) continue;
      const double x = x_of(row.source.number),
                   y = chart_.top() + 12 + fault_line_step * static_cast<double>(number++ % 4);
      chart_.canvas().line(x, chart_.top(), x, chart_.bottom(), SvgLook::zero);
      const bool is_right = x > (chart_.left() + chart_.right()) / 2;
      const std::string name = row.source.name.empty() ? row.source.type : row.source.name;
      chart_.canvas().text(is_right ? x - 5 : x + 5, y,
                           row.fault + " " + cut_middle(printable(name), columns_of_fault_layer), SvgLook::value,
                           is_right ? SvgAnchor::end : SvgAnchor::start);
    }
  }

  [[nodiscard]] std::string finished() const { return chart_.finished(); }

 private:
  [[nodiscard]] double x_of(int layer) const { return chart_.x(layer + 0.5); }
  [[nodiscard]] double y_of(double value) const { return chart_.y(std::max(value, low_)); }

  double low_;
  PlaneChart chart_;
};

/// The last series is named only where it is drawn.
std::vector<ChartLegend> legend_of(std::vector<ChartLegend> series, bool has_floor) {
  if (has_floor) series.push_back({"expected rounding error", colour_of_floor});
  return series;
}

using LayerField = std::optional<double> LayerRow::*;

std::vector<LayerNumber> numbers_of(const Diagnosis& diagnosis, LayerField field, Decades& decades) {
  std::vector<LayerNumber> numbers;
  for (const LayerRow& row : diagnosis.layers) {
    if (!(row.*field) || !std::isfinite(*(row.*field))) continue;
    numbers.push_back({row.source.number, *(row.*field)});
    decades.take(numbers.back().value);
  }
  return numbers;
}

std::optional<Figure> error_along(const Diagnosis& diagnosis) {
  Decades decades;
  const auto came = numbers_of(diagnosis, &LayerRow::error, decades);
  const auto alone = numbers_of(diagnosis, &LayerRow::error_alone, decades);
  const auto floor = numbers_of(diagnosis, &LayerRow::floor, decades);
  if (decades.is_empty() || came.empty()) return std::nullopt;
  const PlaneText text{
      .title = "Error along the layers",
      .subtitle = subtitle_of(diagnosis),
      .below = "layers of the source, in its order",
      .left = "largest difference of the layer's output",
      .note = "A difference of 0 is drawn at the bottom. alone: the target is given right values after each fault."};
  LayersChart chart(diagnosis, text, decades,
                    legend_of({{"as it came", colour_as_it_came}, {"alone", colour_alone}}, !floor.empty()));
  const bool has_dots = came.size() <= most_dots;
  chart.faults(diagnosis);
  chart.series(floor, colour_of_floor, false);
  chart.series(came, colour_as_it_came, has_dots);
  chart.series(alone, colour_alone, has_dots);
  return Figure{"error_along.svg", text.title, chart.finished()};
}

std::optional<Figure> error_before_and_after(const Diagnosis& before, const Diagnosis& after) {
  Decades decades;
  const auto came = numbers_of(before, &LayerRow::error, decades);
  const auto mended = numbers_of(after, &LayerRow::error, decades);
  const auto floor = numbers_of(after, &LayerRow::floor, decades);
  if (decades.is_empty() || came.empty() || mended.empty()) return std::nullopt;
  const PlaneText text{.title = "Error along the layers, before and after the repair",
                       .subtitle = subtitle_of(before),
                       .below = "layers of the source, in its order",
                       .left = "largest difference of the layer's output",
                       .note = "A difference of 0 is drawn at the bottom."};
  LayersChart chart(before, text, decades,
                    legend_of({{"as it came", colour_as_it_came}, {"mended", colour_alone}}, !floor.empty()));
  const bool has_dots = came.size() <= most_dots;
  chart.faults(before);
  chart.series(floor, colour_of_floor, false);
  chart.series(came, colour_as_it_came, has_dots);
  chart.series(mended, colour_alone, has_dots);
  return Figure{"error_before_and_after.svg", text.title, chart.finished()};
}

std::optional<Figure> parameter_differences(const Diagnosis& diagnosis) {
  Decades decades;
  std::vector<LayerNumber> numbers;
  for (const MappedParameter& parameter : diagnosis.parameters) {
    if (!std::isfinite(parameter.mean_difference) || parameter.layer.number < 0) continue;
    numbers.push_back({parameter.layer.number, parameter.mean_difference});
    decades.take(parameter.mean_difference);
  }
  for (const ConversionFault& fault : diagnosis.faults) {  // in the right order of its elements
    const auto known = fault.evidence.number("mean_difference");
    if (!known || !std::isfinite(*known) || fault.source.number < 0) continue;
    numbers.push_back({fault.source.number, *known});
    decades.take(*known);
  }
  if (decades.is_empty()) return std::nullopt;
  const PlaneText text{
      .title = "Difference of parameters along the layers",
      .subtitle = subtitle_of(diagnosis),
      .below = "layers of the source, in its order",
      .left = "mean absolute difference of a parameter to what it should be",
      .note = "A difference of 0 is drawn at the bottom. A parameter that was not found in the target has no mark."};
  LayersChart chart(diagnosis, text, decades,
                    {{"of a faulty layer", colour_as_it_came}, {"of another layer", colour_alone}});
  std::vector<bool> is_faulty(diagnosis.layers.size(), false);
  for (const LayerRow& row : diagnosis.layers)
    if (!row.fault.empty() && row.source.number >= 0 && static_cast<std::size_t>(row.source.number) < is_faulty.size())
      is_faulty[static_cast<std::size_t>(row.source.number)] = true;
  chart.faults(diagnosis);
  chart.columns(numbers, [&](int layer) {
    const auto at = static_cast<std::size_t>(layer);
    return at < is_faulty.size() && is_faulty[at] ? colour_as_it_came : colour_alone;
  });
  return Figure{"parameter_differences.svg", text.title, chart.finished()};
}

}  // namespace

std::vector<Figure> figures_of(const Diagnosis& diagnosis) {
  std::vector<Figure> figures;
  for (const auto& draw : {error_along, parameter_differences})
    if (auto figure = draw(diagnosis)) figures.push_back(std::move(*figure));
  return figures;
}

std::vector<Figure> figures_of(const TargetRepair& repair) {
  std::vector<Figure> figures = figures_of(repair.before);
  if (repair.after)
    if (auto figure = error_before_and_after(repair.before, *repair.after)) figures.push_back(std::move(*figure));
  return figures;
}

}  // namespace culprit
