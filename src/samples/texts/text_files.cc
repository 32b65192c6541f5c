#include "texts/text_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/csv.h"
#include "base/file.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "base/utf16.h"
#include "base/utf8.h"
#include "texts/load_dataset.h"
#include "texts/text_formats.h"

namespace culprit {
namespace {

std::string ending_of(const fs::path& path) { return lower_case(path.extension().string()); }

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool holds_texts(const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (ending_of(entry->path()) == ".txt" && !is_folder(entry->path())) return true;
  return false;
}

/// The text of a file in UTF-8. It may begin with the mark of UTF-8, which is left out, or be UTF-16.
Result<std::string> text_in_file(const fs::path& file) {
  auto bytes = read_file(file, largest_text_file);
  if (!bytes) return bytes;
  if (is_utf16(*bytes)) {
    auto text = utf8_of_utf16(*bytes);
    if (!text) return fail(ErrorKind::bad_input, printable(file.string()) + ": begins as UTF-16, and is none");
    return std::move(*text);
  }
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (bytes->starts_with(mark)) bytes->erase(0, mark.size());
  return bytes;
}

Result<TextSet> read_text_file(const fs::path& file) {
  auto text = text_in_file(file);
  if (!text) return tl::unexpected(text.error());
  const std::string ending = ending_of(file), name = file.filename().string();
  if (ending == ".csv") return read_text_table(*text, name, separator_in(*text));
  if (ending == ".tsv") return read_text_table(*text, name, '\t');
  if (ending == ".jsonl") return read_json_lines(*text, name);
  if (ending == ".json") return read_squad(*text, name);
  return fail(ErrorKind::bad_input,
              printable(file.string()) + ": texts are read from .csv, .tsv, .jsonl, .json (SQuAD)",
              "or from a folder of .txt files, or of folders of them, as IMDB's");
}

}  // namespace

void LeftOutTexts::add(std::string name, std::string reason) {
  ++count_;
  if (listed_.size() < most_listed) listed_.push_back({std::move(name), std::move(reason)});
}

void take_text(TextSet& set, TextItem item) {
  const auto is_broken = [](const std::string& text) { return !is_utf8(text); };
  std::string why;
  if (is_broken(item.text) || is_broken(item.context) || is_broken(item.label) ||
      (item.right && std::ranges::any_of(*item.right, is_broken)))
    why = "it is no UTF-8";
  else if (trim(item.text).empty())
    why = set.are_questions ? "the question is empty" : "the text is empty";
  else if (set.are_questions && trim(item.context).empty())
    why = "the context is empty";
  else if (item.text.size() > longest_text || item.context.size() > longest_text)
    why = fmt::format("it has more than {} MiB", longest_text >> 20);
  if (why.empty())
    set.items.push_back(std::move(item));
  else
    set.left_out.add(std::move(item.name), std::move(why));
}

Result<TextSet> of_use(TextSet set, const std::string& where) {
  if (!set.items.empty()) return set;
  if (set.left_out.count() == 0) return fail(ErrorKind::bad_input, printable(where) + ": there is no text in it");
  const LeftOutText& first = set.left_out.listed().front();
  return fail(ErrorKind::bad_input, fmt::format("{}: none of the {} texts is of use; {}: {}", printable(where),
                                                set.left_out.count(), printable(first.name, 200), first.reason));
}

bool may_be_texts(const fs::path& path) {
  if (is_saved_dataset(path)) return true;
  if (!is_folder(path)) return is_one_of(ending_of(path), {".csv", ".tsv", ".jsonl", ".json"});
  if (holds_texts(path)) return true;
  std::error_code error;
  for (auto entry = fs::directory_iterator(path, error); !error && entry != fs::directory_iterator();
       entry.increment(error))
    if (is_folder(entry->path()) && holds_texts(entry->path())) return true;
  return false;
}

Result<TextSet> read_texts(const fs::path& path) {
  auto set = is_folder(path) ? read_text_folder(path) : read_text_file(path);
  return set ? of_use(std::move(*set), path.string()) : std::move(set);
}

}  // namespace culprit
