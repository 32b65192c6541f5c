#include "data/sets/labelled_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <system_error>

#include "base/text.h"
#include "data/sets/label_list.h"
#include "data/sets/listed_names.h"
#include "labels/class_numbers.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::array lists = {"labels.csv", "labels.jsonl", "classes.txt"};

Result<std::vector<std::string>> read_classes(const fs::path& path) {
  auto text = read_list_text(path, std::uint64_t{1} << 26);
  if (!text) return tl::unexpected(text.error());
  std::vector<std::string> names;
  for (const std::string& line : split(*text, '\n')) names.emplace_back(trim(line));
  while (!names.empty() && names.back().empty()) names.pop_back();
  return names;
}

/// The names that the caller has, else those of classes.txt in the folder.
Result<NamedClasses> known_classes(const fs::path& folder, const std::vector<std::string>& classes) {
  if (!classes.empty()) return NamedClasses{classes, "`classes` in culprit.yaml"};
  const fs::path list = folder / "classes.txt";
  std::error_code ignored;
  if (!fs::exists(list, ignored)) return NamedClasses{};
  auto names = read_classes(list);
  if (!names) return tl::unexpected(names.error());
  if (names->empty())
    return fail(ErrorKind::bad_input, printable(list.string()) + " names no class",
                "write the name of one class a line");
  return NamedClasses{std::move(*names), printable(list.string())};
}

bool is_called_once(const LabelList& list, const std::string& label) {
  const auto has_it = [&](const auto& entry) {
    return std::ranges::find(entry.second.labels, label, &ListedLabel::text) != entry.second.labels.end();
  };
  return std::ranges::count_if(list.files, has_it) == 1;
}

/// Headings that no one knows: a first line whose file is none of these, by its ending neither, and whose label no
/// other line has. As a label it would shift the numbers of all others. The file that it names; "": it is none.
std::string unknown_heading(const LabelList& list, const std::vector<bool>& is_taken, const FileKind& kind) {
  std::size_t place = 0;
  for (const auto& [name, listed] : list.files) {
    const bool may_be_one = !is_taken[place++] && listed.line == 1 && !kind.may_be_one(name);
    if (may_be_one && listed.labels.size() == 1 && list.files.size() > 1 && is_called_once(list, listed.labels[0].text))
      return name;
  }
  return "";
}

/// The entry of each file; null where there is none. What stands for no file is told.
std::vector<const ListedFile*> listed_files(LabelledFiles& files, LabelList& list) {
  std::vector<std::string_view> names;
  std::vector<const ListedFile*> entries, found;
  for (const auto& [name, listed] : list.files) {
    names.push_back(name);
    entries.push_back(&listed);
  }
  files.listed = entries.size();
  files.listed_elsewhere.clear();
  std::vector<bool> is_taken(entries.size());
  for (const auto& entry : entries_of_files(names, files.names, files.folder, files.kind->may_be_one)) {
    found.push_back(entry ? entries[*entry] : nullptr);
    if (entry) is_taken[*entry] = true;
  }
  const std::string heading = unknown_heading(list, is_taken, *files.kind);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!is_taken[i] && names[i] != heading) files.listed_elsewhere.emplace_back(names[i]);
  if (heading.empty()) return found;
  --files.listed;
  files.read_as = fmt::format("its first line ({},{}) is taken for headings", printable(heading, 60),
                              printable(list.files.find(heading)->second.labels[0].text, 60));
  list.files.erase(list.files.find(heading));
  return found;
}

void take_labels(LabelledFiles& files, const std::vector<const ListedFile*>& listed, const ClassNumbers& numbers,
                 bool are_several) {
  for (const ListedFile* one : listed) {
    std::vector<std::int64_t> classes;
    for (std::size_t i = 0; one != nullptr && i < one->labels.size(); ++i)
      classes.push_back(numbers.of_label.at(one->labels[i].text));
    std::erase_if(classes, [](std::int64_t number) { return number < 0; });
    std::ranges::sort(classes);
    if (!are_several && one != nullptr && classes.empty()) ++files.taken_as_none;
    if (are_several)
      files.several.push_back(one == nullptr ? std::nullopt : std::optional(std::move(classes)));
    else
      files.labels.push_back(classes.empty() ? -1 : static_cast<std::int32_t>(classes[0]));
  }
}

