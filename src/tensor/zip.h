#pragma once
// Zip archives as numpy writes them: stored or deflated members, found through the central directory, which is the only
// part that is believed, and only after it was checked. APPNOTE.TXT 6.3.10. Private to this room.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated
  std::uint32_t crc = 0;
  std::uint64_t compressed = 0;  ///< bytes in the archive
  std::uint64_t size = 0;        ///< bytes once inflated
  std::uint64_t header_at = 0;   ///< of its local header
};

/// Against zip bombs: what all members of one archive may come to when inflated.
constexpr std::uint64_t largest_inflated = UINT64_C(4) << 30;

/// In the order of the directory. An error where positions or sizes do not fit the archive, or exceed what deflate can
/// do.
Result<std::vector<ZipMember>> list_zip(std::span<const std::byte> archive);
/// Exactly `member.size` bytes, whose checksum agrees.
Result<std::string> extract(std::span<const std::byte> archive, const ZipMember& member);

}  // namespace culprit
