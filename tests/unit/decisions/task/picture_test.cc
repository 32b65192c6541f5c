#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "support/not_numbers.h"
#include "task/embedding.h"
#include "task/picture_quality.h"
#include "task/segmentation.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<std::int32_t>;

TEST(PictureQuality, ACopyIsPerfectWhateverIsInIt) {
  Numbers picture(2 * 8 * 9, 0.25);
  picture[5] = nan;
  picture[80] = infinity;
  EXPECT_EQ(mean_squared_error(picture, picture, 1), 0);
  EXPECT_EQ(decibels(0), infinity);
  EXPECT_EQ(structural_similarity(picture, picture, 8, 9, 1).value(), 1);
}

TEST(PictureQuality, WhatIsNotFiniteIsAnErrorOfTheWholeRange) {
  EXPECT_EQ(mean_squared_error(Numbers{nan, 0}, Numbers{0, 0}, 255), 0.5);
  EXPECT_EQ(mean_squared_error(Numbers{infinity, 0}, Numbers{-infinity, 0}, 255), 0.5);
  Numbers a(64, 0.5), b = a;
  b[20] = nan;
  EXPECT_EQ(structural_similarity(a, b, 8, 8, 1).value(), 0);
  a[20] = nan;
  a[1] = 0.6;
  EXPECT_LT(structural_similarity(a, b, 8, 8, 1).value(), 1);
  EXPECT_GT(structural_similarity(a, b, 8, 8, 1).value(), 0);
}

TEST(PictureQuality, NoWindowFitsOnASmallPicture) {
  EXPECT_FALSE(structural_similarity(Numbers(36), Numbers(36, 1), 6, 6, 1).has_value());
  EXPECT_FALSE(structural_similarity(Numbers(100), Numbers(100, 1), 10, 10, 1, {.gaussian = true}).has_value());
}

TEST(Segmentation, CountsDoNotDependOnGrouping) {
  Random random(4);
  PixelCounts whole, first, second;
  for (int sample = 0; sample < 30; ++sample) {
    Labels a(50), b(50);
    for (std::size_t i = 0; i < 50; ++i) {
      a[i] = static_cast<std::int32_t>(random.between(-1, 4));
      b[i] = static_cast<std::int32_t>(random.between(-1, 4));
    }
    whole.add(a, b);
    (sample < 11 ? first : second).add(a, b);
  }
  StateWriter writer;
  second.write(writer);
  const std::string state = writer.take();
  StateReader reader(state);
  first.merge(PixelCounts::read(reader));
  EXPECT_TRUE(reader.is_at_end());
  EXPECT_EQ(whole.iou(), first.iou());
  EXPECT_EQ(whole.agreement(), first.agreement());
}

TEST(Segmentation, ClassesThatAreNowhereDoNotCount) {
  PixelCounts counts;
  EXPECT_EQ(counts.mean_iou(), 1);
  EXPECT_EQ(counts.agreement(), 1);
  counts.add(Labels{1, 1, 9}, Labels{1, 1, 9});
  EXPECT_EQ(counts.iou().size(), 2U);
  EXPECT_EQ(counts.mean_iou(), 1);
}

TEST(Embedding, CosineAtTheEnds) {
  EXPECT_EQ(cosine_of(Numbers{0, 0}, Numbers{0, 0}), 1);
  EXPECT_EQ(cosine_of(Numbers{0, 0}, Numbers{1, 0}), 0);
  EXPECT_EQ(cosine_of(Numbers{nan, 1}, Numbers{nan, 1}), 1);
  EXPECT_EQ(cosine_of(Numbers{nan, 1}, Numbers{1, 1}), 0);
  EXPECT_NEAR(cosine_of(Numbers{1e300, 1e300}, Numbers{-1e300, -1e300}), -1, 1e-12);
  EXPECT_EQ(cosine_of(Numbers{1}, Numbers{1, 2}), 0);
}

TEST(Embedding, NeighboursOfACopyAreTheSame) {
  std::vector<std::vector<float>> vectors{{1, 0}, {0, 1}, {1, 1}, {2, 2}, {-1, 0}};
  for (const double share : neighbour_agreement(vectors, vectors, 2)) EXPECT_EQ(share, 1);
  auto other = vectors;
  other[0] = {-1, 0.1F};
  EXPECT_LT(neighbour_agreement(vectors, other, 2)[0], 1);
  EXPECT_EQ(neighbour_agreement({vectors.data(), 1}, {vectors.data(), 1}, 2)[0], 1);
}

}  // namespace
}  // namespace culprit
