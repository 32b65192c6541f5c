#include "conversion/keep/layers_to_keep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::size_t all_layers = 12;

/// Each layer moves each sample by so much when it is rounded; one that is moved beyond its margin is decided
/// otherwise.
struct MovedSamples {
  std::vector<std::vector<double>> moved;  // by sample and layer
  std::vector<double> margins;

  [[nodiscard]] std::int64_t changed(unsigned kept) const {
    std::int64_t count = 0;
    for (std::size_t sample = 0; sample < moved.size(); ++sample) {
      double off = 0;
      for (std::size_t layer = 0; layer < moved[sample].size(); ++layer)
        if ((kept >> layer & 1U) == 0) off += moved[sample][layer];
      count += off > margins[sample] ? 1 : 0;
    }
    return count;
  }
  [[nodiscard]] std::vector<double> costs() const {
    std::vector<double> squares(all_layers, 0);
    for (const auto& sample : moved)
      for (std::size_t layer = 0; layer < all_layers; ++layer) squares[layer] += sample[layer] * sample[layer];
    return squares;
  }
  [[nodiscard]] int smallest() const {
    int size = all_layers;
    for (unsigned kept = 0; kept < 1U << all_layers; ++kept)
      if (std::popcount(kept) < size && changed(kept) == 0) size = std::popcount(kept);
    return size;
  }
};

/// `one_in`: so many of the numbers move a sample back; 0: none does.
MovedSamples moved_samples(std::mt19937_64& random, std::uint64_t one_in) {
  std::normal_distribution<double> normal;
  MovedSamples made;
  std::vector<double> scales(all_layers);
  for (double& scale : scales) scale = std::exp(1.5 * normal(random));
  made.moved.resize(1 + random() % 40, std::vector<double>(all_layers));
  double mean = 0;
  for (auto& sample : made.moved)
    for (std::size_t layer = 0; layer < all_layers; ++layer) {
      const double by = scales[layer] * std::abs(normal(random));
      mean += by / static_cast<double>(made.moved.size());
      sample[layer] = one_in > 0 && random() % one_in == 0 ? -by : by;
    }
  const double width = mean * std::array{0.05, 0.2, 0.5, 1.0}.at(random() % 4);
  for (std::size_t sample = 0; sample < made.moved.size(); ++sample)
    made.margins.push_back(width * std::abs(normal(random)));
  return made;
}

unsigned bits_of_set(const LayerSet& kept) {
  unsigned bits = 0;
  for (const std::size_t layer : kept) bits |= 1U << layer;
  return bits;
}

/// How often the set is larger than the smallest by so many. Each set must be enough, and asked, with few questions.
std::vector<int> found_beyond_smallest(std::uint64_t one_in, int tries) {
  std::mt19937_64 random(7);
  std::vector<int> beyond(all_layers);
  for (int i = 0; i < tries; ++i) {
    const MovedSamples samples = moved_samples(random, one_in);
    if (samples.changed(0) == 0 || samples.changed((1U << all_layers) - 1) != 0) continue;
    std::vector<LayerSet> asked;
    const auto found = layers_to_keep(samples.costs(), [&](const LayerSet& kept) -> Result<std::int64_t> {
      asked.push_back(kept);
      return samples.changed(bits_of_set(kept));
    });
    if (!found || samples.changed(bits_of_set(found->kept)) != 0) return {};
    EXPECT_THAT(asked, ::testing::Contains(found->kept));
    EXPECT_EQ(found->questions, static_cast<std::int64_t>(asked.size()));
    EXPECT_LE(found->questions, 4 * static_cast<double>(found->kept.size()) * std::log2(all_layers));
    std::ranges::sort(asked);
    EXPECT_EQ(std::ranges::adjacent_find(asked), asked.end()) << "asked twice";
    ++beyond.at(found->kept.size() - static_cast<std::size_t>(samples.smallest()));
  }
  return beyond;
}

TEST(LayersToKeep, AreHardlyMoreThanTheFewest) {
  const auto beyond = found_beyond_smallest(0, 300);
  ASSERT_FALSE(beyond.empty());
  EXPECT_GT(beyond[0], 280);
  EXPECT_EQ(beyond[0] + beyond[1] + beyond[2], std::accumulate(beyond.begin(), beyond.end(), 0));
}

TEST(LayersToKeep, AreFoundWhereSomeMakeUpForOthers) {
  const auto beyond = found_beyond_smallest(40, 300);
  ASSERT_FALSE(beyond.empty());
  EXPECT_GT(beyond[0], 280);
  EXPECT_EQ(beyond[0] + beyond[1] + beyond[2], std::accumulate(beyond.begin(), beyond.end(), 0));
}

/// An oracle that wants these, and nothing else.
ChangedWith wants(const LayerSet& needed, std::int64_t samples, std::int64_t& asked) {
  return [needed, samples, &asked](const LayerSet& kept) -> Result<std::int64_t> {
    ++asked;
    return std::ranges::includes(kept, needed) ? 0 : samples;
  };
}

TEST(LayersToKeep, OfManyAreFoundInFewQuestionsWhateverTheyCost) {
  std::vector<double> costs(200, 1);
  costs[17] = 1e3;
  costs[3] = std::numeric_limits<double>::quiet_NaN();
  std::int64_t asked = 0;
  const auto found = layers_to_keep(costs, wants({17, 80, 199}, 5, asked));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->kept, ElementsAre(17, 80, 199));
  EXPECT_EQ(found->changed_by_rounding, 5);
  EXPECT_EQ(found->changed_left, 0);
  EXPECT_LE(asked, 4 * 3 * std::log2(200));
  EXPECT_EQ(found->questions, asked);
}

TEST(LayersToKeep, AreNoneWhereRoundingChangesNothing) {
  std::int64_t asked = 0;
  const auto found = layers_to_keep({1, 2, 3}, wants({}, 5, asked));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->kept, IsEmpty());
  EXPECT_EQ(found->changed_by_rounding, 0);
  EXPECT_EQ(asked, 1);
}

TEST(LayersToKeep, AreAllWhereAllAreNotEnough) {
  std::int64_t asked = 0;
  const auto found = layers_to_keep({1, 2, 3}, wants({7}, 5, asked));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->kept, ElementsAre(0, 1, 2));
  EXPECT_EQ(found->changed_left, 5);
  EXPECT_EQ(asked, 2);
}

TEST(LayersToKeep, FailsWhereARunFails) {
  EXPECT_FALSE(layers_to_keep({1, 2}, [](const LayerSet& kept) -> Result<std::int64_t> {
    if (kept.size() == 1) return fail(ErrorKind::io, "no room");
    return kept.empty() ? 1 : 0;
  }));
  std::int64_t asked = 0;
  EXPECT_TRUE(layers_to_keep({}, wants({}, 5, asked))) << "no layer at all";
}

}  // namespace
}  // namespace culprit
