#include "picture/encode_picture.h"

#include <png.h>

#include <cstring>
#include <new>

#include "base/file.h"

namespace culprit {

/// By libpng's simple interface, which jumps nowhere.
Result<std::string> encode_png(const Picture& picture) {
  if (picture.width < 1 || picture.height < 1)
    return fail(ErrorKind::internal, "an image without pixels cannot be written");
  png_image image;
  std::memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGB;
  try {
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string bytes(size, '\0');
    if (png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.rgb.data(), 0, nullptr) == 0) {
      const std::string why(static_cast<const char*>(image.message));
      png_image_free(&image);
      return fail(ErrorKind::internal, "the image cannot be written as PNG: " + why);
    }
    bytes.resize(size);
    return bytes;
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, "there is no memory to write the image as PNG");
  }
}

Result<void> write_png(const std::filesystem::path& path, const Picture& picture) {
  const auto bytes = encode_png(picture);
  if (!bytes) return tl::unexpected(bytes.error());
  return write_file_atomic(path, *bytes);
}

}  // namespace culprit
