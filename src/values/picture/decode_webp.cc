// picture/formats.h: WebP, by libwebp; of a moving one the first frame

#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>

#include "picture/formats.h"
#include "picture/orientation.h"

namespace culprit {
namespace {

struct DemuxerEnd {
  void operator()(WebPDemuxer* demuxer) const { WebPDemuxDelete(demuxer); }
};

/// The file taken apart: its canvas, its first frame, how it is turned.
class WebpParts {
 public:
  static Result<WebpParts> find(FileBytes bytes) {
    WebpParts parts;
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    parts.demuxer_.reset(WebPDemuxPartial(&data, &state));
    if (state == WEBP_DEMUX_PARSE_ERROR) return broken_picture("its parts do not fit together");
    if (parts.demuxer_ == nullptr || state == WEBP_DEMUX_PARSING_HEADER) return truncated_picture();
    return parts;
  }
  [[nodiscard]] PictureHeader header() const {
    PictureHeader header{static_cast<int>(WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_WIDTH)),
                         static_cast<int>(WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_HEIGHT)), 1};
    WebPChunkIterator exif, xmp;
    header.orientation = orientation_of(chunk("EXIF", exif), chunk("XMP ", xmp));
    WebPDemuxReleaseChunkIterator(&exif);
    WebPDemuxReleaseChunkIterator(&xmp);
    return header;
  }
  /// What the frame leaves of the canvas is black.
  [[nodiscard]] Result<Picture> first_frame(const PictureHeader& header) const {
    WebPIterator frame;
    if (WebPDemuxGetFrame(demuxer_.get(), 1, &frame) == 0) return truncated_picture();
    const std::unique_ptr<WebPIterator, void (*)(WebPIterator*)> end(&frame, WebPDemuxReleaseIterator);
    if (frame.complete == 0) return truncated_picture();
    if (frame.x_offset < 0 || frame.y_offset < 0 || frame.width < 1 || frame.height < 1 ||
        frame.width > header.width - frame.x_offset || frame.height > header.height - frame.y_offset)
      return broken_picture("its frame lies outside of it");
    int width = 0;
    int height = 0;
    if (WebPGetInfo(frame.fragment.bytes, frame.fragment.size, &width, &height) == 0 || width != frame.width ||
        height != frame.height)
      return broken_picture("its frame has two sizes");
    Picture picture(header.width, header.height);
    const std::size_t before = 3 * (static_cast<std::size_t>(frame.y_offset) * header.width + frame.x_offset);
    if (WebPDecodeRGBInto(frame.fragment.bytes, frame.fragment.size, picture.rgb.data() + before,
                          picture.rgb.size() - before, 3 * header.width) == nullptr)
      return broken_picture("its pixels cannot be decoded");
    return picture;
  }

 private:
  /// Empty where there is none; what `at` points to must be released in any case.
  [[nodiscard]] FileBytes chunk(const char* name, WebPChunkIterator& at) const {
    if (WebPDemuxGetChunk(demuxer_.get(), name, 1, &at) == 0) return {};
    return {reinterpret_cast<const std::byte*>(at.chunk.bytes), at.chunk.size};
  }

  std::unique_ptr<WebPDemuxer, DemuxerEnd> demuxer_;
};

Result<PictureHeader> read_webp_header(FileBytes bytes) {
  const auto parts = WebpParts::find(bytes);
  if (!parts) return tl::unexpected(parts.error());
  const PictureHeader header = parts->header();
  if (header.width < 1 || header.height < 1) return broken_picture("its size is 0");
  return header;
}

Result<Picture> decode_webp_pixels(FileBytes bytes, const PictureHeader& header) {
  const auto parts = WebpParts::find(bytes);
  if (!parts) return tl::unexpected(parts.error());
  return parts->first_frame(header);
}

}  // namespace

const PictureFormat webp_format{"WebP",
                                [](FileBytes bytes) {
                                  return bytes.size() >= 16 && starts_with(bytes, "RIFF") &&
                                         starts_with(bytes.subspan(8), "WEBP");
                                },
                                read_webp_header, decode_webp_pixels};

}  // namespace culprit
