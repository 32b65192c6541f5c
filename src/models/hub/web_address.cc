#include "hub/web_address.h"

namespace culprit {

std::string as_address(std::string_view path) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/";
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string address;
  for (const char c : path) {
    if (plain.find(c) != std::string_view::npos) {
      address += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    address += '%';
    address += digits[byte >> 4U];
    address += digits[byte & 15U];
  }
  return address;
}

}  // namespace culprit
