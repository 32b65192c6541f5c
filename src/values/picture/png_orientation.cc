// picture/orientation.h: the chunks of a PNG that say how it is turned: eXIf, XMP, and EXIF as hexadecimal digits in a
// text, as ImageMagick wrote it before there was eXIf.

#include <zlib.h>

#include <algorithm>
#include <string>

#include "picture/orientation.h"

namespace culprit {
namespace {

constexpr std::size_t most_text = std::size_t{1} << 20;  // as Pillow: PngImagePlugin.MAX_TEXT_CHUNK

/// The data of a chunk, and whether they are packed by zlib.
struct PngText {
  FileBytes bytes;
  bool is_packed = false;
};

struct OrientationChunks {
  FileBytes exif;
  PngText profile, xmp;
};

FileBytes behind_zero(FileBytes bytes) {
  std::size_t at = 0;
  while (at < bytes.size() && byte_at(bytes, at) != 0) ++at;
  return bytes.subspan(std::min(at + 1, bytes.size()));
}

/// The last one of several of one kind counts. `kind` are the four letters of the chunk.
void note(FileBytes kind, FileBytes data, OrientationChunks& into) {
  constexpr std::string_view profile_name("Raw profile type exif\0", 22), xmp_name("XML:com.adobe.xmp\0", 18);
  if (starts_with(kind, "eXIf")) into.exif = data;
  if (starts_with(kind, "tEXt") && starts_with(data, profile_name)) into.profile = {behind_zero(data), false};
  const FileBytes rest = behind_zero(data);
  if (starts_with(kind, "zTXt") && starts_with(data, profile_name) && rest.size() > 1)
    into.profile = {rest.subspan(1), true};
  // Two bytes that say whether it is packed and how, then a language and a name in that language.
  if (starts_with(kind, "iTXt") && starts_with(data, xmp_name) && rest.size() > 2)
    into.xmp = {behind_zero(behind_zero(rest.subspan(2))), byte_at(rest, 0) != 0};
}

std::string text_of(const PngText& text) {
  if (!text.is_packed) return {reinterpret_cast<const char*>(text.bytes.data()), text.bytes.size()};
  std::string out(most_text, '\0');
  uLongf size = out.size();
  const auto* from = reinterpret_cast<const Bytef*>(text.bytes.data());
  if (uncompress(reinterpret_cast<Bytef*>(out.data()), &size, from, text.bytes.size()) != Z_OK) return "";
  out.resize(size);
  return out;
}

/// What stands from the fourth line on: two digits a byte.
std::string bytes_of_profile(const std::string& text) {
  std::size_t at = 0;
  for (int line = 0; line < 3; ++line) {
    at = text.find('\n', at);
    if (at == std::string::npos) return "";
    ++at;
  }
  std::string bytes;
  int upper = -1;
  for (; at < text.size(); ++at) {
    const char letter = text[at];
    const int digit = letter >= '0' && letter <= '9'   ? letter - '0'
                      : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10
                      : letter >= 'A' && letter <= 'F' ? letter - 'A' + 10
                                                       : -1;
    if (digit < 0) continue;
    if (upper >= 0) bytes += static_cast<char>(upper * 16 + digit);
    upper = upper >= 0 ? -1 : digit;
  }
  return bytes;
}

FileBytes as_bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

}  // namespace

int png_orientation(FileBytes chunks) {
  OrientationChunks found;
  while (chunks.size() >= 12) {
    const std::size_t length = big_endian(chunks, 0, 4);
    if (length > chunks.size() - 12) break;
    note(chunks.subspan(4, 4), chunks.subspan(8, length), found);
    chunks = chunks.subspan(12 + length);
  }
  const std::string profile = found.exif.empty() ? bytes_of_profile(text_of(found.profile)) : "";
  const std::string xmp = text_of(found.xmp);
  return orientation_of(found.exif.empty() ? as_bytes(profile) : found.exif, as_bytes(xmp));
}

}  // namespace culprit
