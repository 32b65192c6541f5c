#include "report/markdown_parts.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace culprit {
namespace {

struct Escape {
  char character;
  std::string_view written;
};

// Entities are never markup. A comment that nobody sees keeps a host from making links of "@name", "#1" and "https://".
constexpr std::array<Escape, 12> escapes{{{'&', "&amp;"},
                                          {'<', "&lt;"},
                                          {'>', "&gt;"},
                                          {'|', "&#124;"},
                                          {'*', "&#42;"},
                                          {'`', "&#96;"},
                                          {'[', "&#91;"},
                                          {']', "&#93;"},
                                          {'~', "&#126;"},
                                          {'\\', "&#92;"},
                                          {'$', "&#36;"},
                                          {'!', "&#33;"}}};
constexpr std::string_view cut_in_two = "<!-- -->";

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A code span is left as it is where nothing in it could end it, or the cell that it stands in.
bool is_plain_code(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return is_of_word(c) || std::string_view(" ._-/:+=,;()%").find(c) != std::string_view::npos;
  });
}

}  // namespace

std::string markdown_text(std::string_view text) {
  const std::string shown = printable(text);
  std::string escaped;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const auto* const found = std::ranges::find(escapes, c, &Escape::character);
    const bool is_inside_word = i > 0 && i + 1 < shown.size() && is_of_word(shown[i - 1]) && is_of_word(shown[i + 1]);
    if (found != escapes.end())
      escaped += found->written;
    else if (c == '_' && !is_inside_word)
      escaped += "&#95;";
    else if (((c == '@' || c == '#') && i + 1 < shown.size() && shown[i + 1] != ' ') || shown.substr(i, 3) == "://")
      escaped.append(1, c).append(cut_in_two);
    else
      escaped += c;
  }
  return escaped;
}

std::string markdown_code(std::string_view text) {
  const std::string shown = printable(text);
  if (trim(shown).empty()) return "";
  if (is_plain_code(shown) && trim(shown) == shown) return "`" + shown + "`";
  return "<code>" + markdown_text(shown) + "</code>";
}

std::string markdown_table(const std::vector<std::string>& titles, const std::vector<std::vector<std::string>>& rows,
                           const std::set<std::size_t>& columns_of_text) {
  const auto line_of = [](const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += " " + cell + (cell.empty() ? "|" : " |");
    return line + "\n";
  };
  std::string text = line_of(titles) + "|";
  for (std::size_t i = 0; i < titles.size(); ++i) text += columns_of_text.contains(i) ? " --- |" : " ---: |";
  text += "\n";
  for (const auto& row : rows) text += line_of(row);
  return text;
}

}  // namespace culprit
