#pragma once
// Takes a child's stdout and stderr: a file without a name, so that nothing is left behind whoever dies.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "process/file_descriptor.h"

namespace culprit {

class LogFile {
 public:
  LogFile() = default;
  static Result<LogFile> create(const std::filesystem::path& folder);
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] std::string last_words() const;  ///< the last 4 KB, made printable
  void clear();                                  ///< before the next job of the same child
  void keep_small();  ///< a child that writes without end must not fill the disk: over 16 MiB, begins anew

 private:
  explicit LogFile(Fd fd) : fd_(std::move(fd)) {}
  Fd fd_;
};

}  // namespace culprit
