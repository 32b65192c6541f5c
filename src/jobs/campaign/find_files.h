#pragma once
// Files that a pattern names, as shells know patterns, with ** for any folders.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// Has it one of the signs `*`, `?` and `[`?
bool is_pattern(const std::string& text);

/// Is `path` one that `pattern` means? `*`, `?` and `[a-z]` stay within one name; the name `**` is any number of
/// folders, also none. Both are relative, with '/' between names.
bool matches(const std::string& path, const std::string& pattern);

/// The files in `folder` that the pattern names, as paths from there, sorted. What begins with a dot has to be named
/// so. Links to files are followed, links to folders are not. Without a sign of a pattern: that file or folder itself.
/// ErrorKind::not_found where it names nothing, with what lies where it looked.
Result<std::vector<std::string>> find_files(const std::filesystem::path& folder, const std::string& pattern);

}  // namespace culprit
