#pragma once
// Archives written by hand, in which everything can lie.

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

inline std::string number(std::uint64_t value, int width) {
  std::string bytes;
  for (int i = 0; i < width; ++i, value >>= 8) bytes += static_cast<char>(value);
  return bytes;
}

inline std::string deflated(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// A member as it is going to be written: everything that can lie is a field.
struct Member {
  std::string name, data;
  std::uint64_t method = 0, size = 0, crc = 0, flags = 0;
};

inline Member member(const std::string& name, const std::string& content, bool deflate = false) {
  const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  return {name, deflate ? deflated(content) : content, deflate ? 8U : 0U, content.size(), crc, 0};
}

/// With `wide` sizes and positions stand in 64-bit fields, as beyond 4 GiB.
inline std::string zip(const std::vector<Member>& members, bool wide = false, const std::string& comment = "") {
  std::string file, directory;
  for (const auto& m : members) {
    const std::string common = number(m.flags, 2) + number(m.method, 2) + number(0, 4) + number(m.crc, 4);
    const std::string sizes = number(wide ? 0xffffffff : m.data.size(), 4) + number(wide ? 0xffffffff : m.size, 4);
    const std::string extra =
        wide ? number(1, 2) + number(24, 2) + number(m.size, 8) + number(m.data.size(), 8) + number(file.size(), 8)
             : "";
    directory += number(0x02014b50, 4) + number(20, 2) + number(20, 2) + common + sizes + number(m.name.size(), 2) +
                 number(extra.size(), 2) + number(0, 10) + number(wide ? 0xffffffff : file.size(), 4);
    directory += m.name + extra;
    file += number(0x04034b50, 4) + number(20, 2) + common + number(m.data.size(), 4) + number(m.size, 4) +
            number(m.name.size(), 2) + number(0, 2) + m.name + m.data;
  }
  const std::string counts = number(members.size(), 2) + number(members.size(), 2);
  const std::string counts64 = number(members.size(), 8) + number(members.size(), 8);
  const std::uint64_t begin = file.size(), end = begin + directory.size();
  const std::string end64 = number(0x06064b50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8) +
                            counts64 + number(directory.size(), 8) + number(begin, 8);
  const std::string locator = number(0x07064b50, 4) + number(0, 4) + number(end, 8) + number(1, 4);
  return file + directory + (wide ? end64 + locator : "") + number(0x06054b50, 4) + number(0, 4) + counts +
         number(directory.size(), 4) + number(wide ? 0xffffffff : begin, 4) + number(comment.size(), 2) + comment;
}

}  // namespace culprit
