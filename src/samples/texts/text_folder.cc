// Folders of texts as the one of IMDB: pos/0_9.txt, neg/1_2.txt.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include "base/file.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "texts/text_formats.h"

namespace culprit {
namespace {

/// IMDB's texts of which nobody knows the label.
constexpr std::string_view without_label = "unsup";

/// Its lists of addresses lie beside the folders of texts.
constexpr std::string_view of_addresses = "urls_";

/// What macOS adds to archives: a copy of the folders, without a text.
constexpr std::string_view of_macos = "__MACOSX";

struct FolderContent {
  std::vector<fs::path> texts, folders;  // sorted by name
};

Result<FolderContent> content_of(const fs::path& folder) {
  FolderContent content;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (path.filename().string().starts_with('.') || path.filename() == of_macos) continue;
    if (fs::is_directory(path, ignored))
      content.folders.push_back(path);
    else if (lower_case(path.extension().string()) == ".txt")
      content.texts.push_back(path);
  }
  if (error) return fail(ErrorKind::bad_input, printable(folder.string()) + ": " + error.message());
  std::ranges::sort(content.texts);
  std::ranges::sort(content.folders);
  return content;
}

void take_file(TextSet& set, const fs::path& file, const std::string& name, const std::string& label) {
  auto text = read_file(file, longest_text);
  if (!text)
    set.left_out.add(name, text.error().message);
  else
    take_text(set, {name, std::move(*text), "", label});
}

Error several_splits(const fs::path& folder, const fs::path& split) {
  return {ErrorKind::bad_input,
          fmt::format("{}: its folders hold no texts, but folders of texts", printable(folder.string())),
          "name one of them, such as " + printable(split.string())};
}

}  // namespace

Result<TextSet> read_text_folder(const fs::path& folder) {
  const auto content = content_of(folder);
  if (!content) return tl::unexpected(content.error());
  TextSet set;
  set.kind = "folder of texts";
  std::vector<std::pair<fs::path, std::vector<fs::path>>> classes;
  for (const fs::path& below : content->folders) {
    auto inside = content_of(below);
    if (!inside) return tl::unexpected(inside.error());
    // IMDB's train and test hold lists of addresses, too.
    if (std::ranges::any_of(inside->folders, may_be_texts)) return tl::unexpected(several_splits(folder, below));
    if (inside->texts.empty()) set.left_out.add(below.filename().string(), "no .txt is in this folder");
    if (!inside->texts.empty() && below.filename() != without_label)
      classes.emplace_back(below.filename(), std::move(inside->texts));
  }
  const bool are_classes = set.labels_are_folders = classes.size() > 1;
  for (const auto& [name, texts] : classes)
    for (const fs::path& text : texts)
      take_file(set, text, (name / text.filename()).string(), are_classes ? name.string() : "");
  for (const fs::path& text : content->texts) {
    const std::string name = text.filename().string();
    if (classes.empty())
      take_file(set, text, name, "");
    else if (!name.starts_with(of_addresses))
      set.left_out.add(name, "it lies beside the folders of texts");
  }
  return set;
}

}  // namespace culprit
