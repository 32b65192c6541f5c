#pragma once
// Bytes in lines of text: base64 with the alphabet of RFC 4648, filled up with '='.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

std::string base64_of(std::span<const std::byte> bytes);

/// Nothing where the text is not exactly what base64_of writes: another character, a missing '=', bits after the end.
std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text);

}  // namespace culprit
