#pragma once
// Letters of 5 x 8 points; the last row is for what hangs below the line. Private to this room.

#include <cstdint>

namespace culprit {

constexpr int font_width = 5;
constexpr int font_height = 8;

/// Does the letter have a point there? What is no ASCII letter is shown as '?'.
bool has_point(char letter, int x, int y);

}  // namespace culprit
