#include "profile/blame/blame_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool holds(const Subset& subset, std::size_t step) { return std::ranges::binary_search(subset, step); }

TEST(BlameWalk, FindsOneAfterTheOther) {
  const BlameWalk walk = blame_walk(
      6, [](const Subset& steps) { return holds(steps, 1) || holds(steps, 4); }, [] { return false; });
  EXPECT_THAT(walk.blamed, ElementsAre(1, 4));
  EXPECT_THAT(walk.left, ElementsAre(0, 2, 3, 5));
}

TEST(BlameWalk, WhatItLooksForWhenItIsOverIsNotFound) {
  int asked = 0;
  const auto is_over = [&] { return asked > 3; };
  const BlameWalk walk = blame_walk(
      8,
      [&](const Subset& steps) {
        ++asked;
        return !is_over() && holds(steps, 7);
      },
      is_over);
  EXPECT_THAT(walk.blamed, IsEmpty());
  EXPECT_EQ(walk.left.size(), 8U);
}

TEST(BlameWalk, QuestionsThatHaveAnAnswerAreNotAhead) {
  const auto nothing = [](const Subset&) { return false; };
  // all, none, ab, cd, c, d, abc
  EXPECT_EQ(questions_ahead(4, 3, nothing, nothing), 7);
  EXPECT_EQ(questions_ahead(1, 0, nothing, nothing), 2) << "all and none";
  const auto is_known = [](const Subset& steps) { return steps.empty() || steps.size() == 4; };
  EXPECT_EQ(questions_ahead(4, 3, is_known, [](const Subset& steps) { return !steps.empty(); }), 5);
}

}  // namespace
}  // namespace culprit
