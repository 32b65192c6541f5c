#pragma once
// Folders of samples and outputs.

#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace culprit {

/// Makes the folder and those above it; does nothing where it is there already.
inline Result<void> make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(ErrorKind::io, "cannot make the folder " + folder.string() + ": " + error.message());
  return {};
}

/// Removes it with all that is in it; "" is no folder. What cannot be removed goes with the check's own folder later.
inline void remove_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::remove_all(folder, ignored);
}

}  // namespace culprit
