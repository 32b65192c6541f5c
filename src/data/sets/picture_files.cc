#include "data/sets/picture_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "base/file.h"
#include "base/text.h"
#include "data/sets/label_list.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::array endings = {".jpg", ".jpeg", ".png", ".gif", ".webp", ".bmp", ".ppm", ".pgm", ".pbm"};
constexpr std::array lists = {"labels.csv", "labels.jsonl", "classes.txt"};
constexpr std::int64_t most_classes = 1'000'000;

bool may_be_picture(std::string_view name) {
  std::string ending = fs::path(name).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::find(endings, ending) != endings.end();
}

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with("."); }

/// Calls `take` with the name of each file below the folder until it says that this is enough.
Result<void> walk(const fs::path& folder, const std::function<bool(std::string)>& take) {
  std::error_code error;
  const fs::path root = folder.has_filename() ? folder : folder.parent_path();
  const std::size_t prefix = root.string().size() + 1;
  auto entry = fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code unreadable;
    if (is_hidden(entry->path())) {
      if (entry->is_directory(unreadable)) entry.disable_recursion_pending();
    } else if (entry->is_regular_file(unreadable)) {
      if (!take(entry->path().string().substr(prefix))) return {};
    }
  }
  if (error)
    return fail(ErrorKind::io, "cannot read the folder " + printable(folder.string()) + ": " + error.message());
  return {};
}

std::optional<std::int64_t> number_of(std::string_view label) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), number);
  const bool is_number = error == std::errc{} && end == label.data() + label.size();
  return is_number && number >= 0 && number < most_classes ? std::optional(number) : std::nullopt;
}

Result<std::vector<std::string>> read_classes(const fs::path& path) {
  auto text = read_file(path, std::uint64_t{1} << 26);
  if (!text) return tl::unexpected(text.error());
  std::vector<std::string> names;
  for (const std::string& line : split(*text, '\n')) names.emplace_back(trim(line));
  while (!names.empty() && names.back().empty()) names.pop_back();
  return names;
}

/// The number of each label that occurs.
Result<std::map<std::string, std::int32_t, std::less<>>> number_labels(const std::set<std::string>& labels,
                                                                       PictureFiles& files) {
  std::map<std::string, std::int32_t, std::less<>> numbers;
  const fs::path list = files.folder / "classes.txt";
  std::error_code ignored;
  const bool has_list = fs::exists(list, ignored);
  if (has_list) {
    auto names = read_classes(list);
    if (!names) return tl::unexpected(names.error());
    files.classes = std::move(*names);
  } else if (std::ranges::all_of(labels, [](const std::string& label) { return number_of(label).has_value(); })) {
    for (const std::string& label : labels) numbers[label] = static_cast<std::int32_t>(*number_of(label));
    std::int32_t most = 0;
    for (const auto& [label, number] : numbers) most = std::max(most, number);
    for (std::int32_t i = 0; i <= most; ++i) files.classes.push_back(std::to_string(i));
    return numbers;
  } else {
    files.classes.assign(labels.begin(), labels.end());
  }
  for (std::size_t i = 0; i < files.classes.size(); ++i)
    numbers.emplace(files.classes[i], static_cast<std::int32_t>(i));
  for (const std::string& label : labels) {
    if (numbers.contains(label)) continue;
    return fail(ErrorKind::bad_input, "the label '" + printable(label, 100) + "' is not in " + printable(list.string()),
                "classes.txt has the name of one class a line, in the order of the model's classes");
  }
  return numbers;
}

/// Gives each file the label that `label_of` finds; "" for none.
Result<void> give_labels(PictureFiles& files, const std::function<std::string(std::string_view)>& label_of) {
  std::set<std::string> labels;
  for (std::size_t i = 0; i < files.names.size(); ++i)
    if (std::string label = label_of(files.names[i]); !label.empty()) labels.insert(std::move(label));
  const auto numbers = number_labels(labels, files);
  if (!numbers) return tl::unexpected(numbers.error());
  for (std::size_t i = 0; i < files.names.size(); ++i) {
    const std::string label = label_of(files.names[i]);
    files.labels.push_back(label.empty() ? -1 : numbers->at(label));
  }
  return {};
}

/// By the whole name below the folder, else by the file's own name.
Result<void> label_by_list(PictureFiles& files, const fs::path& list) {
  const auto labels = read_label_list(list);
  if (!labels) return tl::unexpected(labels.error());
  const auto label_of = [&](std::string_view name) -> std::string {
    auto at = labels->find(name);
    if (at == labels->end()) at = labels->find(fs::path(name).filename().string());
    return at == labels->end() ? "" : at->second;
  };
  files.labels_from = list.filename().string();
  if (auto ok = give_labels(files, label_of); !ok) return ok;
  if (std::ranges::any_of(files.labels, [](std::int32_t label) { return label >= 0; })) return {};
  return fail(ErrorKind::bad_input,
              printable(list.string()) + " names none of the pictures in " + printable(files.folder.string()),
              "names are those below that folder, such as " + std::string(files.names[0]));
}

std::string first_folder(std::string_view name) {
  const auto slash = name.find('/');
  return slash == std::string_view::npos ? "" : std::string(name.substr(0, slash));
}

Result<void> label(PictureFiles& files, const fs::path& labels) {
  if (!labels.empty()) return label_by_list(files, labels);
  std::error_code ignored;
  for (const char* name : {lists[0], lists[1]})
    if (fs::is_regular_file(files.folder / name, ignored)) return label_by_list(files, files.folder / name);
  std::set<std::string> folders;
  for (std::size_t i = 0; i < files.names.size(); ++i) folders.insert(first_folder(files.names[i]));
  if (folders.contains("") || folders.size() < 2) return {};
  files.labels_from = "the names of folders";
  return give_labels(files, first_folder);
}

}  // namespace

Result<PictureFiles> list_pictures(const fs::path& folder, const fs::path& labels) {
  std::vector<std::string> pictures, other;
  auto walked = walk(folder, [&](std::string name) {
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
  if (pictures.empty()) return files;
  if (auto ok = label(files, labels); !ok) return tl::unexpected(ok.error());
  return files;
}

bool has_pictures(const fs::path& folder) {
  bool found = false;
  const auto walked = walk(folder, [&](const std::string& name) { return !(found = may_be_picture(name)); });
  return walked && found;
}

}  // namespace culprit