Result<std::vector<const ListedFile*>> listed_here(LabelledFiles& files, LabelList& list, const fs::path& path) {
  auto listed = listed_files(files, list);
  if (std::ranges::any_of(listed, [](const ListedFile* one) { return one != nullptr; })) return listed;
  return fail(
      ErrorKind::bad_input,
      printable(path.string()) + " names none of the " + files.kind->many + " in " + printable(files.folder.string()),
      "names are those below that folder, such as " + printable(files.names[0], 200));
}

/// What is said in sounds.
Result<void> take_texts(LabelledFiles& files, const fs::path& path) {
  auto list = read_label_list(path, said_column());
  if (!list) return tl::unexpected(list.error());
  const auto listed = listed_here(files, *list, path);
  if (!listed) return tl::unexpected(listed.error());
  for (const ListedFile* one : *listed)
    files.texts.push_back(one == nullptr ? std::nullopt : std::optional(one->labels.front().text));
  files.labels_from = printable(path.filename().string(), 100);
  return {};
}

/// Numbers the labels of a list; `where` names the list in errors.
Result<ClassNumbers> numbers_of(const LabelList& list, const NamedClasses& known, const std::string& where) {
  if (known.names.empty() && !list.columns.empty()) return number_columns(list.columns);
  std::vector<ListedLabel> listed;  // in the order of the lines, or of the columns
  for (const std::string& column : list.columns) listed.push_back({column, 1});
  for (const auto& [file, one] : list.files)
    if (list.columns.empty()) listed.insert(listed.end(), one.labels.begin(), one.labels.end());
  std::ranges::stable_sort(listed, {}, &ListedLabel::line);
  SpelledLabels spelled;
  spelled.labels.reserve(listed.size());
  for (const ListedLabel& label : listed) spelled.labels.emplace_back(label.text);
  spelled.place_of = [&](std::size_t i) { return fmt::format("{}, line {}", where, listed[i].line); };
  spelled.way_to_name = "give a classes.txt beside the files, with the name of one class a line";
  return number_labels(spelled, known);
}

Result<void> take_listed_labels(LabelledFiles& files, const fs::path& path, const NamedClasses& known) {
  auto list = read_label_list(path);
  if (!list) return tl::unexpected(list.error());
  files.read_as = list->read_as;
  const auto listed = listed_here(files, *list, path);
  if (!listed) return tl::unexpected(listed.error());
  auto numbers = numbers_of(*list, known, printable(path.string()));
  if (!numbers && files.kind->has_words && !known.names.empty())
    numbers.error().hint += "; words that are said stand below the heading `text`";
  if (!numbers) return tl::unexpected(numbers.error());
  take_labels(files, *listed, *numbers, list->are_several);
  files.labels_from = printable(path.filename().string(), 100);
  files.classes = std::move(numbers->names);
  files.numbered = std::move(numbers->how);
  return {};
}

Result<void> label_by_list(LabelledFiles& files, const fs::path& path, const NamedClasses& known) {
  const auto has_texts = files.kind->has_words ? list_has(path, said_column()) : Result<bool>(false);
  if (!has_texts) return tl::unexpected(has_texts.error());
  if (!*has_texts) return take_listed_labels(files, path, known);
  if (auto ok = take_texts(files, path); !ok) return ok;
  const auto has_labels = list_has(path, label_column());
  return has_labels && *has_labels ? take_listed_labels(files, path, known) : Result<void>();
}

std::string first_folder(std::string_view name) {
  const auto slash = name.find('/');
  return slash == std::string_view::npos ? "" : std::string(name.substr(0, slash));
}

/// Without it, the folders behind it would be other classes.
Result<void> expect_folders_readable(const LabelledFiles& files) {
  for (const PassedOver& one : files.passed_over)
    if (one.is_unreadable && one.name.find('/') == std::string::npos)
      return fail(ErrorKind::bad_input,
                  "cannot read the folder " + printable((files.folder / one.name).string()) + ": " + one.reason +
                      ", and folders are the labels here: without it the others would be other classes",
                  "make it readable, or give labels (--labels)");
  return {};
}

