#include "data/sets/sound_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "base/csv.h"
#include "base/file.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "base/utf8.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_table_of_sounds = std::uint64_t{64} << 20;

std::optional<std::size_t> column_in(const CsvFields& headings, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words)
    for (std::size_t at = 0; at < headings.size(); ++at)
      if (lower_case(std::string(trim(headings[at]))) == word) return at;
  return std::nullopt;
}

}  // namespace

Result<SoundLabels> read_sound_labels(const fs::path& table) {
  const auto text = read_file(table, largest_table_of_sounds);
  if (!text) return tl::unexpected(text.error());
  const std::string where = printable(table.string());
  if (!is_utf8(*text)) return fail(ErrorKind::bad_input, where + ": it is no UTF-8");
  SoundLabels found;
  found.from = table.filename().string();
  std::optional<std::size_t> file, said, label;
  std::size_t columns = 0, wrong = 0;
  const auto broken = read_csv(*text, [&](const CsvFields& fields, std::size_t line) {
    if (columns == 0) {
      columns = fields.size();
      file = column_in(fields, {"file", "path", "audio", "name", "id"});
      said = column_in(fields, {"text", "sentence", "transcript", "transcription"});
      label = column_in(fields, {"label", "class", "category"});
      return;
    }
    if (fields.size() != columns && wrong == 0) wrong = line;
    if (fields.size() != columns || !file) return;
    if (said) found.texts[fields[*file]] = fields[*said];
    if (label) found.labels[fields[*file]] = fields[*label];
  });
  if (broken) return fail(ErrorKind::bad_input, fmt::format("{}, line {}: {}", where, broken->line, broken->what));
  if (wrong > 0)
    return fail(ErrorKind::bad_input, fmt::format("{}, line {}: it has not {} columns", where, wrong, columns));
  if (!file || (!said && !label))
    return fail(ErrorKind::bad_input,
                where + ": its first line must name the columns file and text, or file and label");
  return found;
}

}  // namespace culprit
