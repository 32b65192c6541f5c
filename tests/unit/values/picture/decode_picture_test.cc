#include "picture/decode_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/memory.h"
#include "base/random.h"
#include "unit/values/picture/golden.h"

namespace culprit {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

std::span<const std::byte> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string contents(const std::string& name) { return read_file(golden_picture(name)).value(); }

std::string decoding_complaint(const std::string& bytes, DecodeOptions options = {}) {
  const auto picture = decode_picture(bytes_of(bytes), "x", options);
  return picture ? "" : picture.error().text();
}

std::string four_bytes(std::uint32_t value) {
  return {static_cast<char>(value >> 24U), static_cast<char>(value >> 16U), static_cast<char>(value >> 8U),
          static_cast<char>(value)};
}

/// The beginning of a PNG that claims a size.
std::string png_claiming(std::uint32_t width, std::uint32_t height) {
  std::string bytes = contents("rgb.png");
  bytes.replace(16, 8, four_bytes(width) + four_bytes(height));
  return bytes;
}

TEST(DecodePicture, GivesThePixelsOfPillow) {
  for (const auto& line : golden_lines("decoded.txt")) {
    const Picture picture = picture_of(line[0]);
    EXPECT_EQ(std::to_string(picture.width) + " " + std::to_string(picture.height), line[1] + " " + line[2]) << line[0];
    EXPECT_EQ(hash_of(picture.rgb), line[3]) << line[0];
  }
}

TEST(DecodePicture, TheSizeIsKnownFromTheHeader) {
  for (const auto& line : golden_lines("decoded.txt")) {
    const auto size = picture_size(golden_picture(line[0]));
    ASSERT_TRUE(size) << size.error().text();
    EXPECT_EQ(std::to_string(size->width) + " " + std::to_string(size->height), line[1] + " " + line[2]) << line[0];
  }
}

TEST(DecodePicture, TheNameOfAFileSaysNothing) {
  EXPECT_TRUE(is_picture(bytes_of(contents("420.jpg"))));
  EXPECT_FALSE(is_picture(bytes_of("Once upon a time")));
  EXPECT_THAT(decoding_complaint("Once upon a time"), HasSubstr("cannot read x: it is no image. images are JPEG, PNG"));
  EXPECT_THAT(decoding_complaint(""), HasSubstr("the file is empty"));
  EXPECT_THAT(read_picture(golden_folder() / "none.png").error().text(), HasSubstr("No such file"));
}

TEST(DecodePicture, AnotherKindOfPictureIsNoneOfOurs) {
  EXPECT_FALSE(is_picture(bytes_of("BM is how this letter begins, and no size follows")));
  EXPECT_FALSE(is_picture(bytes_of("P9 1 1")));
  EXPECT_FALSE(is_picture(bytes_of("RIFF1234WAVEfmt 1234")));
}

TEST(DecodePicture, ABombIsRefusedByItsHeader) {
  EXPECT_EQ(decoding_complaint(png_claiming(60000, 60000)),
            "cannot read x: its header claims 60000 x 60000 = 3600 million pixels, and the limit is 100 million");
  EXPECT_THAT(decoding_complaint(png_claiming(20000, 20000)), HasSubstr("20000 x 20000 = 400 million pixels"));
  EXPECT_THAT(decoding_complaint("P6 1000000 1000000 255\n"),
              AnyOf(HasSubstr("million pixels"), HasSubstr("truncated")));
  EXPECT_THAT(decoding_complaint("P6 100000 100000 255\nabc"), HasSubstr("10000 million pixels"));
  EXPECT_THAT(decoding_complaint(contents("rgb.png"), {.most_pixels = 1000}), HasSubstr("limit is 0.001 million"));
  EXPECT_EQ(decoding_complaint(contents("rgb.png"), {.most_pixels = 37 * 29}), "");
  EXPECT_EQ(picture_size(bytes_of(png_claiming(60000, 60000)), "x").value(), (PictureSize{60000, 60000}));
}

TEST(DecodePicture, NoMemoryForAChunkThatCannotBeThere) {
  std::string bytes = contents("rgb.png");
  bytes.insert(33, four_bytes(0x7FFFFFF0) + "zTXtname");
  const std::uint64_t before = peak_resident_bytes();
  EXPECT_THAT(decoding_complaint(bytes), HasSubstr("it is truncated"));
  EXPECT_LT(peak_resident_bytes() - before, 100'000'000U);
}

TEST(DecodePicture, AJpegWithoutAnEndOfScansIsRefused) {
  const std::string bytes = contents("progressive.jpg");
  const std::size_t last = bytes.rfind("\xFF\xDA");
  const std::string scan = bytes.substr(last, bytes.size() - 2 - last);
  const auto with_more = [&](int count) {
    std::string more = bytes;
    for (int i = 0; i < count; ++i) more.insert(last, scan);
    return more;
  };
  EXPECT_EQ(decoding_complaint(with_more(20)), "");
  EXPECT_THAT(decoding_complaint(with_more(150)), HasSubstr("it has more than 100 scans"));
}

TEST(DecodePicture, EveryKindHasTheLimit) {
  for (const auto& line : golden_lines("decoded.txt")) {
    if (line[0].starts_with("1x1")) continue;
    EXPECT_THAT(decoding_complaint(contents(line[0]), {.most_pixels = 20}), HasSubstr("its header claims")) << line[0];
  }
}

TEST(DecodePicture, AnImpossibleSizeIsAnError) {
  EXPECT_THAT(decoding_complaint(png_claiming(0, 5)), HasSubstr("impossible size"));
  EXPECT_THAT(decoding_complaint(png_claiming(0xFFFFFFFF, 5)), HasSubstr("impossible size"));
  EXPECT_THAT(decoding_complaint("P5 0 7 255\nx"), HasSubstr("impossible size"));
}

TEST(DecodePicture, HalfAFileIsTruncated) {
  for (const auto& line : golden_lines("decoded.txt")) {
    if (line[0].starts_with("frames") || line[0].starts_with("1x1")) continue;  // the first frame may be there
    const std::string bytes = contents(line[0]);
    EXPECT_THAT(decoding_complaint(bytes.substr(0, bytes.size() / 2)), HasSubstr("it is truncated")) << line[0];
  }
}

TEST(DecodePicture, BrokenBytesAreErrorsAtMost) {
  const DecodeOptions options{.most_pixels = 1'000'000};
  Random random(1);
  for (const auto& line : golden_lines("decoded.txt")) {
    const std::string bytes = contents(line[0]);
    const std::size_t step = std::max<std::size_t>(1, bytes.size() / 60);
    for (std::size_t length = 0; length < bytes.size(); length += step) {
      const auto part = decode_picture(bytes_of(bytes.substr(0, length)), "x", options);
      (void)picture_size(bytes_of(bytes.substr(0, length)), "x");
      EXPECT_TRUE(part || !part.error().message.empty());
    }
    for (int round = 0; round < 150; ++round) {
      std::string broken = bytes;
      for (int i = 0; i <= round % 4; ++i) {
        const auto most =
            static_cast<std::int64_t>(round % 2 == 0 ? bytes.size() : std::min<std::size_t>(80, bytes.size()));
        broken[static_cast<std::size_t>(random.between(0, most - 1))] = static_cast<char>(random.between(0, 255));
      }
      const auto picture = decode_picture(bytes_of(broken), "x", options);
      EXPECT_TRUE(!picture || picture->rgb.size() == std::size_t{3} * picture->width * picture->height);
    }
  }
}

}  // namespace
}  // namespace culprit
