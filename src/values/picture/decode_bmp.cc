// picture/formats.h: BMP, as Windows and OS/2 write it: 1, 4, 8, 16, 24 and 32 bits, run lengths for 4 and 8
// https://learn.microsoft.com/en-us/windows/win32/gdi/bitmap-storage

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <optional>

#include "picture/formats.h"

namespace culprit {
namespace {

enum BmpCompression : std::uint32_t { uncompressed = 0, runs_of_8 = 1, runs_of_4 = 2, with_masks = 3, alpha_masks = 6 };

struct BmpHeader {
  PictureHeader size;
  bool is_top_first = false;
  std::uint32_t bits = 0;
  std::uint32_t compression = 0;
  std::array<std::uint32_t, 3> masks{};
  std::vector<Colour> palette;
  std::size_t pixels_at = 0;
};

/// The widths are signed 32-bit numbers; a negative height means that the top row comes first.
Result<void> read_sizes(FileBytes bytes, std::size_t length, BmpHeader& header) {
  const bool is_old = length == 12;
  std::int64_t width = 0;
  std::int64_t height = 0;
  if (is_old) {
    width = little_endian(bytes, 18, 2);
    height = little_endian(bytes, 20, 2);
    header.bits = little_endian(bytes, 24, 2);
  } else {
    width = static_cast<std::int32_t>(little_endian(bytes, 18, 4));
    height = static_cast<std::int32_t>(little_endian(bytes, 22, 4));
    header.bits = little_endian(bytes, 28, 2);
    header.compression = little_endian(bytes, 30, 4);
  }
  header.is_top_first = height < 0;
  height = std::abs(height);
  if (width < 1 || height < 1 || height > INT32_MAX) return broken_picture("its header has an impossible size");
  header.size = {static_cast<int>(width), static_cast<int>(height), 1};
  return {};
}

bool is_known(const BmpHeader& header) {
  switch (header.compression) {
    case uncompressed:
      return header.bits == 1 || header.bits == 4 || header.bits == 8 || header.bits == 16 || header.bits == 24 ||
             header.bits == 32;
    case runs_of_8:
      return header.bits == 8;
    case runs_of_4:
      return header.bits == 4;
    case with_masks:
    case alpha_masks:
      return header.bits == 16 || header.bits == 32;
    default:
      return false;
  }
}

Result<BmpHeader> read_without_palette(FileBytes bytes) {
  if (bytes.size() < 26) return truncated_picture();
  const std::size_t length = little_endian(bytes, 14, 4);
  if (length != 12 && (length < 40 || length > 200)) return broken_picture("its header has an unknown length");
  if (bytes.size() < 14 + length) return truncated_picture();
  BmpHeader header;
  header.pixels_at = little_endian(bytes, 10, 4);
  if (auto sizes = read_sizes(bytes, length, header); !sizes) return tl::unexpected(sizes.error());
  if (!is_known(header)) {
    return fail(ErrorKind::unsupported, fmt::format("it is a BMP with {} bits and compression {}, which is not known",
                                                    header.bits, header.compression));
  }
  return header;
}

Result<void> read_masks(FileBytes bytes, BmpHeader& header) {
  if (header.compression == uncompressed) {
    header.masks = header.bits == 16 ? std::array<std::uint32_t, 3>{0x7C00, 0x3E0, 0x1F}
                                     : std::array<std::uint32_t, 3>{0xFF0000, 0xFF00, 0xFF};
    return {};
  }
  if (bytes.size() < 66) return truncated_picture();
  for (std::size_t c = 0; c < 3; ++c) header.masks[c] = little_endian(bytes, 54 + 4 * c, 4);
  return {};
}

Result<BmpHeader> read_all_but_pixels(FileBytes bytes) {
  auto header = read_without_palette(bytes);
  if (!header) return header;
  const std::size_t length = little_endian(bytes, 14, 4);
  if (header->bits == 16 || header->bits == 32) {
    if (auto masks = read_masks(bytes, *header); !masks) return tl::unexpected(masks.error());
  }
  if (header->bits <= 8) {
    const std::size_t entry = length == 12 ? 3 : 4;
    const std::size_t claimed = length == 12 ? 0 : little_endian(bytes, 46, 4);
    const std::size_t most = std::size_t{1} << header->bits;
    const std::size_t count = claimed == 0 || claimed > most ? most : claimed;
    if (header->pixels_at == 14 + length) header->pixels_at += entry * count;  // who wrote that forgot the palette
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = 14 + length + i * entry;
      if (at + 3 > bytes.size() || at + 3 > header->pixels_at) break;
      header->palette.push_back({byte_at(bytes, at + 2), byte_at(bytes, at + 1), byte_at(bytes, at)});
    }
    header->palette.resize(256, Colour{0, 0, 0});
  }
  return header;
}

Result<PictureHeader> read_bmp_header(FileBytes bytes) {
  const auto header = read_without_palette(bytes);
  if (!header) return tl::unexpected(header.error());
  return header->size;
}

/// The bits under a mask, stretched to 0 to 255.
std::uint8_t under_mask(std::uint32_t value, std::uint32_t mask) {
  if (mask == 0) return 0;
  const int shift = std::countr_zero(mask);
  const std::uint64_t most = mask >> shift;
  return static_cast<std::uint8_t>(((value & mask) >> shift) * std::uint64_t{255} / most);
}

Colour plain_pixel(const BmpHeader& header, FileBytes row, std::size_t x) {
  switch (header.bits) {
    case 24:
      return {byte_at(row, 3 * x + 2), byte_at(row, 3 * x + 1), byte_at(row, 3 * x)};
    case 16:
    case 32: {
      const int bytes = static_cast<int>(header.bits / 8);
      const std::uint32_t value = little_endian(row, x * static_cast<std::size_t>(bytes), bytes);
      return {under_mask(value, header.masks[0]), under_mask(value, header.masks[1]),
              under_mask(value, header.masks[2])};
    }
    default: {
      const std::size_t per_byte = 8 / header.bits;
      const std::size_t shift = (per_byte - 1 - x % per_byte) * header.bits;
      return header.palette[(byte_at(row, x / per_byte) >> shift) & ((1U << header.bits) - 1)];
    }
  }
}

Result<Picture> plain_pixels(FileBytes bytes, const BmpHeader& header) {
  const auto width = static_cast<std::size_t>(header.size.width);
  const std::size_t stride = (width * header.bits + 31) / 32 * 4;
  const std::size_t used = (width * header.bits + 7) / 8;  // the last row may lack its padding
  const auto height = static_cast<std::size_t>(header.size.height);
  if (header.pixels_at > bytes.size() || bytes.size() - header.pixels_at < stride * (height - 1) + used)
    return truncated_picture();
  Picture picture(header.size.width, header.size.height);
  for (std::size_t y = 0; y < height; ++y) {
    const FileBytes row = bytes.subspan(header.pixels_at + y * stride, used);
    std::uint8_t* to = picture.at(0, static_cast<int>(header.is_top_first ? y : height - 1 - y));
    for (std::size_t x = 0; x < width; ++x)
      for (const std::uint8_t value : plain_pixel(header, row, x)) *to++ = value;
  }
  return picture;
}

/// Knows where the next pixel of a picture in runs goes. Rows go up; what lies outside of the picture is dropped.
class RunTarget {
 public:
  RunTarget(const BmpHeader& header, Picture& picture) : header_(header), picture_(picture) {}
  void put(std::size_t index) {
    if (x_ < picture_.width && y_ < picture_.height) {
      std::uint8_t* to = picture_.at(x_, header_.is_top_first ? y_ : picture_.height - 1 - y_);
      for (const std::uint8_t value : header_.palette[index]) *to++ = value;
      ++x_;
    }
  }
  void next_row() {
    x_ = 0;
    ++y_;
  }
  void move(int right, int up) {
    x_ += right;
    y_ += up;
  }
  [[nodiscard]] bool is_full() const { return y_ >= picture_.height; }
  [[nodiscard]] bool is_at_last_end() const { return y_ == picture_.height - 1 && x_ >= picture_.width; }

