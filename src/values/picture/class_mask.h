#pragma once
// Masks: PNG files whose pixels are classes and no colours.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "picture/decode_picture.h"
#include "picture/picture.h"

namespace culprit {

/// A class for each pixel, row by row from the top.
struct ClassMask {
  PictureSize size;
  std::vector<std::uint16_t> classes;
};

/// The numbers as they are stored: places in a palette, or levels of grey with 1, 2, 4, 8 or 16 bits. Alpha is dropped.
/// Of colours only those are taken whose red, green and blue are the same in each pixel. Not turned, whatever EXIF
/// says. Errors (bad_input, unsupported): no PNG, a broken one, colours, larger than `options` allow. `where` names the
/// file. Nothing in the bytes is believed.
Result<ClassMask> decode_class_mask(std::span<const std::byte> bytes, std::string_view where,
                                    const DecodeOptions& options = {});
Result<ClassMask> read_class_mask(const std::filesystem::path& path, const DecodeOptions& options = {});

}  // namespace culprit
