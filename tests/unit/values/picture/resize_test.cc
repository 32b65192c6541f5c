#include "picture/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tensor/npy.h"
#include "unit/values/picture/golden.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

const std::map<std::string, Filter> filters{{"nearest", Filter::nearest},   {"nearest-exact", Filter::nearest_exact},
                                            {"area", Filter::area},         {"box", Filter::area},
                                            {"bilinear", Filter::bilinear}, {"bicubic", Filter::bicubic},
                                            {"lanczos", Filter::lanczos}};

/// Pillow's convert("L").
Pixels<std::uint8_t> grey_of(const Picture& picture) {
  Pixels<std::uint8_t> grey{picture.width, picture.height, 1, {}};
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3)
    grey.values.push_back(static_cast<std::uint8_t>(
        (picture.rgb[i] * 19595 + picture.rgb[i + 1] * 38470 + picture.rgb[i + 2] * 7471 + 0x8000) >> 16));
  return grey;
}

void expect_bytes(const std::string& file, Backend backend) {
  const Picture scene = picture_of("scene.png");
  const Pixels<std::uint8_t> grey = grey_of(scene);
  for (const auto& line : golden_lines(file)) {
    const PictureSize size{std::stoi(line[2]), std::stoi(line[3])};
    const ResizeMethod method{backend, filters.at(line[1])};
    const auto result = line[0] == "L" ? resized(grey, size, method) : resized(scene, size, method);
    EXPECT_EQ(hash_of(result.values), line[4]) << file << " " << join(line, " ");
  }
}

TEST(Resize, PillowsBytes) { expect_bytes("resized.txt", Backend::pillow); }
TEST(Resize, TheBytesOfPillowUpTo12) { expect_bytes("resized_pillow12.txt", Backend::pillow12); }

/// The largest difference, in grey levels, between what is stored (in parts of a level) and what we make.
void compare(const std::string& file, Backend backend, double parts, double most) {
  const auto stored = read_npz(golden_folder() / file);
  ASSERT_TRUE(stored) << stored.error().text();
  ASSERT_GE(stored->size(), 25U);
  const Picture small = picture_of("small.png");
  std::map<std::string, double> worst;
  for (const auto& [name, value, part] : *stored) {
    const auto words = split(name, ' ');
    const bool is_smooth = words[0].ends_with("+antialias");
    const std::string filter = words[0].substr(0, words[0].find('+'));
    const ResizeMethod method{backend, filters.at(filter), is_smooth};
    const PictureSize size{std::stoi(words[1]), std::stoi(words[2])};
    EXPECT_TRUE(check_method(method));
    std::vector<float> made;
    if (backend == Backend::tf) {
      made = resized_to_floats(small, size, method).values;
    } else {
      const auto bytes = resized(small, size, method).values;
      made.assign(bytes.begin(), bytes.end());
    }
    ASSERT_EQ(static_cast<std::int64_t>(made.size()), value.count()) << name;
    for (std::size_t i = 0; i < made.size(); ++i) {
      double& difference = worst[words[0]];
      difference = std::max(difference, std::abs(made[i] - value.number(static_cast<std::int64_t>(i)) / parts));
    }
  }
  for (const auto& [name, difference] : worst) {
    EXPECT_LE(difference, most) << name;
    ::testing::Test::RecordProperty(name, std::to_string(difference));
  }
}

TEST(Resize, WithinOneGreyLevelOfOpenCv) { compare("resized_opencv.npz", Backend::opencv, 1, 1); }
TEST(Resize, WithinOneGreyLevelOfTorch) { compare("resized_torch.npz", Backend::torch, 1, 1); }
TEST(Resize, WithinAnEighthOfAGreyLevelOfTensorFlow) { compare("resized_tf.npz", Backend::tf, 8, 0.125); }

TEST(Resize, ABackendSaysWhichFiltersItHas) {
  EXPECT_EQ(check_method({Backend::torch, Filter::lanczos}).error().text(),
            "the backend torch has no filter lanczos. it has nearest, nearest-exact, area, bilinear, bicubic");
  EXPECT_THAT(check_method({Backend::pillow, Filter::nearest_exact}).error().text(),
              HasSubstr("no filter nearest-exact"));
}

TEST(Resize, TheSameSizeChangesNothing) {
  const Picture scene = picture_of("scene.png");
  for (const Backend backend : {Backend::pillow, Backend::opencv, Backend::torch, Backend::tf})
    EXPECT_EQ(resized(scene, scene.size(), {backend, Filter::bicubic}).values, scene.rgb);
}

}  // namespace
}  // namespace culprit
