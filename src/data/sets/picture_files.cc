#include "data/sets/picture_files.h"

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "data/sets/class_numbers.h"
#include "data/sets/label_list.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::array endings = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".ppm", ".pgm", ".pbm"};
constexpr std::array lists = {"labels.csv", "labels.jsonl", "classes.txt"};

bool may_be_picture(std::string_view name) {
  std::string ending = fs::path(name).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(endings, ending) != endings.end();
}

Result<std::vector<std::string>> read_classes(const fs::path& path) {
  auto text = read_file(path, std::uint64_t{1} << 26);
  if (!text) return tl::unexpected(text.error());
  std::vector<std::string> names;
  for (const std::string& line : split(without_byte_order_mark(*text), '\n')) names.emplace_back(trim(line));
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

/// By the whole name below the folder, else by the file's own name.
Result<void> label_by_list(PictureFiles& files, const fs::path& list, const NamedClasses& known) {
  const auto labels = read_label_list(list);
  if (!labels) return tl::unexpected(labels.error());
  auto numbers = number_listed_labels(*labels, known, printable(list.string()));
  if (!numbers) return tl::unexpected(numbers.error());
  std::set<std::string_view> named;
  for (std::size_t i = 0; i < files.names.size(); ++i) {
    auto at = labels->find(files.names[i]);
    if (at == labels->end()) at = labels->find(fs::path(files.names[i]).filename().string());
    const bool is_listed = at != labels->end();
    if (is_listed) named.insert(at->first);
    files.labels.push_back(is_listed ? numbers->of_label.at(at->second.text) : -1);
    if (is_listed && files.labels.back() < 0) ++files.taken_as_none;
  }
  if (named.empty())
    return fail(ErrorKind::bad_input,
                printable(list.string()) + " names none of the pictures in " + printable(files.folder.string()),
                "names are those below that folder, such as " + printable(files.names[0], 200));
  for (const auto& [name, label] : *labels)
    if (!named.contains(name)) files.listed_elsewhere.push_back(name);
  files.labels_from = printable(list.filename().string(), 100);
  files.classes = std::move(numbers->names);
  files.numbered = std::move(numbers->how);
  return {};
}

std::string first_folder(std::string_view name) {
  const auto slash = name.find('/');
  return slash == std::string_view::npos ? "" : std::string(name.substr(0, slash));
}

/// Without it, the folders behind it would be other classes.
Result<void> expect_folders_readable(const PictureFiles& files) {
  for (const PassedOver& one : files.passed_over)
    if (one.is_unreadable && one.name.find('/') == std::string::npos)
      return fail(ErrorKind::bad_input,
                  "cannot read the folder " + printable((files.folder / one.name).string()) + ": " + one.reason +
                      ", and folders are the labels here: without it the others would be other classes",
                  "make it readable, or give labels (--labels)");
  return {};
}

Result<void> label_by_folders(PictureFiles& files, const std::vector<std::string>& all, const NamedClasses& known) {
  std::set<std::string> folders;
  for (std::size_t i = 0; i < files.names.size(); ++i) folders.insert(first_folder(files.names[i]));
  if (folders.contains("")) return {};
  const auto is_refused = [](const PassedOver& one) {
    return one.is_unreadable && one.name.find('/') == std::string::npos;
  };
  if (folders.size() + static_cast<std::size_t>(std::ranges::count_if(files.passed_over, is_refused)) < 2) return {};
  if (auto ok = expect_folders_readable(files); !ok) return ok;
  auto numbers = number_folders(folders, known);
  if (!numbers) return tl::unexpected(numbers.error());
  for (std::size_t i = 0; i < files.names.size(); ++i)
    files.labels.push_back(numbers->of_label.at(first_folder(files.names[i])));
  for (const std::string& folder : all)
    if (!folders.contains(folder)) files.empty_folders.push_back(folder);
  files.labels_from = "the names of folders";
  files.classes = std::move(numbers->names);
  files.numbered = std::move(numbers->how);
  return {};
}

Result<void> label(PictureFiles& files, const fs::path& labels, const std::vector<std::string>& folders,
                   const NamedClasses& known) {
  if (!labels.empty()) return label_by_list(files, labels, known);
  std::error_code ignored;
  for (const char* name : {lists[0], lists[1]})
    if (fs::is_regular_file(files.folder / name, ignored)) return label_by_list(files, files.folder / name, known);
  return label_by_folders(files, folders, known);
}

}  // namespace

Result<PictureFiles> list_pictures(const fs::path& folder, const fs::path& labels,
                                   const std::vector<std::string>& classes) {
  std::vector<std::string> pictures, other;
  auto walked = walk_folder(folder, [&](std::string name) {
    const bool is_list = std::ranges::find(lists, name) != lists.end();
    if (!is_list) (may_be_picture(name) ? pictures : other).push_back(std::move(name));
    return true;
  });
  if (!walked) return tl::unexpected(walked.error());
  std::ranges::sort(pictures);
  std::ranges::sort(other);
  PictureFiles files;
  files.folder = folder;
  for (const std::string& name : pictures) files.names.add(name);
  for (const std::string& name : other) files.other.add(name);
  for (PassedOver& one : walked->passed_over)
    if (one.is_folder || may_be_picture(one.name)) files.passed_over.push_back(std::move(one));
  if (pictures.empty()) return files;
  const auto known = known_classes(folder, classes);
  if (!known) return tl::unexpected(known.error());
  if (auto ok = label(files, labels, walked->folders, *known); !ok) return tl::unexpected(ok.error());
  return files;
}

bool has_pictures(const fs::path& folder) {
  bool found = false;
  const auto walked = walk_folder(folder, [&](const std::string& name) { return !(found = may_be_picture(name)); });
  // A link to a tree without end: list_pictures says so.
  return walked ? found : walked.error().kind == ErrorKind::unsupported;
}

}  // namespace culprit
