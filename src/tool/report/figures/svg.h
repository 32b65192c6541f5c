#pragma once
// SVG as text: the few shapes that charts need, in the colours of a light and of a dark scheme. Lengths are pixels, y
// goes down. Text is made printable and escaped.

#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// What a shape is for; the style sheet says how it looks.
enum class SvgLook {
  title,
  text,
  faint,   ///< of axes and notes
  value,   ///< with a halo, for lines of the grid lie behind
  on_bar,  ///< on colours that are light
  on_dark_bar,
  grid,
  zero,  ///< the line that bars begin at
  band,
  whisker,
  hollow,  ///< a mark that is not sure
};

enum class SvgAnchor { start, middle, end };

/// Colours of series, at most this many that a colour-blind reader tells apart, and one for what is left over.
inline constexpr int series_colours = 6;
inline constexpr int colour_of_rest = 6;
inline constexpr int colour_of_faster = 0, colour_of_slower = 5, colour_of_same = 6;  // blue, vermilion, grey
/// Is it so dark that white text stands on it?
bool is_dark(int colour);

struct SvgPoint {
  double x = 0, y = 0;
};

class SvgCanvas {
 public:
  /// `about` is read to those who do not see the picture.
  SvgCanvas(double width, double height, std::string_view title, std::string_view about);

  void text(double x, double y, std::string_view text, SvgLook look, SvgAnchor anchor = SvgAnchor::start);
  void line(double x1, double y1, double x2, double y2, SvgLook look);
  void rect(double x, double y, double width, double height, SvgLook look);
  /// In the colour of a series. What is not wide is not drawn.
  void bar(double x, double y, double width, double height, int colour);
  void dot(double x, double y, double radius, int colour);
  void dot(double x, double y, double radius, SvgLook look);
  /// A bar through which the ground shines; `share` 1: not at all.
  void cell(double x, double y, double width, double height, int colour, double share);
  /// Text that goes up to the right, from this point on.
  void tilted_text(double x, double y, std::string_view text, SvgLook look);
  /// One that others show through.
  void bubble(double x, double y, double radius, int colour);
  /// From point to point, in the colour of a series.
  void curve(const std::vector<SvgPoint>& points, int colour);

  [[nodiscard]] std::string finished() const;

 private:
  std::string body_;
};

/// About how wide a text is, whatever the font.
double text_width(std::string_view text, double font_size);

}  // namespace culprit
