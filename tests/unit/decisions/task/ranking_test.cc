#include "task/ranking.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/random.h"
#include "support/not_numbers.h"
#include "task/classification.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using Numbers = std::vector<double>;
using Items = std::vector<std::int64_t>;

TEST(Ranking, EqualScoresKeepTheOrderOfTheItemsAndNanIsLast) {
  EXPECT_THAT(top_k(Numbers{1, 3, 3, nan, -infinity, 2}, 6), ElementsAre(1, 2, 5, 0, 4, 3));
  EXPECT_THAT(top_k(Numbers{nan, nan}, 5), ElementsAre(0, 1));
  EXPECT_THAT(top_k(Numbers{1, 2}, 0), ElementsAre());
}

TEST(Ranking, TheRankOfAnItemIsItsPlaceInTheOrder) {
  Random random(7);
  for (int turn = 0; turn < 50; ++turn) {
    Numbers scores(12);
    for (double& score : scores) score = random.between(0, 9) == 0 ? nan : static_cast<double>(random.between(0, 5));
    const Items order = top_k(scores, scores.size());
    for (std::size_t place = 0; place < order.size(); ++place)
      EXPECT_EQ(rank_of(scores, static_cast<std::size_t>(order[place])), place);
  }
}

TEST(Ranking, TauOfOneItemIsOne) {
  EXPECT_EQ(tau_of_top_k(Numbers{4}, Numbers{-4}, 5), 1);
  EXPECT_EQ(tau_of_top_k(Numbers{4, 1, 2}, Numbers{9, 2, 1}, 1), 1);  // the union is item 0
}

TEST(Ranking, TauWhereAllIsTied) {
  EXPECT_EQ(kendall_tau_b(Numbers{1, 1, 1}, Numbers{2, 2, 2}), 1);
  EXPECT_EQ(kendall_tau_b(Numbers{1, 1, 1}, Numbers{1, 2, 3}), 0);
  EXPECT_EQ(kendall_tau_b(Numbers{nan, nan}, Numbers{nan, nan}), 1);
  EXPECT_EQ(kendall_tau_b(Numbers{1, nan}, Numbers{nan, 1}), -1);
}

/// DiTOX takes tau of the class numbers in the two lists: 0 1 2 3 4 and 10 11 12 13 14 rise alike, which is 1 there.
TEST(Ranking, TwoListsWithoutACommonLabelAreNoAgreement) {
  Numbers a(20), b(20);
  for (std::size_t i = 0; i < 5; ++i) {
    a[i] = 9 - static_cast<double>(i);
    b[10 + i] = 9 - static_cast<double>(i);
  }
  const LabelAgreement agreement = compare_labels(a, b);
  EXPECT_FALSE(agreement.is_same_label);
  EXPECT_EQ(agreement.top5, 0);
  EXPECT_LT(agreement.tau5, -0.5);
  EXPECT_LT(agreement.overlap, 0.3);
}

/// And two lists with the same labels in another order of numbers are not judged by these numbers.
TEST(Ranking, TheNumbersOfClassesDoNotMatter) {
  Random random(3);
  for (int turn = 0; turn < 20; ++turn) {
    Numbers a(12), b(12);
    for (std::size_t i = 0; i < 12; ++i) a[i] = random.normal(), b[i] = a[i] + random.normal();
    const double before = tau_of_top_k(a, b, 5);
    for (std::size_t i = 11; i > 0; --i) {
      const auto j = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(i)));
      std::swap(a[i], a[j]);
      std::swap(b[i], b[j]);
    }
    EXPECT_EQ(tau_of_top_k(a, b, 5), before);
  }
}

TEST(Ranking, AnExactCopyIsPerfectWhateverIsInIt) {
  for (const Numbers& scores : {Numbers{3, 1, 2}, Numbers{0, 0, 0, 0}, Numbers{nan, 1, infinity, -infinity}, Numbers{1},
                                Numbers{nan, nan, nan, nan, nan, nan, nan}}) {
    const LabelAgreement agreement = compare_labels(scores, scores);
    EXPECT_TRUE(agreement.is_same_label);
    EXPECT_EQ(agreement.top5, 1);
    EXPECT_EQ(agreement.top10, 1);
    EXPECT_EQ(agreement.tau5, 1);
    EXPECT_EQ(agreement.overlap, 1);
    EXPECT_EQ(agreement.margin, 0);
  }
}

TEST(Ranking, OverlapOfListsByHand) {
  EXPECT_NEAR(rank_biased_overlap(Items{1, 2}, Items{2, 1}), 0.9, 1e-12);  // 0, then 1 from rank 2 on
  EXPECT_NEAR(rank_biased_overlap(Items{1}, Items{2}), 0, 1e-12);
  EXPECT_EQ(rank_biased_overlap(Items{}, Items{}), 1);
  EXPECT_EQ(rank_biased_overlap(Items{}, Items{1}), 0);
}

TEST(Classification, TheMarginIsWhatTheReferenceMustLose) {
  const LabelAgreement agreement = compare_labels(Numbers{0.5, 0.3, 0.2}, Numbers{0.1, 0.2, 0.7});
  EXPECT_FALSE(agreement.is_same_label);
  EXPECT_EQ(agreement.reference, 0);
  EXPECT_EQ(agreement.variant, 2);
  EXPECT_NEAR(agreement.margin, 0.3, 1e-12);
  EXPECT_NEAR(agreement.tau5, -1, 1e-12);
}

TEST(Classification, SoftmaxIsSeen) {
  EXPECT_TRUE(are_probabilities(Numbers{0.2, 0.3, 0.5}));
  EXPECT_TRUE(are_probabilities(Numbers{0.2, 0.3, 0.496}));  // 16 bits
  EXPECT_FALSE(are_probabilities(Numbers{-0.2, 0.7, 0.5}));
  EXPECT_FALSE(are_probabilities(Numbers{0.2, 0.3, 0.9}));
  EXPECT_FALSE(are_probabilities(Numbers{nan, 1}));
  EXPECT_FALSE(are_probabilities(Numbers{}));
  EXPECT_TRUE(may_be_probabilities(Numbers{0, 0.9, 0.9, 1.0005}));
  EXPECT_FALSE(may_be_probabilities(Numbers{0.5, 1.002}));
  EXPECT_FALSE(may_be_probabilities(Numbers{-0.002, 0.5}));
  EXPECT_TRUE(may_be_probabilities(Numbers{nan, 0.5}));
}

TEST(Classification, NoSuchLabelIsInNoTop) {
  EXPECT_TRUE(is_in_top(Numbers{1, 2}, 1, 1));
  EXPECT_FALSE(is_in_top(Numbers{1, 2}, 0, 1));
  EXPECT_FALSE(is_in_top(Numbers{1, 2}, 2, 5));
  EXPECT_FALSE(is_in_top(Numbers{1, 2}, -1, 5));
}

}  // namespace
}  // namespace culprit
