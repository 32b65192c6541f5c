#pragma once

#include <filesystem>

namespace culprit {

/// A regular file, or a link to one; false where it cannot be looked at.
inline bool is_file(const std::filesystem::path& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace culprit
