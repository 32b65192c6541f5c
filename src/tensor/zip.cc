#include "tensor/zip.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <optional>

namespace culprit {
namespace {

using Archive = std::span<const std::byte>;

constexpr std::uint32_t local_magic = 0x04034b50;
constexpr std::uint32_t entry_magic = 0x02014b50;
constexpr std::uint32_t end_magic = 0x06054b50;
constexpr std::uint32_t end64_magic = 0x06064b50;
constexpr std::uint32_t locator64_magic = 0x07064b50;
constexpr std::size_t local_size = 30, entry_size = 46, end_size = 22, end64_size = 56, locator64_size = 20;
constexpr std::uint32_t in_zip64 = 0xffffffff;      // "look in the 64-bit field"
constexpr std::uint64_t best_deflate_ratio = 1040;  // 1032 by the format's limits, and a little for the ends

tl::unexpected<Error> broken(const std::string& what) { return fail(ErrorKind::bad_input, what); }

/// The caller has made sure that the bytes are there.
std::uint64_t number(Archive bytes, std::size_t at, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  return value;
}

bool fits(Archive archive, std::uint64_t at, std::uint64_t size) {
  return at <= archive.size() && size <= archive.size() - at;
}

struct Directory {
  std::uint64_t at = 0, size = 0, entries = 0;
};

/// The end record is the last thing in the file but for a comment of up to 64 KB.
std::optional<std::size_t> find_end(Archive archive) {
  if (archive.size() < end_size) return std::nullopt;
  const std::size_t last = archive.size() - end_size;
  for (std::size_t back = 0; back <= std::min<std::size_t>(last, 0xffff); ++back) {
    if (number(archive, last - back, 4) == end_magic && number(archive, last - back + 20, 2) == back)
      return last - back;
  }
  return std::nullopt;
}

Result<Directory> find_directory64(Archive archive, std::size_t end) {
  if (end < locator64_size || number(archive, end - locator64_size, 4) != locator64_magic)
    return broken("its end is damaged");
  const std::uint64_t at = number(archive, end - locator64_size + 8, 8);
  if (!fits(archive, at, end64_size) || number(archive, at, 4) != end64_magic)
    return broken("its 64-bit end is damaged");
  return Directory{number(archive, at + 48, 8), number(archive, at + 40, 8), number(archive, at + 32, 8)};
}

Result<Directory> find_directory(Archive archive) {
  const auto end = find_end(archive);
  if (!end) return broken("it has no zip directory at its end: it is not a zip archive, or was cut short");
  Directory directory{number(archive, *end + 16, 4), number(archive, *end + 12, 4), number(archive, *end + 10, 2)};
  if (directory.at == in_zip64 || directory.size == in_zip64 || directory.entries == 0xffff) {
    auto wide = find_directory64(archive, *end);
    if (!wide) return wide;
    directory = *wide;
  }
  if (!fits(archive, directory.at, directory.size)) return broken("its directory lies outside the file");
  if (directory.entries > directory.size / entry_size)
    return broken("its directory speaks of more members than it holds");
  return directory;
}

/// Extra field 1 has, in this order, those of size, compressed size and position that did not fit into 32 bits.
bool widen(Archive extra, ZipMember& member) {
  const bool needed = member.size == in_zip64 || member.compressed == in_zip64 || member.header_at == in_zip64;
  while (needed && extra.size() >= 4) {
    const std::uint64_t id = number(extra, 0, 2);
    const std::uint64_t length = number(extra, 2, 2);
    if (length > extra.size() - 4) return false;
    Archive field = extra.subspan(4, length);
    extra = extra.subspan(4 + length);
    if (id != 1) continue;
    for (auto* value : {&member.size, &member.compressed, &member.header_at}) {
      if (*value != in_zip64) continue;
      if (field.size() < 8) return false;
      *value = number(field, 0, 8);
      field = field.subspan(8);
    }
    return true;
  }
  return !needed;
}

/// Takes one entry off the front of the directory.
Result<ZipMember> take_entry(Archive& directory) {
  if (directory.size() < entry_size || number(directory, 0, 4) != entry_magic)
    return broken("its directory is damaged");
  const std::size_t name = number(directory, 28, 2), extra = number(directory, 30, 2),
                    comment = number(directory, 32, 2);
  if (!fits(directory, entry_size, name + extra + comment)) return broken("its directory ends inside an entry");
  ZipMember member;
  member.flags = static_cast<std::uint16_t>(number(directory, 8, 2));
  member.method = static_cast<std::uint16_t>(number(directory, 10, 2));
  member.crc = static_cast<std::uint32_t>(number(directory, 16, 4));
  member.compressed = number(directory, 20, 4);
  member.size = number(directory, 24, 4);
  member.header_at = number(directory, 42, 4);
  member.name.assign(reinterpret_cast<const char*>(directory.data()) + entry_size, name);
  if (!widen(directory.subspan(entry_size + name, extra), member)) return broken("an entry's 64-bit sizes are damaged");
  directory = directory.subspan(entry_size + name + extra + comment);
  return member;
}

Result<void> check_member(Archive archive, const ZipMember& member) {
  if ((member.flags & 1) != 0)
    return fail(ErrorKind::unsupported, "a member is encrypted", "save it without a password");
  if (member.method != 0 && member.method != 8) {
    return fail(ErrorKind::unsupported, "a member is compressed by method " + std::to_string(member.method),
                "save it with numpy.savez or savez_compressed");
  }
  if (!fits(archive, member.header_at, local_size) || member.compressed > archive.size()) {
    return broken("a member lies outside the file");
  }
  if (member.method == 0 && member.size != member.compressed) return broken("a stored member has two different sizes");
  if (member.size / best_deflate_ratio > member.compressed) {
    return broken("a member claims to be larger than " + std::to_string(member.compressed) + " bytes can inflate to");
  }
  return {};
}

/// The member's bytes in the archive. Only the two lengths of the local header matter: they say where those begin.
Result<Archive> compressed_bytes(Archive archive, const ZipMember& member) {
  const std::uint64_t at = member.header_at;
  if (!fits(archive, at, local_size) || number(archive, at, 4) != local_magic)
    return broken("a member's header is damaged");
  const std::uint64_t start = at + local_size + number(archive, at + 26, 2) + number(archive, at + 28, 2);
  if (!fits(archive, start, member.compressed)) return broken("a member ends after the file");
  return archive.subspan(start, member.compressed);
}

/// zlib counts in 32 bits, so both sides are fed to it in pieces. False unless the stream ends just where both do.
bool inflate_all(Archive in, std::string& out) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return false;
  constexpr std::size_t piece = std::size_t{1} << 30;
  std::size_t fed = 0, room_given = 0;
  char beyond = 0;  // a stream that goes on would write here
  int state = Z_OK;
  while (state == Z_OK) {
    if (stream.avail_in == 0 && fed < in.size()) {
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data() + fed));
      stream.avail_in = static_cast<uInt>(std::min(piece, in.size() - fed));
      fed += stream.avail_in;
    }
    if (stream.avail_out == 0 && room_given <= out.size()) {
      const std::size_t room = std::min(piece, out.size() - room_given);
      stream.next_out = reinterpret_cast<Bytef*>(room > 0 ? out.data() + room_given : &beyond);
      stream.avail_out = static_cast<uInt>(std::max<std::size_t>(room, 1));
      room_given += std::max<std::size_t>(room, 1);
    }
    state = inflate(&stream, Z_NO_FLUSH);  // Z_BUF_ERROR where neither side has anything left
  }
  const bool whole = state == Z_STREAM_END && stream.total_out == out.size() && stream.total_in == in.size();
  inflateEnd(&stream);
  return whole;
}

