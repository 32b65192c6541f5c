#pragma once
// Archives of NumPy for tests.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "tensor/npy.h"

namespace culprit {

inline void append(std::string& bytes, std::uint64_t number, int width) {
  for (int i = 0; i < width; ++i) bytes.push_back(static_cast<char>(number >> (8 * i) & 0xff));
}

inline std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

/// An .npz of stored members, written by hand: what numpy.savez makes.
inline void write_npz(const fs::path& file, const std::vector<NamedTensor>& members) {
  std::string archive, directory;
  for (const auto& member : members) {
    const fs::path part = file.parent_path() / "member.npy";
    EXPECT_TRUE(write_npy(part, member.value));
    const std::string body = read_file(part).value();
    const std::string name = member.name + ".npy";
    std::string common;  // from "version needed" to "extra length", shared by both headers
    append(common, 20, 2), append(common, 0, 2), append(common, 0, 2), append(common, 0, 4);
    append(common, crc32(body), 4), append(common, body.size(), 4), append(common, body.size(), 4);
    append(common, name.size(), 2), append(common, 0, 2);
    append(directory, 0x02014b50, 4), append(directory, 20, 2);
    directory += common;
    append(directory, 0, 2), append(directory, 0, 2), append(directory, 0, 2), append(directory, 0, 4);
    append(directory, archive.size(), 4);
    directory += name;
    append(archive, 0x04034b50, 4);
    archive += common + name + body;
  }
  std::string end;
  append(end, 0x06054b50, 4), append(end, 0, 4), append(end, members.size(), 2), append(end, members.size(), 2);
  append(end, directory.size(), 4), append(end, archive.size(), 4), append(end, 0, 2);
  std::ofstream(file, std::ios::binary) << archive << directory << end;
}

}  // namespace culprit
