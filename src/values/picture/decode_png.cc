// picture/formats.h: PNG, by libpng

#include "picture/formats.h"
#include "picture/orientation.h"
#include "picture/png_decoder.h"

namespace culprit {
namespace {

constexpr std::string_view png_magic("\x89PNG\r\n\x1A\n", 8);

Result<PictureHeader> read_png_header(FileBytes bytes) {
  if (bytes.size() < 33) return truncated_picture();
  if (big_endian(bytes, 8, 4) != 13 || !starts_with(bytes.subspan(12), "IHDR"))
    return broken_picture("it does not begin with a header");
  const std::uint32_t width = big_endian(bytes, 16, 4);
  const std::uint32_t height = big_endian(bytes, 20, 4);
  if (width == 0 || height == 0 || width > 0x7FFFFFFF || height > 0x7FFFFFFF)
    return broken_picture("its header has an impossible size");
  return PictureHeader{static_cast<int>(width), static_cast<int>(height),
                       png_orientation(bytes.subspan(png_magic.size()))};
}

Result<Picture> decode_png_pixels(FileBytes bytes, const PictureHeader& header) {
  PngDecoder decoder(bytes, PngPixels::colours);
  if (!decoder.start(header)) return decoder.error();
  Picture picture(header.width, header.height);
  if (!decoder.read_pixels(picture.rgb.data(), header)) return decoder.error();
  return picture;
}

}  // namespace

const PictureFormat png_format{"PNG", [](FileBytes bytes) { return starts_with(bytes, png_magic); }, read_png_header,
                               decode_png_pixels};

}  // namespace culprit
