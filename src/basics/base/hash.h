#pragma once
// Hashes: sha256 to name a file for people, a fast 128-bit one (XXH3) to tell contents apart.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace culprit {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  bool operator==(const Hash128&) const = default;
  bool operator<(const Hash128& other) const { return high != other.high ? high < other.high : low < other.low; }
  [[nodiscard]] std::string hex() const;  ///< 32 lower-case digits
  static Result<Hash128> from_hex(std::string_view hex);
};

/// Feeds a 128-bit hash piece by piece. Strings and byte runs are preceded by their length, so that ("ab","c") and
/// ("a","bc") differ; integers are hashed as eight little-endian bytes.
class Hasher {
 public:
  Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  ~Hasher();
  Hasher& add(std::string_view text);
  Hasher& add(std::span<const std::byte> bytes);
  Hasher& add(std::int64_t value);
  Hasher& add(const Hash128& value);
  [[nodiscard]] Hash128 finish() const;

 private:
  void* state_;
};

Hash128 hash128(std::string_view bytes);

/// 64 lower-case hex digits of a file's sha256, read in pieces.
Result<std::string> sha256_of_file(const std::filesystem::path& path);
std::string sha256_of(std::string_view bytes);

}  // namespace culprit
