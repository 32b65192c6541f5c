// OTX, figure 3: by how much the number of nodes changes.
#include <fmt/format.h>

#include <algorithm>

#include "report/console_parts.h"
#include "report/figures/figures.h"
#include "report/figures/row_chart.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

std::string words_of(const ProfileEntry& entry, const ProfileEntry& original, double change) {
  std::string words = counted(entry.graph.nodes, "node");
  if (&entry != &original) words = fmt::format("{:+.0f} %, ", change) + words;
  return words + (entry.verdict == SpeedVerdict::failed ? ", fails" : "");
}

}  // namespace

std::optional<Figure> node_count_figure(const ProfileReport& report) {
  std::vector<const ProfileEntry*> entries;
  std::vector<double> changes;
  double low = 0, high = 0;
  for (const ProfileEntry& entry : report.entries) {
    const ProfileEntry* original = original_of(report, entry);
    const auto change = original == nullptr ? std::nullopt : node_change(entry, *original);
    if (!change) continue;
    entries.push_back(&entry);
    changes.push_back(*change);
    low = std::min(low, *change);
    high = std::max(high, *change);
  }
  if (entries.empty()) return std::nullopt;
  if (low == 0 && high == 0) low = -10;  // so that 0 does not stand at the end
  const ChartText text = {.title = "Nodes of the graph, against the original",
                          .subtitle = subtitle_of(report),
                          .axis = "change of the number of nodes",
                          .value_room = 170};
  RowChart chart(text, rows_of(entries), ChartAxis::linear(low, high, "%"));
  for (std::size_t i = 0; i < entries.size(); ++i)
    chart.bar(i, changes[i], changes[i] > 0 ? colour_of_slower : colour_of_faster,
              words_of(*entries[i], *original_of(report, *entries[i]), changes[i]));
  chart.canvas().line(chart.x(0), chart.top(), chart.x(0), chart.bottom(), SvgLook::zero);
  return Figure{"node_count.svg", text.title, chart.finished()};
}

}  // namespace culprit
