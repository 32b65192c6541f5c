#include "report/layout.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/shell_words.h"
#include "base/text.h"
#include "base/utf8.h"

namespace culprit {
namespace {

struct Glyph {
  std::string_view bytes;
  int width;
};

struct Range {
  char32_t first, last;
};

// Unicode's East Asian Width property, classes W and F, in coarse blocks; enough for paths and names.
constexpr std::array<Range, 9> wide{{{0x1100, 0x115F},
                                     {0x2E80, 0xA4CF},
                                     {0xAC00, 0xD7A3},
                                     {0xF900, 0xFAFF},
                                     {0xFE30, 0xFE6F},
                                     {0xFF00, 0xFF60},
                                     {0xFFE0, 0xFFE6},
                                     {0x1F300, 0x1FAFF},
                                     {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 3> combining{{{0x0300, 0x036F}, {0x200B, 0x200F}, {0xFE00, 0xFE0F}}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return r.first <= c && c <= r.last; });
}

/// The first character of a text that is not empty. Broken UTF-8 goes byte by byte.
Glyph first_glyph(std::string_view text) {
  const CodePoint c = first_code_point(text);
  if (c.length == 0) return {text.substr(0, 1), 1};
  return {text.substr(0, c.length), is_in(combining, c.value) ? 0 : is_in(wide, c.value) ? 2 : 1};
}

std::vector<Glyph> glyphs_of(std::string_view text) {
  std::vector<Glyph> glyphs;
  while (!text.empty()) {
    glyphs.push_back(first_glyph(text));
    text.remove_prefix(glyphs.back().bytes.size());
  }
  return glyphs;
}

/// As much of the beginning as fits; always at least one character, so that loops end.
std::string_view fitting(std::string_view text, int width) {
  std::size_t taken = 0;
  for (int used = 0; taken < text.size();) {
    const Glyph glyph = first_glyph(text.substr(taken));
    used += glyph.width;
    if (used > width && taken > 0) break;
    taken += glyph.bytes.size();
  }
  return text.substr(0, taken);
}

/// "…" behind the first `head_width` columns, and as much of the end as there is room for.
std::string cut_at(std::string_view text, int width, int head_width) {
  if (display_width(text) <= width) return std::string(text);
  const auto glyphs = glyphs_of(text);
  const int tail_width = std::max(0, width - 1 - head_width);
  std::string head, tail;
  int used = 0;
  for (auto g = glyphs.begin(); g != glyphs.end() && used + g->width <= head_width; ++g) {
    head += g->bytes;
    used += g->width;
  }
  used = 0;
  for (auto g = glyphs.rbegin(); g != glyphs.rend() && used + g->width <= tail_width; ++g) {
    tail.insert(0, g->bytes);
    used += g->width;
  }
  return head + "…" + tail;
}

std::string_view next_word(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

/// A word that is wider than a line, in pieces that the shell joins again: "\" and a newline vanish, quotes reopen.
std::string broken_word(std::string_view word, int width) {
  std::string text;
  // Quoting may add 2 characters and make 4 of each quote character, so the pieces are taken well short.
  const int piece_width = std::max(1, needs_quotes(word) ? (width - 4) / 4 : width - 2);
  while (!word.empty()) {
    const std::string_view piece = fitting(word, piece_width);
    text += (text.empty() ? "" : "\\\n") + shell_quoted(piece);
    word.remove_prefix(piece.size());
  }
  return text;
}

}  // namespace

int display_width(std::string_view text) {
  int width = 0;
  for (const Glyph& glyph : glyphs_of(text)) width += glyph.width;
  return width;
}

std::string cut_middle(std::string_view text, int width) { return cut_at(text, width, width / 2); }

std::string cut_path(std::string_view path, int width) { return cut_at(path, width, std::min(8, width / 4)); }

std::vector<std::string> wrap(std::string_view text, int width) {
  width = std::max(width, 1);
  std::vector<std::string> lines(1);
  for (std::string_view word = next_word(text); !word.empty(); word = next_word(text)) {
    if (!lines.back().empty()) {
      if (display_width(lines.back()) + 1 + display_width(word) <= width) {
        lines.back().append(" ").append(word);
        continue;
      }
      lines.emplace_back();
    }
    while (display_width(word) > width) {
      const std::string_view piece = fitting(word, width);
      lines.back() = piece;
      lines.emplace_back();
      word.remove_prefix(piece.size());
    }
    lines.back() = word;
  }
  return lines;
}

std::string hanging(std::string_view first, std::string_view text, int width) {
  const int indent = display_width(first);
  std::string all;
  for (const std::string& line : wrap(text, width - indent))
    all += (all.empty() ? std::string(first) : std::string(static_cast<std::size_t>(indent), ' ')) + line + "\n";
  return all;
}

std::string pad_right(std::string_view text, int width) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
}

std::string pad_left(std::string_view text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ') + std::string(text);
}

std::string shell_command(const std::vector<std::string>& words, int indent, int width) {
  constexpr int further = 2;  // columns that a continued line stands further in
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string text = margin;
  int column = indent;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = shell_quoted(words[i]);
    const int room_for_break = i + 1 < words.size() ? 2 : 0;  // " \"
    if (i > 0 && column + 1 + display_width(word) + room_for_break > width) {
      text += " \\\n" + margin + std::string(further, ' ');
      column = indent + further;
    } else if (i > 0) {
      text += " ";
      ++column;
    }
    const bool fits = column + display_width(word) + room_for_break <= width;
    const std::string shown = fits ? word : broken_word(words[i], width - column);
    text += shown;
    const auto last_line = shown.rfind('\n');
    column = last_line == std::string::npos ? column + display_width(shown)
                                            : display_width(std::string_view(shown).substr(last_line + 1));
  }
  return text;
}

std::string painted(std::string_view text, Ink ink, bool colour) {
  if (!colour || ink == Ink::plain) return std::string(text);
  const std::string_view code = ink == Ink::good       ? "32"
                                : ink == Ink::bad      ? "1;31"
                                : ink == Ink::doubtful ? "33"
                                : ink == Ink::faint    ? "2"
                                                       : "1";
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace culprit
