#include <gtest/gtest.h>

#include "support/golden.h"
#include "task/classification.h"
#include "task/ranking.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;

TEST(RankingGolden, TauOfTheUnionIsScipys) {
  int undefined = 0;
  for (const auto& one : golden("ranking", "cases")) {
    const double tau = tau_of_top_k(one["a"].get<Numbers>(), one["b"].get<Numbers>(), 5);
    if (one["tau"].is_null())
      ++undefined;
    else
      EXPECT_NEAR(tau, one["tau"].get<double>(), golden_error);
  }
  EXPECT_LT(undefined, 5);
}

TEST(RankingGolden, OverlapIsWebbersEquation) {
  for (const auto& one : golden("ranking", "cases")) {
    const auto a = top_k(one["a"].get<Numbers>(), 10), b = top_k(one["b"].get<Numbers>(), 10);
    EXPECT_NEAR(rank_biased_overlap(a, b), one["rbo"].get<double>(), golden_error);
  }
}

TEST(RankingGolden, SoftmaxIsScipys) {
  for (const auto& one : golden("ranking", "softmax")) {
    const auto shares = softmax(one["logits"].get<Numbers>());
    const auto wanted = one["softmax"].get<Numbers>();
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(shares[i], wanted[i], golden_error);
  }
}

TEST(RankingGolden, AccuracyIsScikitLearns) {
  const auto one = golden("ranking", "accuracy");
  for (const std::size_t k : {1, 5}) {
    double right = 0;
    for (std::size_t i = 0; i < one["scores"].size(); ++i)
      right += is_in_top(one["scores"][i].get<Numbers>(), one["truth"][i].get<std::int64_t>(), k) ? 1 : 0;
    EXPECT_NEAR(right / 60, one["top" + std::to_string(k)].get<double>(), golden_error);
  }
}

}  // namespace
}  // namespace culprit
