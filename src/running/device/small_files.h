#pragma once
// The system's little files, of which each holds a number or a line. Private to this room.

#include <charconv>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/text.h"

namespace culprit {

/// Without the line's end. An error says what the system said.
inline Result<std::string> read_line_of(const std::filesystem::path& file) {
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;
  return read_file(file, largest).map([](const std::string& text) { return std::string(trim(text)); });
}

/// The whole text is one number that is finite and not below 0.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<Number>)
    if (!std::isfinite(value)) return std::nullopt;
  return value < Number{} ? std::nullopt : std::optional(value);
}

template <class Number>
std::optional<Number> number_of(const std::filesystem::path& file) {
  const auto line = read_line_of(file);
  return line ? number_in<Number>(*line) : std::nullopt;
}

}  // namespace culprit
