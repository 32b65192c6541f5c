#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "base/utf8.h"

namespace culprit {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Optimal string alignment: insertions, deletions, replacements and swaps of neighbours, letters of either case alike.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + replaced});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

/// C0 and C1 controls, delete, the other line ends, and what turns the direction of writing around.
bool steers_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

/// Length of the ANSI control sequence (ESC [ ... letter) that the text begins with; 0 where there is none.
std::size_t ansi_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const auto end = text.find_first_not_of("0123456789;:<=>?", 2);
  const bool ends = end != std::string_view::npos && text[end] >= '@' && text[end] <= '~';
  return ends ? end + 1 : 0;
}

std::string formatted(const char* format, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

struct Unit {
  std::string_view name;
  double factor;
};

/// "1.5 GiB" with units in lower case -> the number times its unit; -1 on nonsense.
double parse_with_unit(std::string_view text, std::span<const Unit> units) {
  text = trim(text);
  if (text.empty() || !((text[0] >= '0' && text[0] <= '9') || text[0] == '.')) return -1;
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (read.ec != std::errc()) return -1;
  std::string unit(trim(text.substr(static_cast<std::size_t>(read.ptr - text.data()))));
  std::transform(unit.begin(), unit.end(), unit.begin(), lower);
  for (const auto& known : units) {
    if (known.name == unit && std::isfinite(number * known.factor)) return number * known.factor;
  }
  return -1;
}

}  // namespace

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  if (text.empty()) return pieces;
  while (true) {
    const auto end = text.find(separator);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::string join(std::span<const std::string> pieces, std::string_view separator) {
  std::string all;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) all += separator;
    all += pieces[i];
  }
  return all;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return is_one_of(word, std::span(words.begin(), words.size()));
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_one_of(std::string_view word, std::span<const std::string> words) {
  return std::ranges::find(words, word) != words.end();
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string replace_all(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

std::string closest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  std::size_t allowed = std::max<std::size_t>(1, word.size() / 3);
  if (word.size() < 2) return best;
  bool found = false;
  for (const auto& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), word.size());
    if (longer - std::min(candidate.size(), word.size()) > allowed)
      continue;  // spares the work on untrusted long words
    const std::size_t distance = edit_distance(word, candidate);
    if (distance > allowed || (found && distance == allowed)) continue;
    best = candidate;
    allowed = distance;
    found = true;
  }
  return best;
}

std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  constexpr std::array<const char*, 6> units{" KB", " MB", " GB", " TB", " PB", " EB"};
  double value = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; value >= 999.95 && unit + 1 < units.size(); ++unit) value /= 1000;  // 999.95 would be printed as 1000.0
  return formatted("%.1f", value) + units[unit];
}

std::string human_seconds(double seconds) {
  if (!std::isfinite(seconds) || seconds < 0) return "?";
  if (seconds < 0.00095) return "<1 ms";
  if (seconds < 0.9995) return formatted("%.0f ms", seconds * 1000);
  if (seconds < 59.95) return formatted("%.1f s", seconds);
  const double whole = std::round(seconds);
  if (whole < 3600) return formatted("%.0f m ", std::floor(whole / 60)) + formatted("%02.0f s", std::fmod(whole, 60));
  const double minutes = std::round(seconds / 60);
  return formatted("%.0f h ", std::floor(minutes / 60)) + formatted("%02.0f m", std::fmod(minutes, 60));
}

std::string printable(std::string_view text, std::size_t limit, bool one_line) {
  std::string shown;
  std::size_t characters = 0;
  std::size_t room_for_ellipsis = 0;  // where to cut, should there be too many
  while (!text.empty()) {
    if (const std::size_t length = ansi_length(text); length > 0) {
      text.remove_prefix(length);
      continue;
    }
    if (text.substr(0, 2) == "\r\n") text.remove_prefix(1);
    if (characters + 1 == limit) room_for_ellipsis = shown.size();
    if (characters == limit) {
      shown.resize(room_for_ellipsis);
      return limit == 0 ? shown : shown + "…";
    }
    const CodePoint c = first_code_point(text);
    const std::size_t taken = std::max<std::size_t>(c.length, 1);
    if (c.value == '\n' && !one_line) {
      shown += '\n';
    } else if (c.value == '\n' || c.value == '\t') {
      shown += ' ';
    } else if (c.length == 0 || steers_terminal(c.value)) {
      shown += '?';
    } else {
      shown += text.substr(0, taken);
    }
    text.remove_prefix(taken);
    ++characters;
  }
  return shown;
}

/// One inside ends the quotes, stands escaped, and begins them again.
std::string quoted_for_shell(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

double parse_bytes(std::string_view text) {
  constexpr std::array<Unit, 14> units{{{"", 1},
                                        {"b", 1},
                                        {"k", 1e3},
                                        {"kb", 1e3},
                                        {"m", 1e6},
                                        {"mb", 1e6},
                                        {"g", 1e9},
                                        {"gb", 1e9},
                                        {"t", 1e12},
                                        {"tb", 1e12},
                                        {"kib", 0x1p10},
                                        {"mib", 0x1p20},
                                        {"gib", 0x1p30},
                                        {"tib", 0x1p40}}};
  return parse_with_unit(text, units);
}

double parse_seconds(std::string_view text) {
  constexpr std::array<Unit, 7> units{
      {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}, {"d", 86400}}};
  return parse_with_unit(text, units);
}

std::string counted(std::int64_t count, std::string_view noun, std::string_view none) {
  return fmt::format("{} {}{}", count == 0 ? std::string(none) : std::to_string(count), noun,
                     count == 1 || (count == 0 && none == "no") ? "" : "s");
}

}  // namespace culprit
