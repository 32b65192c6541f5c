// picture/encode_picture.h: boxes, texts and sheets

#include <algorithm>
#include <array>
#include <cmath>

#include "picture/encode_picture.h"
#include "picture/font.h"
#include "picture/resize.h"

namespace culprit {
namespace {

constexpr int gap = 6;  // around the pictures of a sheet
constexpr Colour paper{245, 245, 245};
constexpr Colour ink{20, 20, 20};

/// From (left, top) up to but without (right, bottom), as far as it lies in the picture.
void fill(Picture& picture, int left, int top, int right, int bottom, Colour colour) {
  left = std::max(left, 0);
  right = std::min(right, picture.width);
  for (int y = std::max(top, 0); y < std::min(bottom, picture.height); ++y)
    for (int x = left; x < right; ++x) std::ranges::copy(colour, picture.at(x, y));
}

/// Numbers of models can be anything, also beyond what int holds.
int as_pixel(double place, int length) {
  if (std::isnan(place)) return 0;
  return static_cast<int>(std::clamp(std::round(place), -10.0, length + 10.0));
}

Colour readable_on(Colour colour) {
  const int light = colour[0] * 3 + colour[1] * 6 + colour[2];
  return light > 1300 ? Colour{0, 0, 0} : Colour{255, 255, 255};
}

void paste(Picture& sheet, int left, int top, const std::uint8_t* rgb, PictureSize size) {
  const std::size_t length = std::size_t{3} * size.width;
  for (int y = 0; y < size.height; ++y) std::copy_n(rgb + length * y, length, sheet.at(left, top + y));
}

/// Made smaller where it does not fit into a square; never larger.
Picture fitting(const Picture& picture, int side) {
  const double ratio = static_cast<double>(side) / std::max(picture.width, picture.height);
  if (ratio >= 1) return picture;
  Picture result;
  result.width = std::max(1, static_cast<int>(picture.width * ratio));
  result.height = std::max(1, static_cast<int>(picture.height * ratio));
  result.rgb = resized(picture, result.size(), {Backend::pillow, Filter::bicubic}).values;
  return result;
}

}  // namespace

PictureSize text_size(std::string_view text, int size) {
  return {static_cast<int>(text.size()) * (font_width + 1) * size, font_height * size};
}

void draw_text(Picture& picture, int x, int y, std::string_view text, Colour colour, int size) {
  for (const char letter : text) {
    for (int row = 0; row < font_height; ++row) {
      for (int column = 0; column < font_width; ++column) {
        if (!has_point(letter, column, row)) continue;
        const int left = x + column * size;
        const int top = y + row * size;
        fill(picture, left, top, left + size, top + size, colour);
      }
    }
    x += (font_width + 1) * size;
    if (x >= picture.width) return;
  }
}

void draw_box(Picture& picture, const DrawnBox& box, Colour colour, std::string_view text) {
  const int thick = std::max(1, std::min(picture.width, picture.height) / 250);
  const int left = as_pixel(box.left, picture.width);
  const int top = as_pixel(box.top, picture.height);
  const int right = std::max(left + 1, as_pixel(box.right, picture.width));
  const int bottom = std::max(top + 1, as_pixel(box.bottom, picture.height));
  fill(picture, left, top, right, top + thick, colour);
  fill(picture, left, bottom - thick, right, bottom, colour);
  fill(picture, left, top, left + thick, bottom, colour);
  fill(picture, right - thick, top, right, bottom, colour);
  if (text.empty()) return;
  const int size = std::max(1, std::min(picture.width, picture.height) / 240);
  const PictureSize label = text_size(text, size);
  const int label_left = std::clamp(left, 0, std::max(0, picture.width - label.width - 2 * size));
  // Above the box, or inside of it where there is no room.
  const int above = top - label.height - 2 * size;
  const int label_top = std::clamp(above >= 0 ? above : top, 0, std::max(0, picture.height - label.height - 2 * size));
  fill(picture, label_left, label_top, label_left + label.width + size, label_top + label.height + 2 * size, colour);
  draw_text(picture, label_left + size, label_top + size, text, readable_on(colour), size);
}

Colour colour_for(std::size_t index) {
  constexpr std::array<Colour, 10> colours{{{230, 25, 75},
                                            {60, 180, 75},
                                            {255, 225, 25},
                                            {0, 130, 200},
                                            {245, 130, 48},
                                            {145, 30, 180},
                                            {70, 240, 240},
                                            {240, 50, 230},
                                            {210, 245, 60},
                                            {0, 128, 128}}};
  return colours[index % colours.size()];
}

Picture contact_sheet(std::span<const CaptionedPicture> pictures, int columns, int side) {
  columns = std::clamp(columns, 1, std::max(1, static_cast<int>(pictures.size())));
  side = std::max(side, 1);
  const int rows = (static_cast<int>(pictures.size()) + columns - 1) / columns;
  const int cell_height = side + font_height + 2 * gap;
  Picture sheet(columns * (side + gap) + gap, std::max(1, rows) * cell_height + gap, paper);
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const int left = gap + static_cast<int>(i) % columns * (side + gap);
    const int top = gap + static_cast<int>(i) / columns * cell_height;
    const std::string_view caption = pictures[i].caption;
    const auto letters = static_cast<std::size_t>(side / (font_width + 1));
    draw_text(sheet, left, top + side + gap / 2, caption.substr(0, letters), ink);
    if (pictures[i].picture.rgb.empty()) continue;
    const Picture small = fitting(pictures[i].picture, side);
    paste(sheet, left + (side - small.width) / 2, top + (side - small.height) / 2, small.rgb.data(), small.size());
  }
  return sheet;
}

}  // namespace culprit
