#include "data/sets/sound_labels.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "base/csv.h"
#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_table_of_sounds = std::uint64_t{64} << 20;

constexpr std::array<std::string_view, 5> sound_words{"file", "path", "audio", "name", "id"};
constexpr std::array<std::string_view, 4> said_words{"text", "sentence", "transcript", "transcription"};
constexpr std::array<std::string_view, 3> kind_words{"label", "class", "category"};

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
      file = column_called(fields, sound_words);
      said = column_called(fields, said_words);
      label = column_called(fields, kind_words);
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
