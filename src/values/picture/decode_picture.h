#pragma once
// Picture files become pictures: JPEG, PNG, GIF (the first frame), WebP (the first frame), BMP and PPM, PGM, PBM. What
// kind of file it is, its first bytes tell, not its name. The pixels are those of Pillow's
// ImageOps.exif_transpose(Image.open(file)).convert("RGB"), with one exception: grey with 16 bits keeps its upper 8, as
// OpenCV, TensorFlow and torchvision.io do; Pillow clips such pixels to 255, so that nearly all become white.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/error.h"
#include "picture/picture.h"

namespace culprit {

struct DecodeOptions {
  std::uint64_t most_pixels = 100'000'000;  ///< a file whose header claims more is refused before anything is allocated
};

/// Does it begin as one of the kinds of files that can be read?
bool is_picture(std::span<const std::byte> bytes);

/// `where` names the file in messages. Nothing in the bytes is believed.
Result<Picture> decode_picture(std::span<const std::byte> bytes, std::string_view where,
                               const DecodeOptions& options = {});
Result<Picture> read_picture(const std::filesystem::path& path, const DecodeOptions& options = {});

/// The size of the picture that would be read, from the file's header only; no limit.
Result<PictureSize> picture_size(std::span<const std::byte> bytes, std::string_view where);
Result<PictureSize> picture_size(const std::filesystem::path& path);

}  // namespace culprit
