#include "app/case_contents.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <vector>

#include "app/output_path.h"
#include "base/file.h"
#include "base/files_below.h"
#include "base/hash.h"
#include "base/text.h"
#include "data/sample_folders.h"
#include "model/external_data.h"
#include "model/model.h"

namespace culprit {
namespace {

struct HashedFiles {
  Hasher hasher;
  std::uint64_t bytes = 0;

  Result<void> add(const fs::path& file, const std::string& name) {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return tl::unexpected(mapped.error());
    hasher.add(name).add(mapped->bytes());
    bytes += mapped->bytes().size();
    return {};
  }
  [[nodiscard]] Contents contents() const { return {hasher.finish().hex(), bytes}; }
};

/// A file that is no ONNX, or a damaged one, has no external data that anybody could find.
std::vector<fs::path> external_files_of(const fs::path& file) {
  if (file.extension() != ".onnx") return {};
  const auto proto = load_proto(file);
  if (!proto) return {};
  const auto files = external_files(*proto, folder_of(file));
  return {files.begin(), files.end()};
}

Result<Contents> read_contents(const fs::path& path) {
  HashedFiles hashed;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (auto ok = hashed.add(path, ""); !ok) return tl::unexpected(ok.error());
    for (const fs::path& file : external_files_of(path))
      if (auto ok = hashed.add(file, file.filename().string()); !ok) return tl::unexpected(ok.error());
    return hashed.contents();
  }
  const auto files = files_below(path);
  if (!files) return tl::unexpected(files.error());
  for (const fs::path& file : *files)
    if (auto ok = hashed.add(file, file.lexically_relative(path).string()); !ok) return tl::unexpected(ok.error());
  return hashed.contents();
}

}  // namespace

Result<Contents> ContentReader::contents_of(const fs::path& path) {
  if (const auto known = known_.find(path); known != known_.end()) return known->second;
  auto contents = read_contents(path);
  if (contents) known_.emplace(path, *contents);
  return contents;
}

Result<std::string> ContentReader::beside(const fs::path& model) {
  std::error_code error;
  const fs::path file = fs::is_directory(model, error) ? model / "model.onnx" : model;
  std::vector<fs::path> found = test_data_beside(file);
  if (const fs::path description = folder_of(file) / "culprit.yaml"; fs::exists(description, error))
    found.push_back(description);
  if (found.empty()) return std::string();
  std::ranges::sort(found);
  Hasher hasher;
  for (const fs::path& path : found) {
    const auto contents = contents_of(path);
    if (!contents) return tl::unexpected(contents.error());
    hasher.add(path.filename().string()).add(contents->digest);
  }
  return hasher.finish().hex();
}

}  // namespace culprit
