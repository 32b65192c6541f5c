// Masks and pictures that say what is right of others.
#include "data/sets/truth_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "data/sets/labelled_files.h"
#include "picture/encode_picture.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TruthPicturesTest : public testing::Test {
 protected:
  /// Grey levels, row by row.
  void write(const std::string& name, int width, const std::vector<std::uint8_t>& levels) {
    Picture picture(width, static_cast<int>(levels.size()) / width);
    for (std::size_t i = 0; i < picture.rgb.size(); ++i) picture.rgb[i] = levels[i / 3];
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(write_png(folder_.path() / name, picture));
  }
  [[nodiscard]] Result<TruthPictureFiles> open(TruthPictures kind = TruthPictures::classes) const {
    const auto files = list_files(picture_kind(), folder_.path() / "p");
    return TruthPictureFiles::open(folder_.path() / "m", files->folder, files->names, kind);
  }
  /// What is right of p/a.png.
  [[nodiscard]] Result<std::vector<NamedTensor>> read(const Preprocessing& preprocessing,
                                                      TruthPictures kind = TruthPictures::classes) const {
    const auto files = open(kind);
    if (!files) return tl::unexpected(files.error());
    return files->read(0, folder_.path() / "p/a.png", preprocessing);
  }
  static std::vector<double> numbers(const Result<std::vector<NamedTensor>>& read) {
    EXPECT_TRUE(read) << read.error().text();
    std::vector<double> numbers;
    for (std::int64_t i = 0; read && i < read->at(0).value.count(); ++i) numbers.push_back(read->at(0).value.number(i));
    return numbers;
  }
  static PictureStep step(PictureStepKind kind) {
    PictureStep step;
    step.kind = kind;
    return step;
  }
  static Preprocessing fit(std::int64_t height, std::int64_t width, std::vector<PictureStep> steps = {}) {
    Preprocessing preprocessing;
    preprocessing.steps = std::move(steps);
    return fitted(preprocessing, {{1, 3, height, width}, DType::f32}).value();
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-masks").value();
};

TEST_F(TruthPicturesTest, AMaskIsSeenAsTheNetSeesThePicture) {
  write("p/a.png", 4, std::vector<std::uint8_t>(16, 9));
  write("m/a.png", 4, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255});
  EXPECT_THAT(numbers(read(fit(4, 4))), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1));
  EXPECT_THAT(numbers(read(fit(2, 2))), ElementsAre(5, 7, 13, -1)) << "under the middles of its pixels";
  EXPECT_EQ(read(fit(2, 2))->at(0).value.shape(), (Shape{1, 2, 2}));
  EXPECT_THAT(numbers(read(fit(2, 2, {step(PictureStepKind::crop)}))), ElementsAre(5, 6, 9, 10));
  EXPECT_THAT(numbers(read(fit(2, 4, {step(PictureStepKind::letterbox)}))), ElementsAre(-1, 5, 7, -1, -1, 13, -1, -1))
      << "the rest is nothing";
}

TEST_F(TruthPicturesTest, OfMasksOfTwoValuesWhiteIsAClass) {
  write("p/a.png", 2, {1, 1});
  write("p/b.png", 2, {1, 1});
  write("m/a.png", 2, {0, 255});
  EXPECT_THAT(numbers(read(fit(1, 2))), ElementsAre(0, 1));
  EXPECT_THAT(open()->description(), ElementsAre(HasSubstr("m on 1 of 2 images; they hold 0 and 255: 255 is class 1")));
  write("m/b.png", 2, {3, 255});
  EXPECT_THAT(numbers(read(fit(1, 2))), ElementsAre(0, -1)) << "another mask has more classes";
  EXPECT_THAT(open()->description(), ElementsAre(HasSubstr("each value is a class, and 255 counts for nothing")));
}

TEST_F(TruthPicturesTest, NamesGoByTheirStemsAndSizesMustFit) {
  write("p/a.png", 2, {1, 1});
  write("p/sub/c.png", 2, {1, 1});
  write("m/other.png", 2, {0, 1});
  const auto none = open();
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().text(), HasSubstr("none of the 1 image files in"));
  write("m/c.png", 2, {0, 1});
  EXPECT_EQ(open()->size(), 1);
  EXPECT_THAT(*read(fit(1, 2)), IsEmpty()) << "nobody says what is right of a";
  write("m/a.png", 1, {0, 1, 1});
  EXPECT_THAT(read(fit(1, 2)).error().message, HasSubstr("is 1x3, and its image 2x1"));
  ASSERT_TRUE(write_file_atomic(folder_.path() / "m/a.png", "no image"));
  EXPECT_THAT(read(fit(1, 2)).error().message, HasSubstr("it is no PNG"));
}

TEST_F(TruthPicturesTest, APictureThatIsRightIsPreparedAsTheOneThatIsShown) {
  write("p/a.png", 2, {1, 1, 1, 1});
  write("m/a.png", 2, {10, 10, 30, 30});
  Preprocessing half = fit(1, 1);
  half.scale = 0.5;
  EXPECT_THAT(numbers(read(half, TruthPictures::colours)), ElementsAre(10, 10, 10)) << "the same steps";
  write("m/a.png", 3, {10, 20, 30, 40, 50, 60});
  const auto larger = read(half, TruthPictures::colours);
  ASSERT_TRUE(larger) << larger.error().text();
  EXPECT_EQ(larger->at(0).value.shape(), (Shape{1, 3, 2, 3})) << "in its own size";
  EXPECT_EQ(larger->at(0).value.number(5), 30);
}

}  // namespace
}  // namespace culprit
