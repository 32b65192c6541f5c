#pragma once
// Archives of models with their test data (.tar.gz). They are untrusted.

#include <cstdint>
#include <filesystem>

#include "base/error.h"
#include "base/stop.h"

namespace culprit {

struct UnpackLimits {
  std::uint64_t most_bytes = UINT64_C(64) << 30;  ///< of all files together
  std::uint64_t most_files = 100'000;
};

/// Unpacks the files and folders of an archive into `folder`, which is new and is there afterwards with all of it, or
/// not at all. ErrorKind::bad_input, with the name: an entry that would leave the folder (.., an absolute path), a
/// link, a device, more than the limits, a damaged archive. io; interrupted.
Result<void> unpack_archive(const std::filesystem::path& archive, const std::filesystem::path& folder,
                            const UnpackLimits& limits = {}, const Stop& stop = {});

}  // namespace culprit
