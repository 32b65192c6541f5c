#include "data/sets/sound_labels.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <set>
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

std::array<std::string, 3> keys_of_sound(const std::string& sound) {
  const std::filesystem::path file = sound;
  return {file.string(), file.filename().string(), file.stem().string()};
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
      file = column_called(fields, sound_words);
      said = column_called(fields, said_words);
      label = column_called(fields, kind_words);
      return;
    }
    if (fields.size() != columns && wrong == 0) wrong = line;
    if (fields.size() != columns || !file) return;
    found.files.push_back(fields[*file]);
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

const std::string* entry_of_sound(const std::map<std::string, std::string>& entries, const std::string& sound) {
  for (const std::string& key : keys_of_sound(sound))
    if (const auto found = entries.find(key); found != entries.end()) return &found->second;
  return nullptr;
}

std::vector<Warning> warnings_of_sounds(const SoundLabels& labels, const std::vector<std::string>& sounds) {
  std::set<std::string> known;
  for (const std::string& sound : sounds)
    for (const std::string& key : keys_of_sound(sound)) known.insert(key);
  std::size_t outside = 0;
  std::string first;
  for (const std::string& file : labels.files)
    if (!known.contains(file) && outside++ == 0) first = printable(file, 100);
  if (outside == 0) return {};
  const std::string from = printable(labels.from, 100);
  if (outside == labels.files.size())
    return {{"labels_outside", fmt::format("no line of {} names a sound of the folder, the first one '{}'; nothing is "
                                           "compared with labels",
                                           from, first)}};
  return {{"labels_outside", fmt::format("{} of {} lines of {} name{} no sound of the folder, the first one '{}'",
                                         outside, labels.files.size(), from, outside == 1 ? "s" : "", first)}};
}

}  // namespace culprit
