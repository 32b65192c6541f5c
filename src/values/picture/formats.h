#pragma once
// One reader for each kind of file; private to this room. A reader's messages do not name the file.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/error.h"
#include "picture/picture.h"

namespace culprit {

using FileBytes = std::span<const std::byte>;

struct PictureHeader {
  int width = 0;
  int height = 0;
  int orientation = 1;  ///< as EXIF or XMP has it: 1 to 8
};

struct PictureFormat {
  std::string_view name;
  bool (*begins_so)(FileBytes bytes);
  /// Allocates nothing that depends on sizes in the file. Widths and heights are at least 1.
  Result<PictureHeader> (*read_header)(FileBytes bytes);
  /// As it is stored: not yet turned. `header` is what read_header found.
  Result<Picture> (*decode)(FileBytes bytes, const PictureHeader& header);
};

extern const PictureFormat jpeg_format, png_format, gif_format, webp_format, bmp_format, pnm_format;

/// The errors that all readers have in common.
tl::unexpected<Error> truncated_picture();
tl::unexpected<Error> broken_picture(std::string_view why);

inline std::uint8_t byte_at(FileBytes bytes, std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); }
inline bool starts_with(FileBytes bytes, std::string_view magic) {
  if (bytes.size() < magic.size()) return false;
  for (std::size_t i = 0; i < magic.size(); ++i)
    if (byte_at(bytes, i) != static_cast<std::uint8_t>(magic[i])) return false;
  return true;
}

/// Integers of a file, least byte first or last. The caller knows that there are enough bytes.
inline std::uint32_t little_endian(FileBytes bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8U | byte_at(bytes, at + static_cast<std::size_t>(i));
  return value;
}
inline std::uint32_t big_endian(FileBytes bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8U | byte_at(bytes, at + static_cast<std::size_t>(i));
  return value;
}

}  // namespace culprit