Result<void> label_by_folders(LabelledFiles& files, const std::vector<std::string>& all, const NamedClasses& known) {
  std::set<std::string> folders;
  for (std::size_t i = 0; i < files.names.size(); ++i) folders.insert(first_folder(files.names[i]));
  if (folders.contains("")) return {};
  const auto is_refused = [](const PassedOver& one) {
    return one.is_unreadable && one.name.find('/') == std::string::npos;
  };
  if (folders.size() + static_cast<std::size_t>(std::ranges::count_if(files.passed_over, is_refused)) < 2) return {};
  if (auto ok = expect_folders_readable(files); !ok) return ok;
  auto numbers = number_folders(folders, known);
  if (!numbers && files.kind->has_words) {
    files.no_folders = numbers.error().message;
    return {};
  }
  if (!numbers) return tl::unexpected(numbers.error());
  for (std::size_t i = 0; i < files.names.size(); ++i)
    files.labels.push_back(numbers->of_label.at(first_folder(files.names[i])));
  for (const std::string& folder : all)
    if (!folders.contains(folder)) files.empty_folders.push_back(folder);
  files.labels_from = "the names of folders";
  files.label_folders = {folders.begin(), folders.end()};
  files.classes = std::move(numbers->names);
  files.numbered = std::move(numbers->how);
  return {};
}

Result<void> label(LabelledFiles& files, const fs::path& labels, const std::vector<std::string>& folders,
                   const NamedClasses& known) {
  std::error_code ignored;
  if (fs::is_directory(labels, ignored)) return {};
  if (!labels.empty()) return label_by_list(files, labels, known);
  for (const char* name : {lists[0], lists[1]})
    if (fs::is_regular_file(files.folder / name, ignored)) return label_by_list(files, files.folder / name, known);
  return label_by_folders(files, folders, known);
}

}  // namespace

namespace {

/// "masks/" of a folder that lies below the other one; else "".
std::string place_below(const fs::path& one, const fs::path& folder) {
  std::error_code error;
  if (one.empty() || !fs::is_directory(one, error)) return "";
  const fs::path place = fs::weakly_canonical(one, error).lexically_relative(fs::weakly_canonical(folder, error));
  const bool is_below = !error && !place.empty() && *place.begin() != ".." && place != ".";
  return is_below ? place.generic_string() + "/" : "";
}

}  // namespace

Result<LabelledFiles> list_files(const FileKind& kind, const fs::path& folder, const fs::path& labels,
                                 const std::vector<std::string>& classes) {
  const std::string apart = place_below(labels, folder);
  std::vector<std::string> found, other;
  auto walked = walk_folder(folder, [&](std::string name) {
    if (!apart.empty() && name.starts_with(apart)) return true;
    const bool is_list = std::ranges::find(lists, name) != lists.end();
    if (!is_list) (kind.may_be_one(name) ? found : other).push_back(std::move(name));
    return true;
  });
  if (!walked) return tl::unexpected(walked.error());
  std::ranges::sort(found);
  std::ranges::sort(other);
  LabelledFiles files;
  files.kind = &kind;
  files.folder = folder;
  for (const std::string& name : found) files.names.add(name);
  for (const std::string& name : other) files.other.add(name);
  for (PassedOver& one : walked->passed_over)
    if (one.is_folder || kind.may_be_one(one.name)) files.passed_over.push_back(std::move(one));
  if (found.empty()) return files;
  const auto known = known_classes(folder, classes);
  if (!known) return tl::unexpected(known.error());
  if (auto ok = label(files, labels, walked->folders, *known); !ok) return tl::unexpected(ok.error());
  return files;
}

bool has_files(const FileKind& kind, const fs::path& folder) {
  bool found = false;
  const auto walked = walk_folder(folder, [&](const std::string& name) { return !(found = kind.may_be_one(name)); });
  // A link to a tree without end: list_files says so.
  return walked ? found : walked.error().kind == ErrorKind::unsupported;
}

}  // namespace culprit
