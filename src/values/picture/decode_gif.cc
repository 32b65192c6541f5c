// picture/formats.h: the first frame of a GIF, by giflib

#include <gif_lib.h>

#include <algorithm>
#include <cstring>

#include "picture/formats.h"

namespace culprit {
namespace {

int gif_read_bytes(GifFileType* gif, GifByteType* to, int count) {
  auto* rest = static_cast<FileBytes*>(gif->UserData);
  const std::size_t given = std::min(rest->size(), static_cast<std::size_t>(std::max(count, 0)));
  if (given > 0) std::memcpy(to, rest->data(), given);
  *rest = rest->subspan(given);
  return static_cast<int>(given);
}

/// A GIF up to its first frame.
class GifDecoder {
 public:
  explicit GifDecoder(FileBytes bytes) : rest_(bytes) { gif_ = DGifOpen(&rest_, gif_read_bytes, &error_); }
  GifDecoder(const GifDecoder&) = delete;
  GifDecoder& operator=(const GifDecoder&) = delete;
  ~GifDecoder() {
    if (gif_ != nullptr) DGifCloseFile(gif_, nullptr);
  }

  /// Extensions are read for the transparent colour.
  Result<void> go_to_frame() {
    if (gif_ == nullptr) return error(error_);
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    while (DGifGetRecordType(gif_, &type) == GIF_OK) {
      if (type == TERMINATE_RECORD_TYPE) return broken_picture("it has no frame");
      if (type == IMAGE_DESC_RECORD_TYPE) {
        if (DGifGetImageDesc(gif_) == GIF_OK) return {};
        break;
      }
      if (type == EXTENSION_RECORD_TYPE && !read_extension()) break;
    }
    return error(gif_->Error);
  }
  /// The first frame may lie beyond the screen: then the screen is as large as both need, as in Pillow.
  [[nodiscard]] PictureHeader header() const {
    const GifImageDesc& frame = gif_->Image;
    return {std::max(gif_->SWidth, frame.Left + frame.Width), std::max(gif_->SHeight, frame.Top + frame.Height), 1};
  }
  Result<Picture> read_frame(const PictureHeader& header) {
    const GifImageDesc& frame = gif_->Image;
    const ColorMapObject* colours = frame.ColorMap != nullptr ? frame.ColorMap : gif_->SColorMap;
    Picture picture(header.width, header.height, colour_of(colours, std::max(transparent_, 0)));
    std::vector<GifPixelType> row(static_cast<std::size_t>(frame.Width));
    for (int pass = 0; pass < (frame.Interlace ? 4 : 1); ++pass) {
      constexpr std::array first{0, 4, 2, 1}, step{8, 8, 4, 2};
      const auto index = static_cast<std::size_t>(pass);
      for (int y = frame.Interlace ? first[index] : 0; y < frame.Height; y += frame.Interlace ? step[index] : 1) {
        if (DGifGetLine(gif_, row.data(), frame.Width) != GIF_OK) return error(gif_->Error);
        std::uint8_t* to = picture.at(frame.Left, frame.Top + y);
        for (const GifPixelType pixel : row) to = std::ranges::copy(colour_of(colours, pixel), to).out;
      }
    }
    return picture;
  }

 private:
  bool read_extension() {
    int code = 0;
    GifByteType* block = nullptr;
    if (DGifGetExtension(gif_, &code, &block) != GIF_OK) return false;
    if (code == GRAPHICS_EXT_FUNC_CODE && block != nullptr && block[0] >= 4)
      transparent_ = (block[1] & 1) != 0 ? block[4] : -1;
    while (block != nullptr)
      if (DGifGetExtensionNext(gif_, &block) != GIF_OK) return false;
    return true;
  }
  /// Without a palette the numbers are greys.
  static Colour colour_of(const ColorMapObject* colours, int index) {
    const auto grey = static_cast<std::uint8_t>(index);
    if (colours == nullptr) return {grey, grey, grey};
    if (index >= colours->ColorCount) return {0, 0, 0};
    const GifColorType& colour = colours->Colors[index];
    return {colour.Red, colour.Green, colour.Blue};
  }
  [[nodiscard]] tl::unexpected<Error> error(int code) const {
    if (rest_.empty()) return truncated_picture();
    const char* text = GifErrorString(code);
    return broken_picture(text != nullptr ? text : "its frame cannot be read");
  }

  FileBytes rest_;
  GifFileType* gif_ = nullptr;
  int error_ = 0;
  int transparent_ = -1;
};

Result<PictureHeader> read_gif_header(FileBytes bytes) {
  GifDecoder decoder(bytes);
  if (const auto found = decoder.go_to_frame(); !found) return tl::unexpected(found.error());
  const PictureHeader header = decoder.header();
  if (header.width < 1 || header.height < 1) return broken_picture("its size is 0");
  return header;
}

Result<Picture> decode_gif_pixels(FileBytes bytes, const PictureHeader& header) {
  GifDecoder decoder(bytes);
  if (const auto found = decoder.go_to_frame(); !found) return tl::unexpected(found.error());
  return decoder.read_frame(header);
}

}  // namespace

const PictureFormat gif_format{
    "GIF", [](FileBytes bytes) { return starts_with(bytes, "GIF87a") || starts_with(bytes, "GIF89a"); },
    read_gif_header, decode_gif_pixels};

}  // namespace culprit
