#include "picture/decode_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "base/file.h"
#include "base/text.h"
#include "picture/formats.h"
#include "picture/orientation.h"

namespace culprit {
namespace {

constexpr std::array formats{&jpeg_format, &png_format, &gif_format, &webp_format, &bmp_format, &pnm_format};

const PictureFormat* format_of(FileBytes bytes) {
  const auto found = std::ranges::find_if(formats, [&](const auto* format) { return format->begins_so(bytes); });
  return found == formats.end() ? nullptr : *found;
}

tl::unexpected<Error> cannot_read(std::string_view where, const Error& error) {
  return fail(error.kind, "cannot read " + printable(where) + ": " + error.message, error.hint);
}

Result<const PictureFormat*> format_or_error(FileBytes bytes) {
  if (bytes.empty()) return fail(ErrorKind::bad_input, "the file is empty");
  if (const PictureFormat* format = format_of(bytes)) return format;
  return fail(ErrorKind::bad_input, "it is no image",
              "images are JPEG, PNG, GIF, WebP, BMP, PPM, PGM or PBM, told by their first bytes");
}

Result<Picture> decode(FileBytes bytes, const DecodeOptions& options) {
  const auto format = format_or_error(bytes);
  if (!format) return tl::unexpected(format.error());
  const auto header = (*format)->read_header(bytes);
  if (!header) return tl::unexpected(header.error());
  const std::uint64_t pixels = static_cast<std::uint64_t>(header->width) * static_cast<std::uint64_t>(header->height);
  if (pixels > options.most_pixels) {
    return fail(
        ErrorKind::unsupported,
        fmt::format("its header claims {} x {} = {} million pixels, and the limit is {} million", header->width,
                    header->height, (pixels + 999'999) / 1'000'000, static_cast<double>(options.most_pixels) / 1e6));
  }
  try {
    auto picture = (*format)->decode(bytes, *header);
    if (picture) return turned(std::move(*picture), header->orientation);
    return picture;
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, fmt::format("there is no memory for {} x {} pixels", header->width, header->height));
  }
}

}  // namespace

tl::unexpected<Error> truncated_picture() {
  return fail(ErrorKind::bad_input, "it is truncated: the file ends before the image does");
}

tl::unexpected<Error> broken_picture(std::string_view why) {
  return fail(ErrorKind::bad_input, "it is broken: " + printable(why, 200));
}

bool is_picture(std::span<const std::byte> bytes) { return format_of(bytes) != nullptr; }

Result<Picture> decode_picture(std::span<const std::byte> bytes, std::string_view where, const DecodeOptions& options) {
  auto picture = decode(bytes, options);
  if (!picture) return cannot_read(where, picture.error());
  return picture;
}

Result<Picture> read_picture(const std::filesystem::path& path, const DecodeOptions& options) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return decode_picture(file->bytes(), path.native(), options);
}

Result<PictureSize> picture_size(std::span<const std::byte> bytes, std::string_view where) {
  const auto format = format_or_error(bytes);
  if (!format) return cannot_read(where, format.error());
  const auto header = (*format)->read_header(bytes);
  if (!header) return cannot_read(where, header.error());
  if (swaps_sides(header->orientation)) return PictureSize{header->height, header->width};
  return PictureSize{header->width, header->height};
}

Result<PictureSize> picture_size(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  return picture_size(file->bytes(), path.native());
}

}  // namespace culprit
