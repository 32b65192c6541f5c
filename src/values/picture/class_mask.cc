#include "picture/class_mask.h"

#include <new>
#include <string>

#include "base/file.h"
#include "base/text.h"
#include "picture/formats.h"
#include "picture/png_decoder.h"

namespace culprit {
namespace {

constexpr const char* mask_hint = "a mask is a PNG with a palette or of grey, in which each value is a class";

Result<ClassMask> decode_mask(FileBytes bytes, const DecodeOptions& options) {
  if (!png_format.begins_so(bytes)) return fail(ErrorKind::bad_input, "it is no PNG", mask_hint);
  const auto header = png_format.read_header(bytes);
  if (!header) return tl::unexpected(header.error());
  const std::uint64_t count = static_cast<std::uint64_t>(header->width) * static_cast<std::uint64_t>(header->height);
  if (count > options.most_pixels)
    return fail(ErrorKind::unsupported,
                "its header claims more than " + std::to_string(options.most_pixels) + " pixels");
  PngDecoder decoder(bytes, PngPixels::numbers);
  if (!decoder.start(*header)) return decoder.error();
  const std::size_t each = decoder.bytes_of_a_pixel();
  std::vector<std::uint8_t> pixels(count * each);
  if (!decoder.read_pixels(pixels.data(), *header)) return decoder.error();
  ClassMask mask{{header->width, header->height}, std::vector<std::uint16_t>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* at = &pixels[i * each];
    if (decoder.numbers_of_a_pixel() == 3 && (at[0] != at[1] || at[1] != at[2]))
      return fail(ErrorKind::bad_input, "it has colours, and no class for each pixel", mask_hint);
    const bool is_wide = decoder.numbers_of_a_pixel() == 1 && each == 2;
    mask.classes[i] = static_cast<std::uint16_t>(is_wide ? at[0] << 8 | at[1] : at[0]);
  }
  return mask;
}

}  // namespace

Result<ClassMask> decode_class_mask(std::span<const std::byte> bytes, std::string_view where,
                                    const DecodeOptions& options) {
  const auto cannot = [&](const Error& error) {
    return fail(error.kind, "cannot read the mask " + printable(where) + ": " + error.message, error.hint);
  };
  try {
    auto mask = decode_mask(bytes, options);
    if (!mask) return cannot(mask.error());
    return mask;
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, "there is no memory for the mask " + printable(where));
  }
}

Result<ClassMask> read_class_mask(const std::filesystem::path& path, const DecodeOptions& options) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return decode_class_mask(file->bytes(), path.native(), options);
}

}  // namespace culprit
