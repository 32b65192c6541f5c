#pragma once
// What the files of a case contain, as digests: two machines that ask the same have the same.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/error.h"

namespace culprit {

/// Digest and size of a file with its external data, or of all files of a folder with their names.
struct Contents {
  std::string digest;  ///< 32 hex digits
  std::uint64_t bytes = 0;
};

/// Reads each path once.
class ContentReader {
 public:
  /// ErrorKind::not_found, io.
  Result<Contents> contents_of(const std::filesystem::path& path);
  /// The digest of a text file, such as the YAML of an optimizer, and of all files and folders that words in it name:
  /// from its folder, or by whole paths. `{here}` is its folder. ErrorKind::not_found, io.
  Result<std::string> with_what_it_names(const std::filesystem::path& file);
  /// The digest of what stands beside a model and says how it is fed: culprit.yaml with what it names, and the folders
  /// of test data that `check` would take. "" where nothing does.
  Result<std::string> beside(const std::filesystem::path& model);

 private:
  Result<std::string> digest_of_beside(const std::filesystem::path& model_file);

  std::map<std::filesystem::path, Contents> known_;
  std::map<std::filesystem::path, std::string> beside_;  // by the folder that models share
};

}  // namespace culprit
