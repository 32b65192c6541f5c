#include "task/detection_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "support/not_numbers.h"

namespace culprit {
namespace {

using Found = std::vector<Detection>;
using There = std::vector<TruthBox>;

double f1(const Found& found, const There& there, std::size_t threshold) {
  const SampleMatches matches = match_boxes(found, there);
  const auto both = static_cast<double>(matches.found(threshold) + matches.there());
  return both == 0 ? 1 : 2 * static_cast<double>(matches.hits(threshold)) / both;
}

Found random_found(Random& random, std::int64_t most) {
  Found found(static_cast<std::size_t>(random.between(0, most)));
  for (Detection& one : found) {
    const double x = static_cast<double>(random.between(0, 12)), y = static_cast<double>(random.between(0, 12));
    one = {{x, y, x + static_cast<double>(random.between(0, 9)), y + static_cast<double>(random.between(0, 9))},
           random.between(0, 1),
           static_cast<double>(random.between(0, 6)) / 8};
  }
  return found;
}

TEST(Boxes, OverlapByHand) {
  EXPECT_EQ(iou_of({0, 0, 2, 2}, {1, 0, 3, 2}), 2.0 / 6);
  EXPECT_EQ(iou_of({0, 0, 2, 2}, {2, 0, 4, 2}), 0);
  EXPECT_EQ(iou_of({0, 0, 2, 2}, {2, 2, 0, 0}), 0);  // turned inside out
  EXPECT_EQ(iou_of({0, 0, 2, 2}, {nan, 0, 3, 2}), 0);
  EXPECT_EQ(iou_of({1, 1, 1, 1}, {1, 1, 1, 1}), 1);  // of no area, but a copy
  EXPECT_EQ(iou_of({nan, 1, 1, 1}, {nan, 1, 1, 1}), 1);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(iou_of({-infinity, 0, infinity, 2}, {0, 0, 2, 2}), 0);
  EXPECT_EQ(share_in_crowd({0, 0, 2, 2}, {1, 0, 9, 9}), 0.5);
}

TEST(Boxes, SuppressionGoesClassByClassFromTheSurest) {
  const Box box{0, 0, 10, 10}, near{1, 0, 11, 10}, far{20, 0, 30, 10};
  const Found kept =
      suppress_non_maxima({{near, 1, 0.5}, {box, 1, 0.9}, {near, 2, 0.4}, {far, 1, 0.1}, {box, 1, nan}}, 0.5);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_EQ(kept[0].score, 0.9);
  EXPECT_EQ(kept[1].label, 2);
  EXPECT_EQ(kept[2].box, far);
}

TEST(Boxes, WhatAHiddenBoxHidesStays) {
  const Found kept =
      suppress_non_maxima({{{0, 0, 10, 10}, 0, 0.9}, {{4, 0, 14, 10}, 0, 0.8}, {{8, 0, 18, 10}, 0, 0.7}}, 0.4);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].score, 0.7);
}

TEST(Boxes, OfTooManyTheSurestAreSortedOut) {
  Found many(most_candidates + 50);
  for (std::size_t i = 0; i < many.size(); ++i) {
    const auto x = static_cast<double>(i) * 2;
    many[i] = {{x, 0, x + 1, 1}, static_cast<std::int64_t>(i % 1000), static_cast<double>(i)};
  }
  const Found kept = suppress_non_maxima(many, 0.5);
  EXPECT_EQ(kept.size(), most_candidates);
  EXPECT_EQ(kept.back().score, 50);
}

/// DiTOX takes the first box that is there and overlaps by more than the threshold. Here it is the wrong one, and the
/// second box would find nothing.
TEST(DetectionMatch, TakesTheBestAndNotTheFirst) {
  const Found found{{{0, 0, 10, 10}, 0, 0.9}, {{3, 0, 13, 10}, 0, 0.8}};
  const There there{{{3, 0, 13, 10}, 0}, {{0, 0, 10, 10}, 0}};
  const SampleMatches matches = match_boxes(found, there);
  EXPECT_EQ(matches.boxes[0].truth[at_50], 1);
  EXPECT_EQ(matches.boxes[1].truth[at_50], 0);
  EXPECT_EQ(matches.hits(at_90), 2);
}

TEST(DetectionMatch, TheBestNeedNotBeACopy) {
  const Found found{{{0, 0, 10, 10}, 0, 0.9}, {{3, 0, 13, 10}, 0, 0.8}};
  const There there{{{2, 0, 12, 10}, 0}, {{0, 0, 9, 10}, 0}};
  EXPECT_EQ(match_boxes(found, there).boxes[0].truth[at_50], 1);
  EXPECT_EQ(match_boxes(found, there).hits(at_75), 2);
}

