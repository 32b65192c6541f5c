// OTX, figure 4: which types the nodes are of.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/figures/figures.h"
#include "report/figures/row_chart.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr std::size_t types_shown = 5;

RowChart::Piece type_piece(std::int64_t nodes, std::int64_t all, int colour) {
  const double share = 100 * static_cast<double>(nodes) / static_cast<double>(all);
  return {share, colour, fmt::format("{:.0f} %", share)};
}

bool has_others(const std::vector<const ProfileEntry*>& entries, const std::vector<std::string>& types) {
  for (const ProfileEntry* entry : entries)
    for (const auto& [op, nodes] : entry->graph.ops)
      if (nodes > 0 && std::ranges::find(types, op) == types.end()) return true;
  return false;
}

}  // namespace

std::optional<Figure> op_types_figure(const ProfileReport& report) {
  std::vector<const ProfileEntry*> entries;
  for (const ProfileEntry& entry : report.entries)
    if (nodes_in(entry.graph.ops) > 0) entries.push_back(&entry);
  if (entries.empty()) return std::nullopt;
  const auto types = top_op_types(report, types_shown);
  std::vector<ChartLegend> legend;
  for (std::size_t i = 0; i < types.size(); ++i) legend.push_back({types[i], static_cast<int>(i)});
  if (has_others(entries, types)) legend.push_back({"other types", colour_of_rest});
  const ChartText text = {
      .title = "Operator types", .subtitle = subtitle_of(report), .axis = "share of the nodes", .value_room = 90};
  RowChart chart(text, rows_of(entries), ChartAxis::linear(0, 100, "%"), legend);
  for (std::size_t row = 0; row < entries.size(); ++row) {
    const auto& ops = entries[row]->graph.ops;
    const std::int64_t all = nodes_in(ops);
    std::int64_t others = all;
    std::vector<RowChart::Piece> pieces;
    for (std::size_t i = 0; i < types.size(); ++i) {
      const auto found = ops.find(types[i]);
      if (found == ops.end()) continue;
      pieces.push_back(type_piece(found->second, all, static_cast<int>(i)));
      others -= found->second;
    }
    pieces.push_back(type_piece(others, all, colour_of_rest));
    chart.stack(row, pieces, counted(all, "node"));
  }
  return Figure{"op_types.svg", text.title, chart.finished()};
}

}  // namespace culprit
