#include <algorithm>

#include "base/text.h"
#include "report/profile_console_parts.h"

namespace culprit {
namespace {

constexpr int gap = 2;
constexpr int head_width = 24;

int width_of(const ConsoleColumn& column) {
  int width = display_width(column.title);
  for (const ConsoleCell& cell : column.cells) width = std::max(width, display_width(cell.text));
  return width;
}

bool is_empty(const ConsoleColumn& column) {
  return std::ranges::all_of(column.cells, [](const ConsoleCell& cell) { return cell.text.empty(); });
}

/// At the end of a line no spaces are left.
std::string row_of(const std::vector<const ConsoleColumn*>& columns, std::size_t row, bool is_title,
                   const ConsoleStyle& style) {
  std::string text;
  int owed = gap;  // spaces before the next cell
  for (const ConsoleColumn* column : columns) {
    const ConsoleCell cell = is_title ? ConsoleCell{column->title, Ink::faint} : column->cells[row];
    const int free = width_of(*column) - display_width(cell.text);
    if (!cell.text.empty()) {
      text += std::string(static_cast<std::size_t>(owed + (column->is_words ? 0 : free)), ' ');
      text += painted(cell.text, cell.ink, style.colour);
      owed = gap + (column->is_words ? free : 0);
    } else {
      owed += gap + free;
    }
  }
  return text + "\n";
}

std::string table_of(const std::vector<const ConsoleColumn*>& columns, const ConsoleStyle& style) {
  std::string text = row_of(columns, 0, /*is_title=*/true, style);
  for (std::size_t row = 0; row < columns.front()->cells.size(); ++row) text += row_of(columns, row, false, style);
  return text;
}

}  // namespace

std::string wide_table(const std::vector<ConsoleColumn>& columns, const ConsoleStyle& style) {
  const ConsoleColumn& first = columns.front();
  const int first_width = gap + width_of(first);
  std::vector<std::vector<const ConsoleColumn*>> tables = {{&first}};
  int used = first_width;
  for (auto column = columns.begin() + 1; column != columns.end(); ++column) {
    if (is_empty(*column)) continue;
    const int width = gap + width_of(*column);
    if (used + width > style.width && column->may_go && !style.verbose) continue;
    if (used + width > style.width && tables.back().size() > 1) {
      tables.push_back({&first});
      used = first_width;
    }
    tables.back().push_back(&*column);
    used += width;
  }
  std::string text;
  for (const auto& table : tables) text += (text.empty() ? "" : "\n") + table_of(table, style);
  return text;
}

std::string entry_head(const ProfileReport& report, const ProfileEntry& entry) {
  int width = 0;
  for (const ProfileEntry& other : report.entries) width = std::max(width, display_width(printable(other.name)));
  width = std::min(width, head_width);
  return pad_right(cut_middle(printable(entry.name), width), width + gap);
}

}  // namespace culprit
