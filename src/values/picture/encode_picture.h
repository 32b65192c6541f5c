#pragma once
// Pictures for people: written as PNG, with boxes and captions drawn on them.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "picture/picture.h"

namespace culprit {

/// The bytes of a PNG file.
Result<std::string> encode_png(const Picture& picture);
/// Written beside and renamed.
Result<void> write_png(const std::filesystem::path& path, const Picture& picture);

/// Edges in pixels, fractions allowed; what lies outside of the picture is cut off.
struct DrawnBox {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

/// A frame, as thick as the picture is large, and a text on its upper edge ("" for none).
void draw_box(Picture& picture, const DrawnBox& box, Colour colour, std::string_view text = {});

/// Letters of 5 x 8 points, each `size` pixels large, from the top left corner at (x, y). ASCII only; others become
/// '?'.
void draw_text(Picture& picture, int x, int y, std::string_view text, Colour colour, int size = 1);
PictureSize text_size(std::string_view text, int size = 1);

/// A colour for each of many kinds of things, far from those of its neighbours.
Colour colour_for(std::size_t index);

struct CaptionedPicture {
  Picture picture;
  std::string caption;  ///< one line; cut where it is too long
};

/// Several pictures in a grid, each made smaller to fit into `side` x `side` pixels where it is larger.
Picture contact_sheet(std::span<const CaptionedPicture> pictures, int columns, int side);

}  // namespace culprit
