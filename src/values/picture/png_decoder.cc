#include "picture/png_decoder.h"

#include <cstring>

namespace culprit {

void PngDecoder::give_up(png_structp png, png_const_charp message) {
  auto* input = static_cast<Input*>(png_get_error_ptr(png));
  std::strncpy(static_cast<char*>(input->message), message, sizeof(input->message) - 1);
  png_longjmp(png, 1);
}

void PngDecoder::read_bytes(png_structp png, png_bytep to, png_size_t count) {
  auto* input = static_cast<Input*>(png_get_io_ptr(png));
  if (count > input->rest.size()) {
    input->is_truncated = true;
    png_error(png, "it ends too early");
  }
  std::memcpy(to, input->rest.data(), count);
  input->rest = input->rest.subspan(count);
}

PngDecoder::PngDecoder(FileBytes bytes, PngPixels pixels) : input_{bytes}, pixels_(pixels) {
  png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &input_, give_up, [](png_structp, png_const_charp) {});
  if (png_ != nullptr) info_ = png_create_info_struct(png_);
}

PngDecoder::~PngDecoder() { png_destroy_read_struct(&png_, &info_, nullptr); }

/// Only 8 bits are wished for of several colours: they are no numbers.
void PngDecoder::wish_for_numbers() {
  const int color = png_get_color_type(png_, info_);
  const bool are_colours = (color & PNG_COLOR_MASK_COLOR) != 0 && (color & PNG_COLOR_MASK_PALETTE) == 0;
  if (are_colours) png_set_strip_16(png_);
  png_set_packing(png_);  // a byte for each pixel, of the same value
  png_set_strip_alpha(png_);
  numbers_ = are_colours ? 3 : 1;
  bytes_ = !are_colours && png_get_bit_depth(png_, info_) == 16 ? 2 : 1;
}

// In these two nothing may have a destructor: libpng jumps out of them.
bool PngDecoder::start(const PictureHeader& header) {
  if (info_ == nullptr) return false;
  if (setjmp(png_jmpbuf(png_)) != 0) return false;
  png_set_read_fn(png_, &input_, read_bytes);
  png_set_user_limits(png_, 0x7FFFFFFF, 0x7FFFFFFF);  // the caller has looked at the size
  png_set_chunk_malloc_max(png_, input_.rest.size());
  png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);  // texts, profiles and the like
  png_read_info(png_, info_);
  if (png_get_image_width(png_, info_) != static_cast<png_uint_32>(header.width) ||
      png_get_image_height(png_, info_) != static_cast<png_uint_32>(header.height))
    png_error(png_, "it has two sizes");
  if (pixels_ == PngPixels::numbers) {
    wish_for_numbers();
  } else {
    png_set_strip_16(png_);
    png_set_palette_to_rgb(png_);
    png_set_expand_gray_1_2_4_to_8(png_);
    png_set_gray_to_rgb(png_);
    png_set_strip_alpha(png_);
  }
  passes_ = png_set_interlace_handling(png_);
  png_read_update_info(png_, info_);
  if (png_get_rowbytes(png_, info_) != bytes_of_a_pixel() * static_cast<std::size_t>(header.width))
    png_error(png_, "its rows have a strange length");
  return true;
}

bool PngDecoder::read_pixels(std::uint8_t* into, const PictureHeader& header) {
  if (setjmp(png_jmpbuf(png_)) != 0) return false;
  const std::size_t stride = bytes_of_a_pixel() * static_cast<std::size_t>(header.width);
  for (int pass = 0; pass < passes_; ++pass)
    for (int y = 0; y < header.height; ++y) png_read_row(png_, into + stride * static_cast<std::size_t>(y), nullptr);
  return true;
}

tl::unexpected<Error> PngDecoder::error() const {
  if (input_.is_truncated) return truncated_picture();
  return broken_picture(static_cast<const char*>(input_.message));
}

}  // namespace culprit
