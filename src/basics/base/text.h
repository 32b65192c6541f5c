#pragma once
// Small text work shared by messages.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

std::vector<std::string> split(std::string_view text, char separator);  ///< empty pieces are kept; "" gives {}
std::string join(std::span<const std::string> pieces, std::string_view separator);
std::string_view trim(std::string_view text);
/// `text` with `by` in every place of `what`, which is not empty. What was put in is not looked at again.
std::string replace_all(std::string text, std::string_view what, std::string_view by);

bool contains(std::string_view text, std::string_view part);
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);
bool is_one_of(std::string_view word, std::span<const std::string_view> words);
bool is_one_of(std::string_view word, std::span<const std::string> words);

/// The candidate with the smallest edit distance, if it is close enough to be a typing mistake; else "".
std::string closest(std::string_view word, std::span<const std::string> candidates);

std::string human_bytes(std::uint64_t bytes);  ///< "26.0 KB", "1.2 GB" (powers of 1000)
std::string human_seconds(double seconds);     ///< "8 ms", "1.4 s", "2 m 05 s"
/// "1 fault", "3 faults", "no fault" where `none` is "no".
std::string counted(std::int64_t count, std::string_view noun, std::string_view none = "0");

/// Colours and other ANSI sequences are left out; control characters and bytes that are not UTF-8 become '?', so that
/// untrusted text cannot move a terminal's cursor. Tabs become spaces, and newlines where `one_line`; "\r\n" is one
/// newline. Cut to `limit` characters with "…".
std::string printable(std::string_view text, std::size_t limit = 2000, bool one_line = true);

/// One word for a POSIX shell, in single quotes, whatever is in it.
std::string quoted_for_shell(std::string_view word);

/// 512 MB, 2G (powers of 1000), 1.5GiB (of 1024), 1000000 -> bytes; 30, 30s, 2m, 500ms, 1h -> seconds. Units in either
/// case. Negative on nonsense.
double parse_bytes(std::string_view text);
double parse_seconds(std::string_view text);

}  // namespace culprit
