#pragma once
// Values separated by commas, or by another character, as libcsv reads them (RFC 4180): whatever a field holds, and
// ends of lines of all systems.

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

/// Says where the text makes no sense any more, and what libcsv says of it.
struct CsvBreak {
  std::size_t line = 0;  ///< from 1
  std::string what;
};

/// Gives each line with its number, from 1; a field in quotes may hold ends of lines, and is part of one line all the
/// same. Empty lines are counted and not given. What was given before a break stands.
std::optional<CsvBreak> read_csv(std::string_view text,
                                 const std::function<void(const CsvFields& fields, std::size_t line)>& take,
                                 char separator = ',');

}  // namespace culprit
