// Masks: the numbers that a PNG stores, whatever colours they stand for. The files are made here, byte by byte.
#include "picture/class_mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "picture/encode_picture.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr char grey = 0, colours = 2, palette = 3, grey_with_alpha = 4;

std::string large_end_first(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(number >> shift);
  return bytes;
}

std::string chunk(const std::string& name, const std::string& data) {
  const std::string checked = name + data;
  const auto sum = ::crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  return large_end_first(static_cast<std::uint32_t>(data.size())) + checked +
         large_end_first(static_cast<std::uint32_t>(sum));
}

std::string deflated(const std::string& data) {
  std::string out(::compressBound(data.size()), '\0');
  uLongf size = out.size();
  EXPECT_EQ(
      ::compress(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()), data.size()),
      Z_OK);
  return out.substr(0, size);
}

/// `rows`: each with its pixels, without the byte for the filter.
std::string png(std::uint32_t width, char bits, char kind, const std::vector<std::string>& rows) {
  std::string data;
  for (const std::string& row : rows) data += '\0' + row;
  const std::string header = large_end_first(width) + large_end_first(static_cast<std::uint32_t>(rows.size())) + bits +
                             kind + std::string(3, '\0');
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", header) +
         (kind == palette ? chunk("PLTE", std::string("\xff\0\0\0\xff\0\0\0\xff\x80\x80\x80", 12)) : "") +
         chunk("IDAT", deflated(data)) + chunk("IEND", "");
}

Result<ClassMask> decode(const std::string& bytes, const DecodeOptions& options = {}) {
  return decode_class_mask({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "m.png", options);
}

std::vector<std::uint16_t> classes(const std::string& bytes) {
  const auto mask = decode(bytes);
  EXPECT_TRUE(mask) << mask.error().text();
  return mask ? mask->classes : std::vector<std::uint16_t>();
}

std::string mask_complaint(const std::string& bytes, const DecodeOptions& options = {}) {
  const auto mask = decode(bytes, options);
  return mask ? "fine" : mask.error().text();
}

TEST(ClassMask, HoldsTheNumbersAsTheyAreStored) {
  const std::string four("\0\x01\x02\x03", 4);
  EXPECT_THAT(classes(png(2, 8, palette, {four.substr(0, 2), four.substr(2)})), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(classes(png(4, 2, palette, {"\x1B"})), ElementsAre(0, 1, 2, 3)) << "two bits each";
  EXPECT_THAT(classes(png(2, 8, grey, {"\x15\xFF"})), ElementsAre(21, 255));
  EXPECT_THAT(classes(png(2, 4, grey, {"\x3F"})), ElementsAre(3, 15)) << "not stretched to 255";
  EXPECT_THAT(classes(png(2, 1, grey, {"\x40"})), ElementsAre(0, 1));
  EXPECT_THAT(classes(png(1, 16, grey, {"\x01\x02"})), ElementsAre(258));
  EXPECT_THAT(classes(png(1, 8, grey_with_alpha, {"\x05\x01"})), ElementsAre(5));
  EXPECT_THAT(classes(png(2, 8, colours, {std::string("\x05\x05\x05\x06\x06\x06")})), ElementsAre(5, 6));
}

TEST(ClassMask, OfColoursOrWithoutAnEndIsRefused) {
  EXPECT_THAT(mask_complaint(png(1, 8, colours, {"\x05\x05\x06"})), HasSubstr("mask m.png: it has colours"));
  EXPECT_THAT(mask_complaint("\xFF\xD8\xFF"), HasSubstr("it is no PNG"));
  EXPECT_THAT(mask_complaint(""), HasSubstr("it is no PNG"));
  const std::string whole = png(2, 8, grey, {"\x15\xFF", "\x15\xFF"});
  for (std::size_t size = 0; size + 12 < whole.size(); ++size)  // without the last chunk it is whole
    EXPECT_NE(mask_complaint(whole.substr(0, size)), "fine") << size;
  EXPECT_THAT(mask_complaint(whole, {.most_pixels = 3}), HasSubstr("claims more than 3 pixels"));
}

}  // namespace
}  // namespace culprit
