// tensor/zip.h: place_of_stored. libzip tells no positions, so the directory is walked once more. The layout:
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.7, 4.3.12 and 4.3.14 to 4.3.16, 4.5.3.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tensor/broken_file.h"
#include "tensor/zip.h"

namespace culprit {
namespace {

constexpr std::uint64_t local_size = 30, entry_size = 46, end_size = 22, end64_size = 56, locator_size = 20;
constexpr std::uint64_t longest_comment = 0xffff;
constexpr std::uint64_t none32 = 0xffffffff, none16 = 0xffff;  // then the 64-bit fields count

std::uint64_t field(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

/// Bytes of the archive; "" where it has none there.
Result<std::string> bytes_at(const FileParts& archive, std::uint64_t at, std::uint64_t size) {
  if (at > archive.size() || size > archive.size() - at) return broken("its directory points outside the file");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (auto read = archive.read(at, std::as_writable_bytes(std::span(bytes))); !read)
    return tl::unexpected(read.error());
  return bytes;
}

/// Finds where the directory begins.
Result<std::uint64_t> directory_of(const FileParts& archive) {
  const std::uint64_t tail = std::min(archive.size(), end_size + longest_comment);
  const auto bytes = bytes_at(archive, archive.size() - tail, tail);
  if (!bytes) return tl::unexpected(bytes.error());
  const std::size_t at = bytes->rfind("PK\x05\x06");
  if (at == std::string::npos || bytes->size() - at < end_size) return broken("it has no zip directory at its end");
  const std::uint64_t begin = field(*bytes, at + 16, 4), entries = field(*bytes, at + 10, 2);
  if (begin != none32 && entries != none16) return begin;
  const std::uint64_t end_at = archive.size() - tail + at;
  if (end_at < locator_size) return begin;
  const auto locator = bytes_at(archive, end_at - locator_size, locator_size);
  if (!locator) return tl::unexpected(locator.error());
  if (!locator->starts_with("PK\x06\x07")) return begin;
  const auto end64 = bytes_at(archive, field(*locator, 8, 8), end64_size);
  if (!end64) return tl::unexpected(end64.error());
  if (!end64->starts_with("PK\x06\x06")) return broken("its directory is damaged");
  return field(*end64, 48, 8);
}

/// The position of the local header as the 64-bit field of an entry says it: behind those of its sizes that are there.
std::optional<std::uint64_t> position64(std::string_view entry, std::string_view extra) {
  while (extra.size() >= 4) {
    const std::uint64_t id = field(extra, 0, 2), size = field(extra, 2, 2);
    extra.remove_prefix(4);
    if (size > extra.size()) return std::nullopt;
    if (id == 1) {
      const std::size_t before = (field(entry, 24, 4) == none32 ? 8 : 0) + (field(entry, 20, 4) == none32 ? 8 : 0);
      return before + 8 <= size ? std::optional(field(extra, before, 8)) : std::nullopt;
    }
    extra.remove_prefix(static_cast<std::size_t>(size));
  }
  return std::nullopt;
}

/// The position of the local header of the entry with this number.
Result<std::uint64_t> header_of(const FileParts& archive, std::uint64_t wanted) {
  auto at = directory_of(archive);
  if (!at) return at;
  for (std::uint64_t i = 0;; ++i) {
    const auto entry = bytes_at(archive, *at, entry_size);
    if (!entry) return tl::unexpected(entry.error());
    if (!entry->starts_with("PK\x01\x02")) return broken("its directory is damaged");
    const std::uint64_t name = field(*entry, 28, 2), extra = field(*entry, 30, 2), comment = field(*entry, 32, 2);
    if (i < wanted) {
      *at += entry_size + name + extra + comment;
      continue;
    }
    const std::uint64_t position = field(*entry, 42, 4);
    if (position != none32) return position;
    const auto fields = bytes_at(archive, *at + entry_size + name, extra);
    if (!fields) return tl::unexpected(fields.error());
    const auto large = position64(*entry, *fields);
    return large ? Result<std::uint64_t>(*large) : broken("its directory is damaged");
  }
}

}  // namespace

Result<std::uint64_t> place_of_stored(const FileParts& archive, const ZipMember& member) {
  const auto at = header_of(archive, member.number);
  if (!at) return tl::unexpected(at.error());
  const auto local = bytes_at(archive, *at, local_size);
  if (!local) return tl::unexpected(local.error());
  const std::uint64_t name = field(*local, 26, 2), extra = field(*local, 28, 2);
  const auto called = bytes_at(archive, *at + local_size, name);
  if (!called) return tl::unexpected(called.error());
  if (!local->starts_with("PK\x03\x04") || *called != member.name || field(*local, 8, 2) != 0)
    return broken("a member is not where the directory says");
  const std::uint64_t begin = *at + local_size + name + extra;
  if (begin > archive.size() || member.size > archive.size() - begin) return broken("a member lies outside the file");
  return begin;
}

}  // namespace culprit
