#include "base/utf16.h"

#include <cstddef>
#include <cstdint>

#include "base/utf8.h"

namespace culprit {
namespace {

constexpr std::string_view small_end_first = "\xFF\xFE", large_end_first = "\xFE\xFF";

}  // namespace

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with(small_end_first) || bytes.starts_with(large_end_first);
}

std::optional<std::string> utf8_of_utf16(std::string_view bytes) {
  if (!is_utf16(bytes) || bytes.size() % 2 != 0) return std::nullopt;
  const std::size_t low = bytes.starts_with(small_end_first) ? 0 : 1;
  const auto unit_at = [&](std::size_t at) -> std::uint32_t {
    return static_cast<unsigned char>(bytes[at + low]) | static_cast<unsigned char>(bytes[at + 1 - low]) << 8U;
  };
  std::string text;
  for (std::size_t at = 2; at < bytes.size(); at += 2) {
    const std::uint32_t unit = unit_at(at);
    const bool is_first_half = unit >= 0xD800 && unit < 0xDC00, is_second_half = unit >= 0xDC00 && unit < 0xE000;
    if (is_second_half) return std::nullopt;
    if (!is_first_half) {
      append_utf8(text, unit);
      continue;
    }
    at += 2;
    const std::uint32_t second = at < bytes.size() ? unit_at(at) : 0;
    if (second < 0xDC00 || second >= 0xE000) return std::nullopt;
    append_utf8(text, 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00));
  }
  return text;
}

}  // namespace culprit
