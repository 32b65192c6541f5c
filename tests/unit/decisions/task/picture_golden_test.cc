#include <gtest/gtest.h>

#include <algorithm>

#include "support/golden.h"
#include "task/embedding.h"
#include "task/picture_quality.h"
#include "task/segmentation.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;
using Labels = std::vector<std::int32_t>;

TEST(PictureGolden, QualityIsScikitImages) {
  for (const auto& one : golden("pictures", "cases")) {
    const auto a = one["a"].get<Numbers>(), b = one["b"].get<Numbers>();
    const auto height = one["shape"][1].get<std::size_t>(), width = one["shape"][2].get<std::size_t>();
    const auto range = one["range"].get<double>();
    EXPECT_NEAR(decibels(mean_squared_error(a, b, range)), one["psnr"].get<double>(), golden_error);
    const auto ssim = [&](const SimilarityOptions& options) {
      return structural_similarity(a, b, height, width, range, options).value();
    };
    EXPECT_NEAR(ssim({}), one["ssim"].get<double>(), golden_error);
    EXPECT_NEAR(ssim({.gaussian = true}), one["ssim_gaussian"].get<double>(), golden_error);
    EXPECT_NEAR(ssim({.gaussian = true, .sample_covariance = false}), one["ssim_wang"].get<double>(), golden_error);
  }
}

TEST(PictureGolden, SegmentsAreScikitLearns) {
  for (const auto& one : golden("segmentation", "cases")) {
    PixelCounts counts;
    counts.add(one["a"].get<Labels>(), one["b"].get<Labels>());
    EXPECT_NEAR(counts.agreement(), one["agreement"].get<double>(), golden_error);
    EXPECT_NEAR(counts.mean_iou(), one["miou"].get<double>(), golden_error);
    const auto iou = counts.iou();
    ASSERT_EQ(iou.size(), one["classes"].size());
    for (std::size_t i = 0; i < iou.size(); ++i)
      EXPECT_NEAR(iou.at(one["classes"][i].get<std::int32_t>()), one["iou"][i].get<double>(), golden_error);
  }
}

TEST(PictureGolden, CosinesAndNeighboursAreScikitLearns) {
  std::vector<std::vector<float>> sets[2];
  for (const auto& row : golden("embeddings", "a")) sets[0].push_back(row.get<std::vector<float>>());
  for (const auto& row : golden("embeddings", "b")) sets[1].push_back(row.get<std::vector<float>>());
  const auto a = golden("embeddings", "a"), b = golden("embeddings", "b"), cosines = golden("embeddings", "cosine");
  for (std::size_t i = 0; i < cosines.size(); ++i)
    EXPECT_NEAR(cosine_of(a[i].get<Numbers>(), b[i].get<Numbers>()), cosines[i].get<double>(), golden_error);
  const auto near_a = golden("embeddings", "neighbours_a"), near_b = golden("embeddings", "neighbours_b");
  const auto shares = neighbour_agreement(sets[0], sets[1], 5);
  for (std::size_t i = 0; i < near_a.size(); ++i) {
    EXPECT_EQ(nearest_neighbours(sets[0], i, 5), near_a[i].get<std::vector<std::int64_t>>());
    EXPECT_EQ(nearest_neighbours(sets[1], i, 5), near_b[i].get<std::vector<std::int64_t>>());
    const auto near = near_a[i].get<std::vector<std::int64_t>>(), other = near_b[i].get<std::vector<std::int64_t>>();
    const auto is_common = [&](std::int64_t one) { return std::ranges::find(other, one) != other.end(); };
    EXPECT_EQ(shares[i], static_cast<double>(std::ranges::count_if(near, is_common)) / 5);
  }
}

}  // namespace
}  // namespace culprit