std::uint32_t checksum(const std::string& bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

Result<std::vector<ZipMember>> list_zip(std::span<const std::byte> archive) {
  auto directory = find_directory(archive);
  if (!directory) return tl::unexpected(directory.error());
  Archive rest = archive.subspan(directory->at, directory->size);
  std::vector<ZipMember> members;
  std::uint64_t compressed = 0, inflated = 0;
  for (std::uint64_t i = 0; i < directory->entries; ++i) {
    auto member = take_entry(rest);
    if (!member) return tl::unexpected(member.error());
    if (auto sound = check_member(archive, *member); !sound) return tl::unexpected(sound.error());
    compressed += member->compressed;  // each at most the size of the file, and the file has room for few entries
    inflated += member->method == 0 ? 0 : member->size;
    if (compressed > archive.size()) return broken("its members overlap");
    if (inflated > largest_inflated) return broken("its members inflate to more than the limit of 4 GiB");
    members.push_back(std::move(*member));
  }
  return members;
}

Result<std::string> extract(std::span<const std::byte> archive, const ZipMember& member) {
  auto bytes = compressed_bytes(archive, member);
  if (!bytes) return tl::unexpected(bytes.error());
  std::string content;
  try {
    content.resize(member.size);
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, "no memory for a member of " + std::to_string(member.size) + " bytes");
  }
  if (member.method == 0) {
    std::copy_n(reinterpret_cast<const char*>(bytes->data()), bytes->size(), content.begin());
  } else if (!inflate_all(*bytes, content)) {
    return broken("a member does not inflate to the size it claims");
  }
  if (checksum(content) != member.crc) return broken("a member's checksum is wrong");
  return content;
}

}  // namespace culprit
