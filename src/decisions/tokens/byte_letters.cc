#include "tokens/byte_letters.h"

#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace culprit {
namespace {

/// Bytes that are letters or signs of Latin-1 stand for themselves; the others are numbered from U+0100 on.
constexpr bool is_its_own_letter(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

constexpr std::array<char32_t, 256> byte_letter_table() {
  std::array<char32_t, 256> letters{};
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte)
    letters[static_cast<std::size_t>(byte)] = is_its_own_letter(byte) ? static_cast<char32_t>(byte) : next++;
  return letters;
}

constexpr std::array<char32_t, 256> letter_of_byte = byte_letter_table();
constexpr std::size_t end_of_letters = 0x144;

/// -1 where a character is the letter of no byte.
constexpr std::array<std::int16_t, end_of_letters> letter_byte_table() {
  std::array<std::int16_t, end_of_letters> bytes{};
  bytes.fill(-1);
  for (std::size_t byte = 0; byte < 256; ++byte) bytes[letter_of_byte[byte]] = static_cast<std::int16_t>(byte);
  return bytes;
}

constexpr std::array<std::int16_t, end_of_letters> byte_of_letter = letter_byte_table();

/// Bytes at the start of `text`, which is no character, that could have become one.
std::size_t length_of_break(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0xc2 || first > 0xf4) return 1;
  const std::size_t wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  // Of the second byte, what would be overlong, a surrogate or past U+10FFFF is no beginning, either.
  const unsigned char least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned char most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (text.size() < 2 || byte(1) < least || byte(1) > most) return 1;
  std::size_t length = 2;
  while (length < wanted && length < text.size() && (byte(length) & 0xc0) == 0x80) ++length;
  return length;
}

}  // namespace

std::string letters_of_bytes(std::string_view text) {
  std::string letters;
  for (const char one : text) append_utf8(letters, letter_of_byte[static_cast<unsigned char>(one)]);
  return letters;
}

std::optional<std::string> bytes_of_letters(std::string_view token) {
  std::string bytes;
  while (!token.empty()) {
    const CodePoint letter = first_code_point(token);
    if (letter.length == 0 || letter.value >= end_of_letters || byte_of_letter[letter.value] < 0) return {};
    bytes += static_cast<char>(byte_of_letter[letter.value]);
    token.remove_prefix(letter.length);
  }
  return bytes;
}

std::string lossy_utf8(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    std::size_t length = first_code_point(bytes).length;
    if (length != 0) {
      text += bytes.substr(0, length);
    } else {
      text += broken_character;
      length = length_of_break(bytes);
    }
    bytes.remove_prefix(length);
  }
  return text;
}

}  // namespace culprit
