#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace culprit {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t bytes_of_group = 3, letters_of_group = 4;
constexpr unsigned bits_of_letter = 6, bits_of_byte = 8;
constexpr std::uint8_t no_letter = 64;

constexpr auto values_of_letters = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_letter);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return values;
}();

}  // namespace

std::string base64_of(std::span<const std::byte> bytes) {
  std::string text;
  text.reserve((bytes.size() + bytes_of_group - 1) / bytes_of_group * letters_of_group);
  for (std::size_t at = 0; at < bytes.size(); at += bytes_of_group) {
    const std::size_t count = std::min(bytes_of_group, bytes.size() - at);
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < bytes_of_group; ++i)
      group = (group << bits_of_byte) | (i < count ? std::to_integer<std::uint32_t>(bytes[at + i]) : 0);
    for (std::size_t i = 0; i < letters_of_group; ++i)
      text += i > count ? '=' : alphabet[(group >> (bits_of_letter * (letters_of_group - 1 - i))) & (no_letter - 1)];
  }
  return text;
}

std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text) {
  if (text.size() % letters_of_group != 0) return std::nullopt;
  const std::size_t filled = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  const std::string_view letters = text.substr(0, text.size() - filled);
  std::vector<std::byte> bytes;
  bytes.reserve(text.size() / letters_of_group * bytes_of_group);
  std::uint32_t waiting = 0;
  unsigned bits = 0;
  for (const char letter : letters) {
    const std::uint8_t value = values_of_letters[static_cast<unsigned char>(letter)];
    if (value == no_letter) return std::nullopt;
    waiting = (waiting << bits_of_letter) | value;
    bits += bits_of_letter;
    if (bits < bits_of_byte) continue;
    bits -= bits_of_byte;
    bytes.push_back(static_cast<std::byte>(waiting >> bits));
    waiting &= (1U << bits) - 1;
  }
  if (waiting != 0) return std::nullopt;
  return bytes;
}

}  // namespace culprit
