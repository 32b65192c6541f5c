// OTX, figure 5, with intervals: how long an entry takes, against the baseline.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/figures/figures.h"
#include "report/figures/row_chart.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr double cap = 5, radius = 5;
constexpr double smallest_ratio_shown = 1e-3, largest_ratio_shown = 1e3;

bool can_be_drawn(const RatioRecord& ratio) {
  return std::isfinite(ratio.value) && ratio.value > 0 && std::isfinite(ratio.low) && std::isfinite(ratio.high);
}

bool is_shown(const ProfileEntry& entry) { return is_there(entry.ratio) || entry.verdict == SpeedVerdict::failed; }

/// Some room beyond the intervals, and always more than the band.
ChartAxis axis_of(const std::vector<const ProfileEntry*>& entries) {
  double low = 0.93, high = 1.07;
  for (const ProfileEntry* entry : entries) {
    if (!is_there(entry->ratio) || !can_be_drawn(entry->ratio)) continue;
    low = std::min({low, std::max(entry->ratio.low, smallest_ratio_shown) * 0.97,
                    std::max(entry->ratio.value, smallest_ratio_shown) * 0.97});
    high = std::max({high, std::min(entry->ratio.high, largest_ratio_shown) * 1.03,
                     std::min(entry->ratio.value, largest_ratio_shown) * 1.03});
  }
  return ChartAxis::ratios(low, high);
}

void draw_ratio(RowChart& chart, std::size_t row, const ProfileEntry& entry) {
  SvgCanvas& canvas = chart.canvas();
  const double y = chart.middle_of(row);
  const double left = chart.x(entry.ratio.low), right = chart.x(entry.ratio.high), at = chart.x(entry.ratio.value);
  if (entry.verdict != SpeedVerdict::baseline) {
    canvas.line(left, y, right, y, SvgLook::whisker);
    canvas.line(left, y - cap, left, y + cap, SvgLook::whisker);
    canvas.line(right, y - cap, right, y + cap, SvgLook::whisker);
  }
  if (entry.verdict == SpeedVerdict::ambiguous)
    canvas.dot(at, y, radius, SvgLook::hollow);
  else
    canvas.dot(at, y, radius,
               entry.verdict == SpeedVerdict::slower   ? colour_of_slower
               : entry.verdict == SpeedVerdict::faster ? colour_of_faster
                                                       : colour_of_same);
}

std::string words_of(const ProfileEntry& entry) {
  if (entry.verdict == SpeedVerdict::baseline) return "baseline, " + short_seconds(entry.seconds.median);
  if (entry.verdict == SpeedVerdict::failed) return verdict_words(entry);
  return (can_be_drawn(entry.ratio) ? ratio_text(entry.ratio) : "no number") + ", " + verdict_words(entry);
}

}  // namespace

std::optional<Figure> ratio_figure(const ProfileReport& report) {
  std::vector<const ProfileEntry*> entries;
  for (const ProfileEntry& entry : report.entries)
    if (is_shown(entry)) entries.push_back(&entry);
  const bool is_compared = std::ranges::any_of(
      entries, [](const ProfileEntry* e) { return e->verdict != SpeedVerdict::baseline && is_there(e->ratio); });
  if (!is_compared) return std::nullopt;
  const ChartText text = {.title = "Time against the baseline",
                          .subtitle = subtitle_of(report),
                          .axis = "time / baseline's (logarithmic)",
                          .axis_low = "\u2190 faster",
                          .axis_high = "slower \u2192",
                          .value_room = 250,
                          .room_above = 18};
  RowChart chart(text, rows_of(entries), axis_of(entries));
  const double left = chart.x(1 - same_within), right = chart.x(1 + same_within);
  chart.canvas().rect(left, chart.top(), right - left, chart.bottom() - chart.top(), SvgLook::band);
  chart.canvas().text((left + right) / 2, chart.top() - 4, fmt::format("\u00B1{:g} %: the same", 100 * same_within),
                      SvgLook::faint, SvgAnchor::middle);
  chart.canvas().line(chart.x(1), chart.top(), chart.x(1), chart.bottom(), SvgLook::zero);
  for (std::size_t row = 0; row < entries.size(); ++row) {
    if (is_there(entries[row]->ratio) && can_be_drawn(entries[row]->ratio)) draw_ratio(chart, row, *entries[row]);
    chart.words(row, words_of(*entries[row]));
  }
  return Figure{"ratio.svg", text.title, chart.finished()};
}

}  // namespace culprit
