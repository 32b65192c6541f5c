#include "picture/encode_picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "base/file.h"
#include "unit/values/picture/golden.h"

namespace culprit {
namespace {

Picture decoded(const std::string& bytes) {
  return decode_picture({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()}, "x").value();
}

int count_of(const Picture& picture, Colour colour) {
  int count = 0;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3)
    count += picture.rgb[i] == colour[0] && picture.rgb[i + 1] == colour[1] && picture.rgb[i + 2] == colour[2] ? 1 : 0;
  return count;
}

/// A look at what is drawn: CULPRIT_LOOK=FOLDER build/release/tests/unit_picture
void for_a_look(const char* name, const Picture& picture) {
  const char* folder = std::getenv("CULPRIT_LOOK");
  if (folder == nullptr) return;
  EXPECT_TRUE(write_png(std::filesystem::path(folder) / name, picture));
}

TEST(EncodePng, ComesBackTheSame) {
  const Picture scene = picture_of("scene.png");
  EXPECT_EQ(decoded(encode_png(scene).value()), scene);
  EXPECT_FALSE(encode_png(Picture()));
  const auto folder = TemporaryFolder::create(std::filesystem::temp_directory_path(), "picture-").value();
  ASSERT_TRUE(write_png(folder.path() / "a.png", scene));
  EXPECT_EQ(read_picture(folder.path() / "a.png").value(), scene);
  EXPECT_FALSE(write_png(folder.path() / "none" / "a.png", scene));
}

TEST(DrawBox, DrawsAFrame) {
  Picture picture(20, 10);
  draw_box(picture, {2, 1, 8, 6}, {9, 9, 9});
  EXPECT_EQ(count_of(picture, {9, 9, 9}), 2 * 6 + 2 * 3);
  EXPECT_EQ(picture.at(2, 1)[0], 9);
  EXPECT_EQ(picture.at(7, 5)[0], 9);
  EXPECT_EQ(picture.at(8, 6)[0], 0);
}

TEST(DrawBox, NumbersOfANetCanBeAnything) {
  Picture picture(20, 10);
  const double infinite = std::numeric_limits<double>::infinity();
  draw_box(picture, {-infinite, -1e300, infinite, std::nan("")}, {9, 9, 9}, "x");
  draw_box(picture, {50, 50, 10, 10}, {9, 9, 9}, "far outside, and a very long text");
  draw_box(picture, {-5, -5, 3, 3}, {9, 9, 9}, "");
  EXPECT_EQ(picture.rgb.size(), 600U);
}

TEST(DrawText, HasAllLetters) {
  Picture picture(620, 60, {255, 255, 255});
  std::string letters;
  for (char c = ' '; c <= '~'; ++c) letters += c;
  draw_text(picture, 5, 5, letters.substr(0, 48), {0, 0, 0}, 2);
  draw_text(picture, 5, 25, letters.substr(48), {0, 0, 160}, 2);
  draw_text(picture, 5, 45, "face 0.98 kitten\xc3\xa4 g=y,j", {160, 0, 0});
  EXPECT_GT(count_of(picture, {0, 0, 0}), 1000);
  EXPECT_EQ(text_size("abc", 2), (PictureSize{36, 16}));
  for_a_look("letters.png", picture);
  Picture small(3, 3);
  draw_text(small, -2, -2, "WWW", {1, 1, 1});
  EXPECT_GT(count_of(small, {1, 1, 1}), 0);
}

TEST(ContactSheet, ShowsPicturesWithCaptions) {
  const Picture scene = picture_of("scene.png");
  Picture boxed = scene;
  draw_box(boxed, {20, 30, 80, 90}, colour_for(0), "cat 0.93");
  draw_box(boxed, {90, 3, 149, 60}, colour_for(2), "dog");
  const std::vector<CaptionedPicture> pictures{{scene, "scene.png"},
                                               {boxed, "with boxes"},
                                               {Picture(1, 1, {255, 0, 0}), "1x1"},
                                               {Picture(30, 400, {0, 90, 0}), "long"},
                                               {Picture(), "none at all, and more words than there is room for"}};
  const Picture sheet = contact_sheet(pictures, 3, 120);
  EXPECT_EQ(sheet.width, 3 * 126 + 6);
  EXPECT_EQ(sheet.height, 2 * 140 + 6);
  EXPECT_EQ(count_of(sheet, {255, 0, 0}), 1);
  for_a_look("sheet.png", sheet);
  EXPECT_GT(contact_sheet({}, 0, 0).rgb.size(), 0U);
}

}  // namespace
}  // namespace culprit