 private:
  const BmpHeader& header_;
  Picture& picture_;
  int x_ = 0;
  int y_ = 0;
};

Result<Picture> pixels_of_runs(FileBytes bytes, const BmpHeader& header) {
  if (header.pixels_at > bytes.size()) return truncated_picture();
  FileBytes rest = bytes.subspan(header.pixels_at);
  Picture picture(header.size.width, header.size.height, header.palette.front());
  RunTarget target(header, picture);
  const bool is_nibbles = header.bits == 4;
  const auto index_in = [&](std::uint8_t byte, unsigned i) -> std::size_t {
    return !is_nibbles ? byte : i % 2 == 0 ? byte >> 4U : byte & 15U;
  };
  while (!target.is_full()) {
    if (rest.size() < 2) {
      if (target.is_at_last_end()) break;
      return truncated_picture();
    }
    const unsigned count = byte_at(rest, 0);
    const std::uint8_t code = byte_at(rest, 1);
    rest = rest.subspan(2);
    if (count > 0) {
      for (unsigned i = 0; i < count; ++i) target.put(index_in(code, i));
    } else if (code == 0) {
      target.next_row();
    } else if (code == 1) {
      break;  // the end of the picture
    } else if (code == 2) {
      if (rest.size() < 2) return truncated_picture();
      target.move(byte_at(rest, 0), byte_at(rest, 1));
      rest = rest.subspan(2);
    } else {
      const std::size_t length = is_nibbles ? (code + 1U) / 2 : code;
      if (rest.size() < length) return truncated_picture();
      for (unsigned i = 0; i < code; ++i) target.put(index_in(byte_at(rest, is_nibbles ? i / 2 : i), i));
      rest = rest.subspan(std::min(rest.size(), length + length % 2));
    }
  }
  return picture;
}

Result<Picture> decode_bmp_pixels(FileBytes bytes, const PictureHeader&) {
  const auto header = read_all_but_pixels(bytes);
  if (!header) return tl::unexpected(header.error());
  const bool has_runs = header->compression == runs_of_8 || header->compression == runs_of_4;
  return has_runs ? pixels_of_runs(bytes, *header) : plain_pixels(bytes, *header);
}

}  // namespace

const PictureFormat bmp_format{"BMP",
                               [](FileBytes bytes) {
                                 return bytes.size() >= 18 && starts_with(bytes, "BM") &&
                                        little_endian(bytes, 14, 4) <= 200;
                               },
                               read_bmp_header, decode_bmp_pixels};

}  // namespace culprit
