#pragma once
// Who may write to a store: one process. Private to this room.

#include <filesystem>
#include <utility>

#include "base/error.h"

namespace culprit {

/// The file NAME.lock beside a store NAME, locked (fcntl(2), F_OFD_SETLK) as long as this lives. The kernel lets go of
/// the lock when the process ends, however it ends. The file stays, for whoever removes it could remove another's.
class WriterLock {
 public:
  /// ErrorKind::usage where another store, of this or another process, has it; io where the file system has no locks.
  /// Where the process that had it is gone, what that one was starting is waited for, up to 10 seconds.
  static Result<WriterLock> take(const std::filesystem::path& store);
  WriterLock(WriterLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  WriterLock& operator=(WriterLock&&) = delete;
  ~WriterLock();

 private:
  explicit WriterLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

/// Is the store open for writing at this moment? Looking disturbs nobody. Nobody writes to a store without the file.
bool has_writer(const std::filesystem::path& store);

}  // namespace culprit
