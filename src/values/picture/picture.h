#pragma once
// A picture in memory: 8 bits each of red, green and blue, row by row from the top.

#include <array>
#include <cstdint>
#include <vector>

namespace culprit {

struct PictureSize {
  int width = 0;
  int height = 0;
  bool operator==(const PictureSize&) const = default;
};

using Colour = std::array<std::uint8_t, 3>;  ///< red, green, blue

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  ///< 3 * width * height

  Picture() = default;
  Picture(int w, int h, Colour colour = {0, 0, 0}) : width(w), height(h), rgb(3 * static_cast<std::size_t>(w) * h) {
    if (colour == Colour{0, 0, 0}) return;
    for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = colour[i % 3];
  }
  [[nodiscard]] PictureSize size() const { return {width, height}; }
  [[nodiscard]] std::uint8_t* at(int x, int y) { return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x); }
  [[nodiscard]] const std::uint8_t* at(int x, int y) const {
    return rgb.data() + 3 * (static_cast<std::size_t>(y) * width + x);
  }
  bool operator==(const Picture&) const = default;
};

}  // namespace culprit
