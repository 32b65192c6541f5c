#pragma once
// Zip archives as numpy and Keras write them: stored or deflated members, read by libzip. No size that an archive
// claims is believed before it was looked at.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file_parts.h"

struct zip;
struct zip_source;

namespace culprit {

struct ZipMember {
  std::string name;
  std::uint64_t number = 0;      ///< in the archive
  bool is_stored = false;        ///< else deflated
  std::uint64_t compressed = 0;  ///< bytes in the archive
  std::uint64_t size = 0;        ///< bytes once inflated
  std::uint32_t checksum = 0;    ///< CRC-32 of these
};

/// Against zip bombs: what all members of one archive may come to when inflated.
constexpr std::uint64_t largest_inflated = UINT64_C(4) << 30;

class ZipArchive {
 public:
  /// The bytes outlive this. An error where it is no archive, or the sizes of its members do not fit it, or exceed what
  /// deflate can do.
  static Result<ZipArchive> open(std::span<const std::byte> bytes);
  /// Opens a file, of which only what is asked for is read.
  static Result<ZipArchive> open_file(const std::filesystem::path& path);

  /// In the order of the directory.
  [[nodiscard]] const std::vector<ZipMember>& members() const { return members_; }
  /// Exactly `member.size` bytes, whose checksum agrees.
  Result<std::string> extract(const ZipMember& member);
  /// The first bytes, at most so many.
  Result<std::string> begin(const ZipMember& member, std::size_t most);
  /// As `extract`, piece by piece to the end of a file.
  Result<void> extract_into(const ZipMember& member, GrowingFile& file);

 private:
  struct Discard {
    void operator()(::zip* archive) const;
  };
  static Result<ZipArchive> open_source(::zip_source* source, std::uint64_t size);
  using Handle = std::unique_ptr<::zip, Discard>;

  ZipArchive(Handle archive, std::vector<ZipMember> members)
      : archive_(std::move(archive)), members_(std::move(members)) {}

  Handle archive_;
  std::vector<ZipMember> members_;
};

/// Tells where the bytes of a stored member begin in its archive, which lies in this file. An error where its headers
/// do not agree with what the directory says of it.
Result<std::uint64_t> place_of_stored(const FileParts& archive, const ZipMember& member);

}  // namespace culprit
