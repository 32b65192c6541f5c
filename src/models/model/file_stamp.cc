#include "model/file_stamp.h"

#include <algorithm>
#include <set>

#include "base/file.h"
#include "model/external_data.h"

namespace culprit {
namespace {

/// What cannot be looked at has no size and the first of all times.
FileStamp stamp_of(const fs::path& file) {
  std::error_code missing, unknown;
  const auto bytes = fs::file_size(file, missing);
  const auto changed = fs::last_write_time(file, unknown);
  if (missing || unknown) return {file};
  return {file, bytes, changed};
}

}  // namespace

std::vector<FileStamp> stamps_of(const Model& model) {
  std::set<fs::path> files{model.path};
  if (model.has_external_data) files.merge(external_files(*model.proto, model.path.parent_path()));
  std::vector<FileStamp> stamps;
  std::ranges::transform(files, std::back_inserter(stamps), stamp_of);
  return stamps;
}

std::optional<fs::path> changed_since(const std::vector<FileStamp>& stamps) {
  for (const FileStamp& before : stamps) {
    const FileStamp now = stamp_of(before.file);
    if (now.bytes != before.bytes || now.changed != before.changed) return before.file;
  }
  return std::nullopt;
}

}  // namespace culprit
