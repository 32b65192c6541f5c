#pragma once
// All files of a folder.

#include <filesystem>
#include <vector>

#include "base/error.h"

namespace culprit {

/// The regular files in it and in all folders below, sorted by path. Links to folders are not followed. ErrorKind::io.
Result<std::vector<std::filesystem::path>> files_below(const std::filesystem::path& folder);

}  // namespace culprit
