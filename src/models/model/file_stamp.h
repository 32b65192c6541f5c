#pragma once
// Do the files of a model still lie there as they were when it was read? Work goes on for minutes, and what changes
// under it would be taken for the optimizer's doing.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "model/model.h"

namespace culprit {

/// A file as the file system describes it: by size and time of the last change.
struct FileStamp {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  std::filesystem::file_time_type changed = {};
};

/// The stamps of the model's file and of those of its external data.
std::vector<FileStamp> stamps_of(const Model& model);

/// The first file that is another one by now, or gone.
std::optional<std::filesystem::path> changed_since(const std::vector<FileStamp>& stamps);

}  // namespace culprit
