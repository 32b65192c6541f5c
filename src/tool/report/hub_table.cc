#include "report/hub_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

/// "1,3,224,224 -> 1,1000"; a size without a name is "?".
std::string shapes_of(const std::vector<HubPort>& ports) {
  constexpr std::size_t most = 4;
  std::vector<std::string> shapes;
  for (const HubPort& port : ports) {
    if (shapes.size() == most) {
      shapes.emplace_back("...");
      break;
    }
    std::vector<std::string> sizes;
    sizes.reserve(port.shape.size());
    for (const std::string& size : port.shape) sizes.push_back(size.empty() ? "?" : printable(size, 40));
    shapes.push_back(sizes.empty() ? "scalar" : join(sizes, ","));
  }
  return join(shapes, "; ");
}

std::vector<std::string> cells_of(const HubModel& model) {
  const std::string tags = printable(join(model.tags, ", "), 60);
  const bool has_ports = !model.inputs.empty() || !model.outputs.empty();
  return {printable(model.name, 60),
          model.opset > 0 ? std::to_string(model.opset) : "?",
          model.file.bytes ? human_bytes(*model.file.bytes) : "?",
          model.with_data ? "yes" : "-",
          tags.empty() ? "-" : tags,
          has_ports ? shapes_of(model.inputs) + " -> " + shapes_of(model.outputs) : "?"};
}

}  // namespace

std::string hub_as_text(const std::vector<HubModel>& models, int width) {
  if (models.empty()) return "no model\n";
  std::vector<std::vector<std::string>> rows{{"name", "opset", "size", "data", "tags", "inputs -> outputs"}};
  rows.reserve(models.size() + 1);
  for (const HubModel& model : models) rows.push_back(cells_of(model));
  std::vector<int> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_last = i + 1 == row.size(), is_number = i == 1 || i == 2;
      const int left = std::max(width - display_width(line), 20);  // for the last one
      line += is_last ? cut_middle(row[i], left)
                      : (is_number ? pad_left(row[i], widths[i]) : pad_right(row[i], widths[i])) + "  ";
    }
    text += line + "\n";
  }
  return text + fmt::format("{}\n", counted(static_cast<std::int64_t>(models.size()), "model"));
}

}  // namespace culprit
