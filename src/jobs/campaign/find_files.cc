#include "campaign/find_files.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace fs = std::filesystem;
namespace {

using Names = std::vector<std::string>;
using At = Names::const_iterator;

bool names_match(At path, At path_end, At pattern, At pattern_end) {
  if (pattern == pattern_end) return path == path_end;
  if (*pattern == "**") {
    for (At rest = path;; ++rest) {
      if (names_match(rest, path_end, pattern + 1, pattern_end)) return true;
      if (rest == path_end || rest->starts_with(".")) return false;
    }
  }
  if (path == path_end || ::fnmatch(pattern->c_str(), path->c_str(), FNM_PERIOD) != 0) return false;
  return names_match(path + 1, path_end, pattern + 1, pattern_end);
}

/// Where to look, and the pattern from there: as many names as are no patterns belong to the folder.
struct Search {
  fs::path folder;  ///< as it was written, from the folder of the campaign
  Names pattern;
};

Search search_of(const std::string& pattern) {
  Search search;
  Names names = split(pattern, '/');
  auto first = std::ranges::find_if(names, is_pattern);
  if (pattern.starts_with("/")) search.folder = "/";
  for (auto name = names.begin(); name != first; ++name) search.folder /= *name;
  for (auto name = first; name != names.end(); ++name)
    if (!name->empty()) search.pattern.push_back(*name);
  return search;
}

/// Reads no folder that nothing of the pattern can lie in.
class Walk {
 public:
  Walk(const fs::path& root, const Search& search) : root_(root), search_(search) {}

  Result<Names> files() {
    if (auto ok = into(root_ / search_.folder, {}); !ok) return tl::unexpected(ok.error());
    std::ranges::sort(found_);
    return std::move(found_);
  }
  [[nodiscard]] const Names& seen() const { return seen_; }

 private:
  static constexpr std::size_t deepest = 64;

  // NOLINTNEXTLINE(misc-no-recursion): no deeper than `deepest`
  Result<void> into(const fs::path& folder, const Names& names) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
      Names path = names;
      path.push_back(entry->path().filename().string());
      if (seen_.size() < 4) seen_.push_back(path.back());
      std::error_code ignored;
      const bool is_folder = entry->is_directory(ignored) && !entry->is_symlink(ignored);
      if (is_folder && path.size() < deepest && path.size() < limit()) {
        if (path.back().starts_with(".") && !names_dots()) continue;
        if (auto ok = into(entry->path(), path); !ok) return ok;
      } else if (entry->is_regular_file(ignored) &&
                 names_match(path.begin(), path.end(), search_.pattern.begin(), search_.pattern.end())) {
        found_.push_back((search_.folder / join(path, "/")).string());
      }
    }
    if (!error) return {};
    return fail(
        error == std::errc::no_such_file_or_directory ? ErrorKind::not_found : ErrorKind::io,
        "cannot look into the folder " + printable(folder.lexically_normal().string()) + ": " + error.message());
  }
  [[nodiscard]] std::size_t limit() const {
    const bool any = std::ranges::find(search_.pattern, "**") != search_.pattern.end();
    return any ? deepest : search_.pattern.size();
  }
  [[nodiscard]] bool names_dots() const {
    return std::ranges::any_of(search_.pattern, [](const std::string& name) { return name.starts_with("."); });
  }

  const fs::path& root_;
  const Search& search_;
  Names found_, seen_;
};

Error names_nothing(const fs::path& folder, const std::string& pattern, const Names& seen) {
  return {ErrorKind::not_found,
          printable(pattern) + " names no file in " +
              (folder == "." ? "the current folder" : printable(folder.string())) +
              (seen.empty() ? "" : " (there are: " + printable(join(seen, ", "), 200) + ")"),
          "paths start from the folder of the campaign's file; * stays in one folder, ** goes into all below"};
}

}  // namespace

bool is_pattern(const std::string& text) { return text.find_first_of("*?[") != std::string::npos; }

bool matches(const std::string& path, const std::string& pattern) {
  const Names path_names = split(path, '/'), pattern_names = split(pattern, '/');
  return names_match(path_names.begin(), path_names.end(), pattern_names.begin(), pattern_names.end());
}

Result<std::vector<std::string>> find_files(const fs::path& folder, const std::string& pattern) {
  std::error_code error;
  if (fs::exists(folder / pattern, error)) return Names{pattern};  // also where its name has such a sign
  if (!is_pattern(pattern)) return tl::unexpected(names_nothing(folder, pattern, {}));
  const Search search = search_of(pattern);
  Walk walk(folder, search);
  auto files = walk.files();
  if (files && files->empty()) return tl::unexpected(names_nothing(folder, pattern, walk.seen()));
  return files;
}

}  // namespace culprit
