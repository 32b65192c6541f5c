#pragma once
// PNG by libpng, as colours or as the numbers that are stored. Private to this room.

#include <png.h>

#include <cstddef>
#include <cstdint>

#include "picture/formats.h"

namespace culprit {

enum class PngPixels : std::uint8_t {
  colours,  ///< all kinds become 8 bits of red, green and blue
  numbers,  ///< places in a palette and levels of grey as they are, a byte or two (the upper first) each; else colours
};

class PngDecoder {
 public:
  PngDecoder(FileBytes bytes, PngPixels pixels);
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;
  ~PngDecoder();

  /// False: error() says why. `header` is what png_format's read_header found.
  bool start(const PictureHeader& header);
  /// As many bytes as all pixels have.
  bool read_pixels(std::uint8_t* into, const PictureHeader& header);
  [[nodiscard]] std::size_t numbers_of_a_pixel() const { return numbers_; }  ///< 1, or 3 of colours
  [[nodiscard]] std::size_t bytes_of_a_pixel() const { return numbers_ * bytes_; }
  [[nodiscard]] tl::unexpected<Error> error() const;

 private:
  /// What libpng's callbacks work with.
  struct Input {
    FileBytes rest;
    bool is_truncated = false;
    char message[200] = {};
  };
  [[noreturn]] static void give_up(png_structp png, png_const_charp message);
  static void read_bytes(png_structp png, png_bytep to, png_size_t count);
  void wish_for_numbers();

  Input input_;
  PngPixels pixels_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int passes_ = 1;
  std::size_t numbers_ = 3, bytes_ = 1;
};

}  // namespace culprit