/// In DiTOX identical boxes can be false positives.
TEST(DetectionMatch, ACopyHasNoFalseBox) {
  Random random(5);
  for (int turn = 0; turn < 300; ++turn) {
    Found found = random_found(random, 12);
    if (turn % 10 == 0) found.push_back({{nan, 0, 1, nan}, 0, nan});
    const SampleMatches matches = match_boxes(found, as_truth(found));
    for (std::size_t t = 0; t < iou_thresholds; ++t) {
      EXPECT_EQ(matches.hits(t), static_cast<std::int64_t>(found.size()));
      EXPECT_EQ(matches.found(t), matches.there());
    }
    EXPECT_EQ(mean_best_iou(found, as_truth(found)), 1);
    EXPECT_EQ(score_rank_agreement(found, found), 1);
  }
}

/// DiTOX published an F1 at 0.5 below the one at 0.9. It cannot be: at a lower threshold a box loses its partner only
/// to another one that hits.
TEST(DetectionMatch, ALowerThresholdFindsNoLess) {
  Random random(6);
  for (int turn = 0; turn < 500; ++turn) {
    const Found found = random_found(random, 10);
    const There there = as_truth(random_found(random, 10));
    EXPECT_GE(f1(found, there, at_50), f1(found, there, at_75));
    EXPECT_GE(f1(found, there, at_75), f1(found, there, at_90));
  }
}

TEST(DetectionMatch, OnlyBoxesOfTheClassCount) {
  const SampleMatches matches = match_boxes(Found{{{0, 0, 9, 9}, 1, 0.9}}, There{{{0, 0, 9, 9}, 2}});
  EXPECT_EQ(matches.hits(at_50), 0);
  EXPECT_EQ(matches.found(at_50), 1);
  EXPECT_EQ(matches.there(), 1);
}

TEST(DetectionMatch, WhatLiesInACrowdCountsNeitherWay) {
  const There crowd{{{0, 0, 100, 100}, 0, true, false}, {{0, 0, 10, 10}, 0}};
  const Found found{{{0, 0, 10, 10}, 0, 0.9}, {{50, 50, 60, 60}, 0, 0.8}, {{60, 60, 70, 70}, 0, 0.7}};
  const SampleMatches matches = match_boxes(found, crowd);
  EXPECT_EQ(matches.there(), 1);
  EXPECT_EQ(matches.hits(at_50), 1);
  EXPECT_EQ(matches.found(at_50), 1);
}

TEST(DetectionMatch, IgnoredBoxesAreTakenOnce) {
  const There there{{{0, 0, 10, 10}, 0, false, true}};
  const Found found{{{0, 0, 10, 10}, 0, 0.9}, {{0, 0, 10, 9}, 0, 0.8}};
  const SampleMatches matches = match_boxes(found, there);
  EXPECT_EQ(matches.there(), 0);
  EXPECT_EQ(matches.found(at_50), 1) << "the second one is false";
}

TEST(DetectionMatch, MeanBestOverlap) {
  const There there{{{0, 0, 2, 2}, 0}, {{10, 0, 12, 2}, 0}};
  EXPECT_NEAR(mean_best_iou(Found{{{1, 0, 3, 2}, 0, 1}, {{0, 0, 2, 2}, 1, 1}}, there), 1.0 / 6, 1e-12);
  EXPECT_EQ(mean_best_iou({}, {}), 1);
  EXPECT_EQ(mean_best_iou(Found{{{1, 0, 3, 2}, 0, 1}}, {}), 0);
  EXPECT_EQ(mean_best_iou({}, there), 0);
}

TEST(DetectionMatch, ScoresInAnotherOrderAreSeen) {
  Found a{{{0, 0, 9, 9}, 0, 0.9}, {{20, 0, 29, 9}, 0, 0.8}, {{40, 0, 49, 9}, 1, 0.7}}, b = a;
  EXPECT_EQ(score_rank_agreement(a, b), 1);
  std::swap(b[0].score, b[2].score);
  EXPECT_EQ(score_rank_agreement(a, b), -1);
  EXPECT_EQ(score_rank_agreement(a, {}), 0);
  EXPECT_EQ(score_rank_agreement({}, {}), 1);
}

}  // namespace
}  // namespace culprit
