#pragma once
// Zip archives as numpy writes them: stored or deflated members, read by libzip. No size that an archive claims is
// believed before it was looked at. Private to this room.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

struct zip;

namespace culprit {

struct ZipMember {
  std::string name;
  std::uint64_t number = 0;      ///< in the archive
  bool is_stored = false;        ///< else deflated
  std::uint64_t compressed = 0;  ///< bytes in the archive
  std::uint64_t size = 0;        ///< bytes once inflated
};

/// Against zip bombs: what all members of one archive may come to when inflated.
constexpr std::uint64_t largest_inflated = UINT64_C(4) << 30;

class ZipArchive {
 public:
  /// The bytes outlive this. An error where it is no archive, or the sizes of its members do not fit it, or exceed what
  /// deflate can do.
  static Result<ZipArchive> open(std::span<const std::byte> bytes);

  /// In the order of the directory.
  [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
  /// Exactly `member.size` bytes, whose checksum agrees.
  Result<std::string> extract(const ZipMember& member);

 private:
  struct Discard {
    void operator()(::zip* archive) const;
  };
  using Handle = std::unique_ptr<::zip, Discard>;

  ZipArchive(Handle archive, std::vector<ZipMember> members)
      : archive_(std::move(archive)), members_(std::move(members)) {}

  Handle archive_;
  std::vector<ZipMember> members_;
};

}  // namespace culprit
