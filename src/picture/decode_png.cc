// picture/formats.h: PNG, by libpng

#include <png.h>

#include <cstring>

#include "picture/formats.h"
#include "picture/orientation.h"

namespace culprit {
namespace {

constexpr std::string_view png_magic("\x89PNG\r\n\x1A\n", 8);

/// What libpng's callbacks work with.
struct PngInput {
  FileBytes rest;
  bool is_truncated = false;
  char message[200] = {};
};

[[noreturn]] void png_gives_up(png_structp png, png_const_charp message) {
  auto* input = static_cast<PngInput*>(png_get_error_ptr(png));
  std::strncpy(static_cast<char*>(input->message), message, sizeof(input->message) - 1);
  png_longjmp(png, 1);
}

void png_read_bytes(png_structp png, png_bytep to, png_size_t count) {
  auto* input = static_cast<PngInput*>(png_get_io_ptr(png));
  if (count > input->rest.size()) {
    input->is_truncated = true;
    png_error(png, "it ends too early");
  }
  std::memcpy(to, input->rest.data(), count);
  input->rest = input->rest.subspan(count);
}

class PngDecoder {
 public:
  explicit PngDecoder(FileBytes bytes) : input_{bytes} {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input_, png_gives_up, [](png_structp, png_const_charp) {});
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

  /// In these two nothing may have a destructor: libpng jumps out of them. All kinds become 8 bits of red, green, blue.
  bool start(const PictureHeader& header) {
    if (info_ == nullptr) return false;
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_read_fn(png_, &input_, png_read_bytes);
    png_set_user_limits(png_, 0x7FFFFFFF, 0x7FFFFFFF);  // decode_picture() has looked at the size
    png_set_chunk_malloc_max(png_, input_.rest.size());
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // texts, profiles and the like
    png_read_info(png_, info_);
    if (png_get_image_width(png_, info_) != static_cast<png_uint_32>(header.width) ||
        png_get_image_height(png_, info_) != static_cast<png_uint_32>(header.height))
      png_error(png_, "it has two sizes");
    png_set_strip_16(png_);
    png_set_palette_to_rgb(png_);
    png_set_expand_gray_1_2_4_to_8(png_);
    png_set_gray_to_rgb(png_);
    png_set_strip_alpha(png_);
    passes_ = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    if (png_get_rowbytes(png_, info_) != std::size_t{3} * static_cast<std::size_t>(header.width))
      png_error(png_, "its rows have a strange length");
    return true;
  }
  bool read_pixels(std::uint8_t* rgb, const PictureHeader& header) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    const std::size_t stride = std::size_t{3} * static_cast<std::size_t>(header.width);
    for (int pass = 0; pass < passes_; ++pass)
      for (int y = 0; y < header.height; ++y) png_read_row(png_, rgb + stride * static_cast<std::size_t>(y), nullptr);
    return true;
  }
  [[nodiscard]] tl::unexpected<Error> error() const {
    if (input_.is_truncated) return truncated_picture();
    return broken_picture(static_cast<const char*>(input_.message));
  }

 private:
  PngInput input_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int passes_ = 1;
};

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
  PngDecoder decoder(bytes);
  if (!decoder.start(header)) return decoder.error();
  Picture picture(header.width, header.height);
  if (!decoder.read_pixels(picture.rgb.data(), header)) return decoder.error();
  return picture;
}

}  // namespace

const PictureFormat png_format{"PNG", [](FileBytes bytes) { return starts_with(bytes, png_magic); }, read_png_header,
                               decode_png_pixels};

}  // namespace culprit
