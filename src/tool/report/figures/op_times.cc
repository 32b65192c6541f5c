// Which operator types the time goes to.
#include <algorithm>
#include <cmath>
#include <map>

#include "report/figures/figures.h"
#include "report/figures/row_chart.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

struct TimeUnit {
  const char* name;
  double in_seconds;
};

TimeUnit unit_for(double seconds) {
  if (seconds < 1e-3) return {"us", 1e-6};
  return seconds < 1 ? TimeUnit{"ms", 1e-3} : TimeUnit{"s", 1};
}

double sum_of(const std::vector<OpTime>& ops) {
  double sum = 0;
  for (const OpTime& op : ops) sum += op.seconds;
  return sum;
}

/// The types that most time goes to, as a mean of their shares over the entries: as many as there are colours, and one
/// more where there are more.
std::vector<std::string> slowest_types(const std::vector<std::vector<OpTime>>& entries) {
  std::map<std::string, double> shares;
  for (const auto& ops : entries)
    for (const OpTime& op : ops) shares[op.op] += op.share;
  std::vector<std::pair<std::string, double>> ordered(shares.begin(), shares.end());
  std::ranges::stable_sort(ordered, [](const auto& one, const auto& other) { return one.second > other.second; });
  std::vector<std::string> types;
  for (const auto& [op, share] : ordered)
    if (types.size() <= series_colours) types.push_back(op);
  return types;
}

std::vector<RowChart::Piece> pieces_of(const std::vector<OpTime>& ops, const std::vector<std::string>& types,
                                       double in_seconds) {
  std::vector<RowChart::Piece> pieces;
  double rest = sum_of(ops);
  for (std::size_t i = 0; i < std::min<std::size_t>(types.size(), series_colours); ++i) {
    const auto found = std::ranges::find(ops, types[i], &OpTime::op);
    if (found == ops.end()) continue;
    pieces.push_back({found->seconds / in_seconds, static_cast<int>(i), short_seconds(found->seconds)});
    rest -= found->seconds;
  }
  pieces.push_back({std::max(rest, 0.0) / in_seconds, colour_of_rest, short_seconds(std::max(rest, 0.0))});
  return pieces;
}

}  // namespace

std::optional<Figure> op_times_figure(const ProfileReport& report) {
  std::vector<const ProfileEntry*> entries;
  std::vector<std::vector<OpTime>> times;
  double longest = 0;
  for (const ProfileEntry& entry : report.entries) {
    if (!entry.nodes || entry.nodes->nodes.empty()) continue;
    entries.push_back(&entry);
    times.push_back(op_times(*entry.nodes));
    longest = std::max(longest, sum_of(times.back()));
  }
  if (longest <= 0) return std::nullopt;
  const auto types = slowest_types(times);
  std::vector<ChartLegend> legend;
  for (std::size_t i = 0; i < types.size(); ++i) legend.push_back({types[i], static_cast<int>(i)});
  if (types.size() > series_colours) legend.back() = {"other types", colour_of_rest};
  const TimeUnit unit = unit_for(longest);
  const ChartText text = {.title = "Time by operator type",
                          .subtitle = subtitle_of(report),
                          .axis = "time in nodes, of one run",
                          .value_room = 90};
  RowChart chart(text, rows_of(entries), ChartAxis::linear(0, longest / unit.in_seconds, unit.name), legend);
  for (std::size_t row = 0; row < entries.size(); ++row)
    chart.stack(row, pieces_of(times[row], types, unit.in_seconds), short_seconds(sum_of(times[row])));
  return Figure{"op_times.svg", text.title, chart.finished()};
}

}  // namespace culprit
