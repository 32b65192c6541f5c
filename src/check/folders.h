#pragma once
// Folders of samples and outputs that nobody needs any more.

#include <filesystem>
#include <system_error>

namespace culprit {

/// Removes it with all that is in it; "" is no folder. What cannot be removed goes with the check's own folder later.
inline void remove_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
}

}  // namespace culprit
