#pragma once
// A repository of the Hugging Face hub on this machine. The folders are those of Python's huggingface_hub, so that each
// finds what the other brought: models--org--model/ has refs/REVISION, which holds a commit; snapshots/COMMIT/PATH, a
// relative link; and what it leads to, blobs/NAME.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

class HfCache {
 public:
  /// `cache` has a folder for each repository. Nothing is made before something comes in.
  HfCache(const std::filesystem::path& cache, const std::string& repository);

  [[nodiscard]] std::filesystem::path ref(const std::string& revision) const;
  [[nodiscard]] std::filesystem::path file(const std::string& commit, const std::string& path) const;
  [[nodiscard]] std::filesystem::path blob(const std::string& name) const;

  /// The commit that the revision was when somebody asked last; a commit is itself.
  [[nodiscard]] std::optional<std::string> commit_of(const std::string& revision) const;
  /// Is it there, and does its link lead to something?
  [[nodiscard]] bool has(const std::string& commit, const std::string& path) const;
  /// All files of the snapshot that are here, by their paths in the repository.
  [[nodiscard]] std::vector<std::string> files(const std::string& commit) const;

  /// Both are there at once and whole, or not at all. ErrorKind::io.
  [[nodiscard]] Result<void> keep_ref(const std::string& revision, const std::string& commit) const;
  [[nodiscard]] Result<void> link(const std::string& commit, const std::string& path, const std::string& blob) const;

 private:
  std::filesystem::path folder_;
};

/// The name that git gives to a file of this content. Errors: those of reading.
Result<std::string> git_blob_name(const std::filesystem::path& file);

}  // namespace culprit
