#pragma once
// Keeps bytes that are too many for the memory, and reads any part of them again.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "base/error.h"

namespace culprit {

class Spill {
 public:
  virtual ~Spill() = default;
  virtual Result<void> append(std::string_view bytes) = 0;
  /// Fills all of `into` with what was appended, from `offset` on.
  virtual Result<void> read(std::uint64_t offset, std::span<char> into) = 0;
};

/// Each call makes another one. Empty: everything stays in memory.
using SpillMaker = std::function<Result<std::unique_ptr<Spill>>()>;

/// A file in `folder` that has no name any more, so that it goes when this does, however the process ends.
/// ErrorKind::io where it cannot be made, and later where the disk is full.
Result<std::unique_ptr<Spill>> open_spill(const std::filesystem::path& folder);

}  // namespace culprit
