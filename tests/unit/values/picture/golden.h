#pragma once
// The pictures of tests/golden/pictures and what other programs make of them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "picture/decode_picture.h"

namespace culprit {

inline std::filesystem::path golden_folder() {
  return std::filesystem::path(CULPRIT_SOURCE) / "tests" / "golden" / "pictures";
}
inline std::filesystem::path golden_picture(const std::string& name) { return golden_folder() / "in" / name; }

/// The words of each line of a file.
inline std::vector<std::vector<std::string>> golden_lines(const std::string& name) {
  std::ifstream file(golden_folder() / name);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(split(line, ' '));
  EXPECT_FALSE(lines.empty()) << name;
  return lines;
}

inline Picture picture_of(const std::string& name) {
  auto picture = read_picture(golden_picture(name));
  EXPECT_TRUE(picture) << picture.error().text();
  return picture ? *picture : Picture();
}

inline std::string hash_of(const std::vector<std::uint8_t>& bytes) {
  return sha256_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace culprit
