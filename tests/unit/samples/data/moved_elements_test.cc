#include "data/moved_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using testing::ElementsAre;

constexpr std::int64_t far = INT64_MAX;

TEST(Moves, ATransposeReversesOrFollowsItsOrder) {
  const auto plain = transposed({2, 3}, {});
  EXPECT_EQ(plain->shape, (Shape{3, 2}));
  EXPECT_THAT(plain->from, ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(transposed({1, 2, 3}, {0, 2, 1})->from, ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_FALSE(transposed({2, 3}, {0, 0}));
  EXPECT_FALSE(transposed({2, 3}, {0}));
}

TEST(Moves, ASliceClampsCountsFromTheEndAndGoesBackwards) {
  EXPECT_THAT(sliced({5}, {1}, {far}, {}, {})->from, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(sliced({5}, {-2}, {100}, {0}, {})->from, ElementsAre(3, 4));
  EXPECT_THAT(sliced({5}, {-1}, {-far}, {0}, {-2})->from, ElementsAre(4, 2, 0));
  EXPECT_THAT(sliced({2, 3}, {1}, {2}, {-1}, {1})->from, ElementsAre(1, 4));
  EXPECT_TRUE(sliced({5}, {4}, {2}, {}, {})->from.empty());
  EXPECT_FALSE(sliced({5}, {0}, {1}, {3}, {}));
  EXPECT_FALSE(sliced({5}, {0}, {1}, {0}, {0}));
}

TEST(Moves, APadFillsAndCrops) {
  EXPECT_THAT(padded({2}, {1, 2})->from, ElementsAre(Move::filled, 0, 1, Move::filled, Move::filled));
  EXPECT_THAT(padded({3}, {-1, 0})->from, ElementsAre(1, 2));
  EXPECT_FALSE(padded({2}, {1}));
  EXPECT_FALSE(padded({2, 2, 2}, {1 << 19, 1 << 19, 1 << 19, 0, 0, 0})) << "absurdly large";
}

TEST(Moves, AGatherTakesIndicesFromBothEnds) {
  EXPECT_THAT(gathered({2, 2}, {-1, 0}, 1)->from, ElementsAre(1, 0, 3, 2));
  EXPECT_FALSE(gathered({2}, {2}, 0));
}

TEST(Moves, ShapesAreMadeAsOnnxMakesThem) {
  EXPECT_EQ(shape_like({2, 3, 4}, {0, -1}, false), (Shape{2, 12}));
  EXPECT_FALSE(shape_like({2, 3}, {5, -1}, false));
  EXPECT_FALSE(shape_like({2, 3}, {-1, -1}, false));
  EXPECT_EQ(squeezed({1, 3, 1}, {-1}), (Shape{1, 3}));
  EXPECT_EQ(squeezed({1, 3, 1}, {}), (Shape{3}));
  EXPECT_FALSE(squeezed({1, 3}, {1}));
  EXPECT_EQ(unsqueezed({3}, {0, -1}), (Shape{1, 3, 1}));
  EXPECT_FALSE(unsqueezed({3}, {0, 0}));
}

}  // namespace
}  // namespace culprit
