#pragma once
// Values separated by commas, or by another character (RFC 4180): whatever a field holds, and ends of lines of all
// systems. A quote in the middle of a field without quotes is a character as any other, as in Python's module csv.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

using CsvFields = std::vector<std::string>;

/// The place of the first of these words that is a heading, in either case and whatever spaces are around it.
std::optional<std::size_t> column_called(const CsvFields& headings, std::span<const std::string_view> words);

/// The first of `,` `;` and tab outside quotes in the first line that is not empty; a comma where there is none.
char separator_in(std::string_view text);

/// Says which line makes no sense, and why, for people.
struct CsvBreak {
  std::size_t line = 0;  ///< from 1
  std::string what;
};

/// Takes a line and its number, from 1. A field in quotes may hold ends of lines: the number is then that of the line
/// on which the fields begin. Empty lines are counted and not given.
using TakeCsvLine = std::function<void(const CsvFields& fields, std::size_t line)>;

/// Gives each line until one makes no sense.
std::optional<CsvBreak> read_csv(std::string_view text, const TakeCsvLine& take, char separator = ',');

/// How fields are written.
struct CsvForm {
  char separator = ',';
  bool has_quotes = true;     ///< else a quote is a character as any other, and a field ends with its line
  bool keeps_blanks = false;  ///< spaces and tabs around a field without quotes belong to it; else they are dropped
};

/// Gives each line that makes sense, and tells of each other one. Reading goes on at the next line, even if a quote
/// that no other one closes would make all that follows a part of the field.
void read_csv_lines(std::string_view text, CsvForm form, const TakeCsvLine& take,
                    const std::function<void(const CsvBreak&)>& lose);

}  // namespace culprit
