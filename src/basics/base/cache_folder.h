#pragma once
// The folder in which scripts/setup puts what it brings.

#include <filesystem>

namespace culprit {

/// $CULPRIT_CACHE, $XDG_CACHE_HOME/culprit or ~/.cache/culprit, as in scripts/setup; empty where nothing says where.
std::filesystem::path cache_folder();

}  // namespace culprit
