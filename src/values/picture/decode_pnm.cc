// picture/formats.h: PBM, PGM and PPM, as text (P1 to P3) and as bytes (P4 to P6)
// https://netpbm.sourceforge.net/doc/

#include <algorithm>
#include <cctype>
#include <cmath>

#include "picture/formats.h"

namespace culprit {
namespace {

struct PnmHeader {
  PictureHeader size;
  int kind = 0;  ///< 1 to 6: "P1" to "P6"
  int most = 1;  ///< the value of white
  [[nodiscard]] bool is_text() const { return kind <= 3; }
  [[nodiscard]] bool is_bitmap() const { return kind == 1 || kind == 4; }
  [[nodiscard]] int channels() const { return kind == 3 || kind == 6 ? 3 : 1; }
};

/// Reads words between spaces and comments.
class PnmText {
 public:
  explicit PnmText(FileBytes rest) : rest_(rest) {}
  /// A number of at most nine digits; -1 where there is none. `is_one_digit`: bits of a bitmap need no space between.
  int number(bool is_one_digit = false) {
    skip_space();
    int value = -1;
    for (int digits = 0; digits < 9 && !rest_.empty() && std::isdigit(byte_at(rest_, 0)) != 0; ++digits) {
      value = std::max(value, 0) * 10 + (byte_at(rest_, 0) - '0');
      rest_ = rest_.subspan(1);
      if (is_one_digit) break;
    }
    return value;
  }
  void skip_one() {
    if (!rest_.empty()) rest_ = rest_.subspan(1);
  }
  [[nodiscard]] FileBytes rest() const { return rest_; }

 private:
  void skip_space() {
    bool is_comment = false;
    while (!rest_.empty()) {
      const std::uint8_t c = byte_at(rest_, 0);
      if (c == '#') is_comment = true;
      if (c == '\n' || c == '\r') is_comment = false;
      if (!is_comment && std::isspace(c) == 0) return;
      rest_ = rest_.subspan(1);
    }
  }
  FileBytes rest_;
};

Result<PnmHeader> read_up_to_pixels(PnmText& text, int kind) {
  PnmHeader header;
  header.kind = kind;
  header.size.width = text.number();
  header.size.height = text.number();
  if (!header.is_bitmap()) header.most = text.number();
  if (text.rest().empty()) return truncated_picture();
  if (header.size.width < 1 || header.size.height < 1) return broken_picture("its header has an impossible size");
  if (header.most < 1 || header.most > 65535) return broken_picture("its header has an impossible value of white");
  if (!header.is_text()) text.skip_one();
  return header;
}

int kind_of(FileBytes bytes) { return byte_at(bytes, 1) - '0'; }

Result<PictureHeader> read_pnm_header(FileBytes bytes) {
  PnmText text(bytes.subspan(2));
  const auto header = read_up_to_pixels(text, kind_of(bytes));
  if (!header) return tl::unexpected(header.error());
  return header->size;
}

/// The value of a channel as 0 to 255, rounded as Python does it, halves to the even level; grey with 16 bits keeps the
/// upper ones.
std::uint8_t as_byte(int value, const PnmHeader& header) {
  const int cut = std::clamp(value, 0, header.most);
  if (header.is_bitmap()) return cut == 0 ? 255 : 0;
  if (header.most == 255) return static_cast<std::uint8_t>(cut);
  if (header.most > 255 && header.channels() == 1)
    return static_cast<std::uint8_t>((std::int64_t{cut} * 65535 + header.most / 2) / header.most >> 8);
  return static_cast<std::uint8_t>(std::nearbyint(static_cast<double>(cut) / header.most * 255));
}

Result<Picture> pixels_of_text(PnmText& text, const PnmHeader& header) {
  Picture picture(header.size.width, header.size.height);
  const std::size_t repeat = header.channels() == 1 ? 3 : 1;
  for (std::size_t i = 0; i < picture.rgb.size(); i += repeat) {
    const int value = text.number(header.is_bitmap());
    if (value < 0 && text.rest().empty()) return truncated_picture();
    if (value < 0 || value > header.most) return broken_picture("a value is no number, or more than white");
    std::fill_n(picture.rgb.begin() + static_cast<std::ptrdiff_t>(i), repeat, as_byte(value, header));
  }
  return picture;
}

Result<Picture> pixels_of_bytes(FileBytes bytes, const PnmHeader& header) {
  const auto width = static_cast<std::size_t>(header.size.width);
  const auto height = static_cast<std::size_t>(header.size.height);
  const auto channels = static_cast<std::size_t>(header.channels());
  const int size = header.most > 255 ? 2 : 1;
  const std::size_t stride = header.is_bitmap() ? (width + 7) / 8 : width * channels * static_cast<std::size_t>(size);
  if (bytes.size() / stride < height) return truncated_picture();
  Picture picture(header.size.width, header.size.height);
  for (std::size_t y = 0; y < height; ++y) {
    const FileBytes row = bytes.subspan(y * stride, stride);
    std::uint8_t* to = picture.at(0, static_cast<int>(y));
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t index = x * channels + (channels == 3 ? c : 0);
        const int value = header.is_bitmap()
                              ? byte_at(row, x / 8) >> (7 - x % 8) & 1
                              : static_cast<int>(big_endian(row, index * static_cast<std::size_t>(size), size));
        *to++ = as_byte(value, header);
      }
    }
  }
  return picture;
}

Result<Picture> decode_pnm_pixels(FileBytes bytes, const PictureHeader&) {
  PnmText text(bytes.subspan(2));
  const auto header = read_up_to_pixels(text, kind_of(bytes));
  if (!header) return tl::unexpected(header.error());
  return header->is_text() ? pixels_of_text(text, *header) : pixels_of_bytes(text.rest(), *header);
}

}  // namespace

const PictureFormat pnm_format{"PPM",
                               [](FileBytes bytes) {
                                 return bytes.size() >= 3 && starts_with(bytes, "P") && byte_at(bytes, 1) >= '1' &&
                                        byte_at(bytes, 1) <= '6' &&
                                        (std::isspace(byte_at(bytes, 2)) != 0 || byte_at(bytes, 2) == '#');
                               },
                               read_pnm_header, decode_pnm_pixels};

}  // namespace culprit
