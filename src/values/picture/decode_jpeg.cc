// picture/formats.h: JPEG, by libjpeg-turbo

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>

// After <cstdio>, which it needs and does not include.
#include <jerror.h>
#include <jpeglib.h>

#include "picture/formats.h"
#include "picture/orientation.h"

namespace culprit {
namespace {

constexpr int most_scans = 100;  // a progressive file has about 10 and can have any number, each as dear as the picture

/// What libjpeg calls when it gives up. It must not return, so it jumps back to whoever called libjpeg.
struct JpegErrors {
  jpeg_error_mgr manager{};
  std::jmp_buf back{};
  bool is_truncated = false;
  char message[JMSG_LENGTH_MAX] = {};
};

JpegErrors& errors_of(j_common_ptr jpeg) { return *reinterpret_cast<JpegErrors*>(jpeg->err); }

[[noreturn]] void give_up(j_common_ptr jpeg) {
  JpegErrors& errors = errors_of(jpeg);
  errors.manager.format_message(jpeg, static_cast<char*>(errors.message));
  std::longjmp(static_cast<std::jmp_buf&>(errors.back), 1);
}

boolean no_more_bytes(j_decompress_ptr jpeg) {
  errors_of(reinterpret_cast<j_common_ptr>(jpeg)).is_truncated = true;
  ERREXIT(jpeg, JERR_INPUT_EOF);
  return FALSE;
}

void skip_bytes(j_decompress_ptr jpeg, long count) {
  if (count <= 0) return;
  if (static_cast<std::size_t>(count) > jpeg->src->bytes_in_buffer) no_more_bytes(jpeg);
  jpeg->src->next_input_byte += count;
  jpeg->src->bytes_in_buffer -= static_cast<std::size_t>(count);
}

void count_scans(j_common_ptr jpeg) {
  if (!jpeg->is_decompressor) return;
  if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number <= most_scans) return;
  std::snprintf(static_cast<char*>(errors_of(jpeg).message), JMSG_LENGTH_MAX, "it has more than %d scans", most_scans);
  std::longjmp(static_cast<std::jmp_buf&>(errors_of(jpeg).back), 1);
}

/// A decoder on bytes in memory; ended in all ways of leaving.
class JpegDecoder {
 public:
  explicit JpegDecoder(FileBytes bytes) {
    jpeg_.err = jpeg_std_error(&errors_.manager);
    errors_.manager.error_exit = give_up;
    errors_.manager.output_message = [](j_common_ptr) {};
    source_.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
    source_.bytes_in_buffer = bytes.size();
    source_.init_source = [](j_decompress_ptr) {};
    source_.fill_input_buffer = no_more_bytes;
    source_.skip_input_data = skip_bytes;
    source_.resync_to_restart = jpeg_resync_to_restart;
    source_.term_source = [](j_decompress_ptr) {};
    progress_.progress_monitor = count_scans;
  }
  JpegDecoder(const JpegDecoder&) = delete;
  JpegDecoder& operator=(const JpegDecoder&) = delete;
  ~JpegDecoder() { jpeg_destroy_decompress(&jpeg_); }

  /// In these two nothing may have a destructor: libjpeg jumps out of them.
  bool read_header() {
    if (setjmp(static_cast<std::jmp_buf&>(errors_.back)) != 0) return false;
    jpeg_create_decompress(&jpeg_);
    jpeg_.src = &source_;
    jpeg_.progress = &progress_;
    jpeg_save_markers(&jpeg_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&jpeg_, TRUE);
    return true;
  }
  /// `row` has 4 bytes for each column. CMYK is stored inverted, as Adobe does and Pillow assumes.
  bool read_pixels(std::uint8_t* rgb, std::uint8_t* row) {
    if (setjmp(static_cast<std::jmp_buf&>(errors_.back)) != 0) return false;
    const bool is_cmyk = jpeg_.num_components == 4;
    jpeg_.out_color_space = is_cmyk ? JCS_CMYK : JCS_RGB;
    jpeg_.dct_method = JDCT_ISLOW;
    jpeg_start_decompress(&jpeg_);
    const std::size_t stride = std::size_t{3} * jpeg_.output_width;
    while (jpeg_.output_scanline < jpeg_.output_height) {
      std::uint8_t* to = rgb + stride * jpeg_.output_scanline;
      JSAMPROW target = is_cmyk ? row : to;
      jpeg_read_scanlines(&jpeg_, &target, 1);
      if (is_cmyk) from_inverted_cmyk(row, to, jpeg_.output_width);
    }
    return true;
  }

  [[nodiscard]] tl::unexpected<Error> error() const {
    if (errors_.is_truncated) return truncated_picture();
    return broken_picture(static_cast<const char*>(errors_.message));
  }
  [[nodiscard]] PictureHeader header() const {
    PictureHeader header{static_cast<int>(jpeg_.image_width), static_cast<int>(jpeg_.image_height), 1};
    constexpr std::string_view exif_magic("Exif\0\0", 6), xmp_magic("http://ns.adobe.com/xap/1.0/\0", 29);
    FileBytes exif, xmp;
    for (const auto* marker = jpeg_.marker_list; marker != nullptr; marker = marker->next) {
      const FileBytes data(reinterpret_cast<const std::byte*>(marker->data), marker->data_length);
      if (starts_with(data, exif_magic) && exif.empty()) exif = data;
      if (starts_with(data, xmp_magic)) xmp = data.subspan(xmp_magic.size());
    }
    header.orientation = orientation_of(exif, xmp);
    return header;
  }

 private:
  /// Pillow's arithmetic (cmyk2rgb): a product of two bytes over 255, rounded.
  static void from_inverted_cmyk(const std::uint8_t* cmyk, std::uint8_t* rgb, unsigned width) {
    for (unsigned x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
      const int light = cmyk[3];  // 255 less black
      for (int c = 0; c < 3; ++c) {
        const int product = (255 - cmyk[c]) * light + 128;
        const int value = light - (((product >> 8) + product) >> 8);
        rgb[c] = static_cast<std::uint8_t>(value < 0 ? 0 : value);
      }
    }
  }

  jpeg_decompress_struct jpeg_{};
  JpegErrors errors_;
  jpeg_source_mgr source_{};
  jpeg_progress_mgr progress_{};
};

Result<PictureHeader> read_jpeg_header(FileBytes bytes) {
  JpegDecoder decoder(bytes);
  if (!decoder.read_header()) return decoder.error();
  return decoder.header();
}

Result<Picture> decode_jpeg_pixels(FileBytes bytes, const PictureHeader& header) {
  JpegDecoder decoder(bytes);
  if (!decoder.read_header()) return decoder.error();
  Picture picture(header.width, header.height);
  std::vector<std::uint8_t> row(std::size_t{4} * static_cast<std::size_t>(header.width));
  if (!decoder.read_pixels(picture.rgb.data(), row.data())) return decoder.error();
  return picture;
}

}  // namespace

const PictureFormat jpeg_format{"JPEG", [](FileBytes bytes) { return starts_with(bytes, "\xFF\xD8\xFF"); },
                                read_jpeg_header, decode_jpeg_pixels};

}  // namespace culprit
