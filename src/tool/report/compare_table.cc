#include "report/compare_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t at_the_ends = 5;        // rows
constexpr std::size_t around_divergence = 4;  // before and behind it
constexpr int compared_op_width = 13, number_width = 8, state_width = 9;
constexpr int gaps = 2 + 5 * 2;

using ValueRow = std::array<std::string, 6>;

bool was_read(const ComparedValue& value) {
  return value.state != ValueState::fused && value.state != ValueState::gone && value.state != ValueState::not_read;
}

std::string ops_of(const ComparedValue& value) {
  const std::string a = printable(value.node_a.op, 40), b = printable(value.node_b.op, 40);
  return a == b || b.empty() || value.b.empty() ? a : a + "/" + b;
}

/// The error in words; where there is no distance, what differs.
std::string error_of(const Measurement& m) {
  if (m.mismatched == 0) return "0";
  if (m.form != FormChange::none) return m.form == FormChange::other ? "type" : "shape";
  if (m.nonfinite_mismatch > 0 && !std::isfinite(m.max_abs)) return "NaN/inf";
  if (m.max_abs == 0) return "differs";
  return fmt::format("{:.1e}", m.max_abs);
}

ValueRow row_of(const ComparedValue& value) {
  ValueRow row{printable(value.a), printable(value.b), ops_of(value), "", "", std::string(words_of(value.state))};
  if (value.state == ValueState::fused)
    row[1] = "in " + printable(value.node_b.op, 40) + " " + printable(value.node_b.output);
  if (!was_read(value)) return row;
  const Measurement& m = value.measurement;
  row[3] = error_of(m);
  row[4] = has_distance(m) ? fmt::format("{:.1e}", m.floor) : "";
  return row;
}

std::string line_of(const ValueRow& row, int name_width, Ink ink, bool colour) {
  std::string text = "  " + pad_right(cut_middle(row[0], name_width), name_width) + "  " +
                     pad_right(cut_middle(row[1], name_width), name_width) + "  " +
                     pad_right(cut_middle(row[2], compared_op_width), compared_op_width) + "  " +
                     pad_left(row[3], number_width) + "  " + pad_left(row[4], number_width) + "  ";
  return text + painted(row[5], ink, colour) + "\n";
}

Ink ink_of(ValueState state) {
  switch (state) {
    case ValueState::made_here:
      return Ink::bad;
    case ValueState::inherited:
    case ValueState::unclear:
      return Ink::doubtful;
    case ValueState::equal:
      return Ink::good;
    default:
      return Ink::faint;
  }
}

/// Which rows are shown: the ends, and those around the first divergence.
std::vector<bool> shown_rows(const CompareReport& report, bool all) {
  const std::size_t count = report.values.size();
  std::vector<bool> shown(count, all || count <= 2 * at_the_ends + 2 * around_divergence + 6);
  std::size_t first = count;
  for (std::size_t i = 0; i < count && report.first_divergence; ++i) {
    if (report.values[i].a == report.first_divergence->a) first = i;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_end = i < at_the_ends || i + at_the_ends >= count;
    const bool is_near = first < count && i + around_divergence >= first && i <= first + around_divergence;
    if (is_end || is_near) shown[i] = true;
  }
  return shown;
}

/// "... 83 more: 60 equal, 23 fused"
std::string summed_up(const std::map<ValueState, std::size_t>& skipped, int width) {
  std::size_t total = 0;
  std::vector<std::string> parts;
  for (const auto& [state, count] : skipped) {
    total += count;
    parts.push_back(fmt::format("{} {}", count, words_of(state)));
  }
  return total == 0 ? "" : hanging("  ", fmt::format("... {} more: {}", total, join(parts, ", ")), width);
}

}  // namespace

std::string_view words_of(ValueState state) {
  switch (state) {
    case ValueState::made_here:
      return "made here";
    case ValueState::not_read:
      return "not read";
    default:
      return name_of(state);
  }
}

bool has_distance(const Measurement& m) { return m.mismatched > 0 && std::isfinite(m.max_abs) && m.max_abs != 0; }

Verdict verdict_of_words(const Measurement& m) {
  if (m.beyond_tolerance > 0 || m.nonfinite_mismatch > 0) return Verdict::diverged;
  return m.beyond_floor > 0 ? Verdict::deviates : Verdict::equivalent;
}

std::string values_table(const CompareReport& report, const ConsoleStyle& style) {
  if (report.values.empty()) return "";
  const int name_width = std::max(5, (style.width - gaps - compared_op_width - 2 * number_width - state_width) / 2);
  std::string text =
      "\n" + line_of({"value in A", "in B", "op", "error", "expected", ""}, name_width, Ink::plain, false);
  while (text.ends_with(" \n")) text.erase(text.size() - 2, 1);
  const auto shown = shown_rows(report, style.verbose);
  std::map<ValueState, std::size_t> skipped;
  for (std::size_t i = 0; i < report.values.size(); ++i) {
    if (!shown[i]) {
      ++skipped[report.values[i].state];
      continue;
    }
    text += summed_up(skipped, style.width);
    skipped.clear();
    text += line_of(row_of(report.values[i]), name_width, ink_of(report.values[i].state), style.colour);
  }
  return text + summed_up(skipped, style.width);
}

}  // namespace culprit
