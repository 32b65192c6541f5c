#include "base/files_below.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) files.push_back(entry->path());
  }
  if (error) return fail(ErrorKind::io, "cannot look into " + printable(folder.string()) + ": " + error.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace culprit
