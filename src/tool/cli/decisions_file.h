#pragma once
// The file that --decisions names: every decision of an evaluation, written while it runs, so that what was evaluated
// stays where the run is interrupted.

#include <cstdio>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "report/decisions_lines.h"

namespace culprit {

class DecisionsFile {
 public:
  /// .csv or .jsonl. A file that is there is replaced if it is such a file, and not before the first decision is there.
  /// Errors: usage (another ending; a file of something else is there), io (it cannot be written).
  static Result<DecisionsFile> open(const std::filesystem::path& path, std::size_t models);
  Result<void> add(const ToldSample& sample);
  /// After the last one: io where not all of it is on the disk.
  Result<void> finish();

 private:
  using Handle = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  DecisionsFile(std::filesystem::path path, DecisionsFormat format, std::size_t models)
      : path_(std::move(path)), format_(format), models_(models) {}
  Result<void> begin();
  Result<void> write(const std::string& text);

  std::filesystem::path path_;
  DecisionsFormat format_;
  std::size_t models_;
  Handle file_{nullptr, &std::fclose};  ///< null before the first decision
};

}  // namespace culprit
