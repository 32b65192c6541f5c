#pragma once
// A model of a hub, copied out of the cache.

#include <filesystem>

#include "base/error.h"

namespace culprit {

/// Copies the file, its weights in other files, and the folders of test data beside it, into `folder/STEM`, which is
/// there afterwards with all of it, or not at all. Gives the path of the copy. ErrorKind::usage where that folder is
/// there already; io.
Result<std::filesystem::path> copied_model(const std::filesystem::path& file, const std::filesystem::path& folder);

}  // namespace culprit
