#include "base/csv.h"

#include <csv.h>

#include <algorithm>
#include <utility>

#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {
namespace {

struct Lines {
  const std::function<void(const CsvFields&, std::size_t)>& take;
  CsvFields fields = {};
  std::size_t line = 1;
  int ended = 0;  ///< by which character the line before was
};

void end_of_field(void* bytes, std::size_t size, void* lines) {
  static_cast<Lines*>(lines)->fields.emplace_back(static_cast<const char*>(bytes), size);
}

/// Each of the two characters with which Windows ends lines ends a row.
void end_of_row(int ended, void* of) {
  Lines& lines = *static_cast<Lines*>(of);
  const int before = std::exchange(lines.ended, ended);
  if (lines.fields.empty() && ended == '\n' && before == '\r') return;
  const CsvFields fields = std::exchange(lines.fields, {});
  const std::size_t line = lines.line++;
  const bool is_empty = fields.empty() || (fields.size() == 1 && fields.front().empty());
  if (!is_empty) lines.take(fields, line);
}

}  // namespace

std::optional<std::size_t> column_called(const CsvFields& headings, std::span<const std::string_view> words) {
  for (const std::string_view word : words) {
    const auto is_word = [&](const std::string& heading) { return lower_case(std::string(trim(heading))) == word; };
    const auto at = std::ranges::find_if(headings, is_word);
    if (at != headings.end()) return static_cast<std::size_t>(at - headings.begin());
  }
  return std::nullopt;
}

std::optional<CsvBreak> read_csv(std::string_view text,
                                 const std::function<void(const CsvFields& fields, std::size_t line)>& take,
                                 char separator) {
  csv_parser parser;
  if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL) != 0) return CsvBreak{1, "libcsv does not start"};
  csv_set_delim(&parser, static_cast<unsigned char>(separator));
  Lines lines{take};
  const bool is_read = csv_parse(&parser, text.data(), text.size(), end_of_field, end_of_row, &lines) == text.size();
  const bool is_whole = is_read && csv_fini(&parser, end_of_field, end_of_row, &lines) == 0;
  std::optional<CsvBreak> broken;
  if (!is_whole) broken = CsvBreak{lines.line, csv_strerror(csv_error(&parser))};
  csv_free(&parser);
  return broken;
}

}  // namespace culprit
