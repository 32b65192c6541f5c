// Retrieval and verification by vectors, against scikit-learn and scipy.
#include <gtest/gtest.h>

#include <limits>

#include "support/golden.h"
#include "task/retrieval.h"
#include "task/verification.h"

namespace culprit {
namespace {

TEST(VectorsGolden, RetrievalIsScikitLearns) {
  const auto vectors = golden("curves", "retrieval")["vectors"].get<std::vector<std::vector<float>>>();
  const auto wanted = golden("curves", "retrieval");
  const auto kinds = wanted["kinds"].get<std::vector<std::string>>();
  const auto found = retrieve_kinds(vectors, kinds);
  ASSERT_EQ(found.size(), wanted["asked"].get<std::size_t>());
  RetrievedKind sum;
  for (const RetrievedKind& one : found) {
    sum.recall_1 += one.recall_1;
    sum.recall_5 += one.recall_5;
    sum.average_precision += one.average_precision;
  }
  const auto count = static_cast<double>(found.size());
  EXPECT_NEAR(sum.recall_1 / count, wanted["recall_1"].get<double>(), golden_error);
  EXPECT_NEAR(sum.recall_5 / count, wanted["recall_5"].get<double>(), golden_error);
  EXPECT_NEAR(sum.average_precision / count, wanted["map"].get<double>(), golden_error);
}

TEST(VectorsGolden, VerificationIsScikitLearns) {
  const auto wanted = golden("curves", "verification");
  std::vector<ComparedPair> pairs;
  for (const auto& pair : wanted["pairs"]) pairs.push_back({pair[0].get<double>(), pair[1] == 1});
  const VerificationResult result = verify(pairs, 1);
  EXPECT_NEAR(result.accuracy.value, wanted["accuracy"].get<double>(), golden_error);
  EXPECT_NEAR(result.area.value, wanted["auc"].get<double>(), golden_error);
  EXPECT_NEAR(result.equal_error.value, wanted["eer"].get<double>(), golden_error);
  EXPECT_NEAR(result.taken_at_1e2.value, wanted["taken_at_1e2"].get<double>(), golden_error);
  EXPECT_NEAR(result.taken_at_1e3.value, wanted["taken_at_1e3"].get<double>(), golden_error);
  EXPECT_LT(result.area.low, result.area.value);
  EXPECT_GT(result.area.high, result.area.value);
}

TEST(Verification, TellsPairsApartAndNaNIsOfNoOther) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const VerificationResult clear = verify({{0.9, true}, {0.75, true}, {0.5, false}, {-1, false}}, 1);
  EXPECT_EQ(clear.accuracy.value, 1);
  EXPECT_EQ(clear.best_cosine, 0.75);
  EXPECT_EQ(clear.equal_error.value, 0);
  EXPECT_EQ(clear.taken_at_1e3.value, 1);
  const VerificationResult lost = verify({{0.9, true}, {nan, true}, {0.5, false}, {-1, false}}, 1);
  EXPECT_EQ(lost.accuracy.value, 0.75);
  EXPECT_EQ(lost.area.value, 0.5) << "one pair before all others, one behind";
  EXPECT_EQ(lost.taken_at_1e2.value, 0.5);
}

TEST(Retrieval, VectorsWithNaNFindNothingAndAreFoundLast) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> vectors{{1, 0}, {1, 0.25F}, {nan, 0}, {-1, 0}};
  const auto found = retrieve_kinds(vectors, std::vector<std::string>{"a", "b", "a", "b"});
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].recall_1, 0);
  EXPECT_EQ(found[0].recall_5, 1);
  EXPECT_NEAR(found[0].average_precision, 1.0 / 3, 1e-12) << "behind both others";
  EXPECT_EQ(found[2].recall_5 + found[2].average_precision, 0);
  EXPECT_TRUE(retrieve_kinds(vectors, std::vector<std::string>{"a", "b", "c", "d"}).empty());
}

}  // namespace
}  // namespace culprit
