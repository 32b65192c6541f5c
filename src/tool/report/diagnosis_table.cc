#include "report/diagnosis_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t around_fault = 2;  // layers before and behind it
constexpr std::size_t layer_columns = 6;

using LayerCells = std::array<std::string, layer_columns>;

std::string short_name(const LayerRef& layer) {
  if (layer.number < 0) return "-";
  const std::string name = printable(layer.name, 80), type = printable(layer.type, 40);
  return name.empty() || name == type ? type : type + " " + name;
}

std::string error_cell(const std::optional<double>& value) { return value ? fmt::format("{:.1e}", *value) : "-"; }

LayerCells cells_of(const LayerRow& row) {
  return {short_name(row.source),      short_name(row.target), error_cell(row.error),
          error_cell(row.error_alone), error_cell(row.floor),  row.fault};
}

std::vector<bool> rows_to_show(const std::vector<LayerRow>& layers, bool all) {
  std::vector<bool> shown(layers.size(), all);
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i].fault.empty()) continue;
    const std::size_t begin = i < around_fault ? 0 : i - around_fault;
    const std::size_t end = std::min(layers.size(), i + around_fault + 1);
    for (std::size_t near = begin; near < end; ++near) shown[near] = true;
  }
  return shown;
}

std::string layer_line(const LayerCells& cells, const std::array<int, layer_columns>& widths, bool is_faulty,
                       const ConsoleStyle& style) {
  std::string text = is_faulty ? "  ! " : "    ";
  for (std::size_t i = 0; i < layer_columns; ++i) {
    const std::string cell = i < 2 ? cut_middle(cells[i], widths[i]) : cells[i];
    if (i > 0) text += "  ";
    text += i < 2 || i + 1 == layer_columns ? pad_right(cell, widths[i]) : pad_left(cell, widths[i]);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return (is_faulty ? painted(text, Ink::bad, style.colour) : text) + "\n";
}

/// Names get what the numbers leave.
std::array<int, layer_columns> widths_of_layers(const std::vector<LayerCells>& rows, int width) {
  std::array<int, layer_columns> widths{};
  for (const LayerCells& row : rows)
    for (std::size_t i = 0; i < layer_columns; ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  int left = width - 4 - 2 * static_cast<int>(layer_columns - 1);
  for (std::size_t i = 2; i < layer_columns; ++i) left -= widths[i];
  const int half = std::max(8, left / 2);
  if (widths[0] + widths[1] > left) {
    widths[0] = std::min(widths[0], std::max(half, left - widths[1]));
    widths[1] = std::min(widths[1], std::max(8, left - widths[0]));
  }
  return widths;
}

}  // namespace

std::string layers_table(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  const auto shown = rows_to_show(diagnosis.layers, style.verbose);
  if (std::ranges::find(shown, true) == shown.end()) return "";
  std::vector<LayerCells> rows{{"layer", "target", "error", "alone", "expected", ""}};
  for (std::size_t i = 0; i < shown.size(); ++i)
    if (shown[i]) rows.push_back(cells_of(diagnosis.layers[i]));
  const auto widths = widths_of_layers(rows, style.width);
  std::string text = "\n" + layer_line(rows.front(), widths, false, style);
  std::size_t row = 1;
  bool is_gap = false;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown[i]) text += layer_line(rows[row++], widths, !diagnosis.layers[i].fault.empty(), style);
    if (!shown[i] && !is_gap) text += "    ...\n";
    is_gap = !shown[i];
  }
  return text;
}

}  // namespace culprit
