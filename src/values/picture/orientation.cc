#include "picture/orientation.h"

#include <optional>
#include <string_view>
#include <utility>

namespace culprit {

namespace {

int sensible(std::uint32_t orientation) {
  return orientation >= 1 && orientation <= 8 ? static_cast<int>(orientation) : 1;
}

/// Nothing where EXIF has no such entry.
std::optional<int> exif_orientation(FileBytes exif) {
  constexpr std::uint32_t orientation_tag = 0x0112;
  constexpr std::uint32_t short_type = 3, long_type = 4;
  if (starts_with(exif, std::string_view("Exif\0\0", 6))) exif = exif.subspan(6);
  const bool is_little = starts_with(exif, std::string_view("II*\0", 4));
  if (!is_little && !starts_with(exif, std::string_view("MM\0*", 4))) return std::nullopt;
  const auto number = [&](std::size_t at, int count) {
    return is_little ? little_endian(exif, at, count) : big_endian(exif, at, count);
  };
  if (exif.size() < 8) return std::nullopt;
  const std::size_t folder = number(4, 4);
  if (folder > exif.size() || exif.size() - folder < 2) return std::nullopt;
  const std::size_t entries = number(folder, 2);
  for (std::size_t i = 0; i < entries; ++i) {
    const std::size_t entry = folder + 2 + 12 * i;
    if (exif.size() < 12 || entry > exif.size() - 12) return std::nullopt;
    if (number(entry, 2) != orientation_tag) continue;
    const std::uint32_t type = number(entry + 2, 2), count = number(entry + 4, 4);
    if (type == short_type && (count == 1 || count == 2)) return sensible(number(entry + 8, 2));  // of two the first
    return type == long_type && count == 1 ? sensible(number(entry + 8, 4)) : 1;
  }
  return std::nullopt;
}

int xmp_orientation(std::string_view xmp) {
  constexpr std::string_view word = "tiff:Orientation";
  for (std::size_t at = xmp.find(word); at != xmp.npos; at = xmp.find(word, at)) {
    at += word.size();
    std::string_view rest = xmp.substr(at);
    const std::size_t before = rest.starts_with("=\"") ? 2 : rest.starts_with(">") ? 1 : 0;
    if (before == 0 || rest.size() <= before) continue;
    const char digit = rest[before];
    if (digit >= '0' && digit <= '9') return sensible(static_cast<std::uint32_t>(digit - '0'));
  }
  return 1;
}

}  // namespace

int orientation_of(FileBytes exif, FileBytes xmp) {
  if (const auto found = exif_orientation(exif)) return *found;
  return xmp_orientation({reinterpret_cast<const char*>(xmp.data()), xmp.size()});
}

bool swaps_sides(int orientation) { return orientation >= 5; }

Picture turned(Picture picture, int orientation) {
  if (orientation == 1) return picture;
  // Where the pixel at the top left comes from, and where one step to the right and one down lead.
  const bool is_from_right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool is_from_bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  const bool is_swapped = swaps_sides(orientation);
  const int width = is_swapped ? picture.height : picture.width;
  const int height = is_swapped ? picture.width : picture.height;
  Picture result;
  result.width = width;
  result.height = height;
  result.rgb.resize(picture.rgb.size());
  std::uint8_t* to = result.rgb.data();
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x, to += 3) {
      const int stored_x = is_swapped ? y : x;
      const int stored_y = is_swapped ? x : y;
      const std::uint8_t* from = std::as_const(picture).at(is_from_right ? picture.width - 1 - stored_x : stored_x,
                                                           is_from_bottom ? picture.height - 1 - stored_y : stored_y);
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }
  return result;
}

}  // namespace culprit
