#include "data/dim_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using testing::ElementsAre;

TEST(DimNames, PlainNamesAreNoFormulas) {
  for (const char* name : {"batch_size", "p2o.DynamicDimension.0", "unk__749", "batch-size", "sequence length", "N", "",
                           "(", "a +", "3 4", "2x", "relu(a)", "min(a", "-a"}) {
    EXPECT_FALSE(is_formula(name)) << name;
    EXPECT_THAT(names_in(name), ElementsAre(name));
    EXPECT_FALSE(evaluate(name, {}).has_value());
  }
}

TEST(DimNames, SumsProductsAndQuotients) {
  const Sizes sizes{{"past_sequence_length", 5}, {"sequence_length", 7}, {"s0", 9}, {"s1", 2}};
  EXPECT_EQ(evaluate("past_sequence_length + sequence_length", sizes), 12);
  EXPECT_EQ(evaluate("past_sequence_length+1", sizes), 6);
  EXPECT_EQ(evaluate("2*s0", sizes), 18);
  EXPECT_EQ(evaluate("s0//2", sizes), 4);
  EXPECT_EQ(evaluate("floor(s0/2) + 1", sizes), 5);
  EXPECT_EQ(evaluate("(s0 - 1)*s1", sizes), 16);
  EXPECT_EQ(evaluate("Max(s0, s1)", sizes), 9);
  EXPECT_EQ(evaluate("1 + (s1 - 3)//2", sizes), 0) << "to below";
  EXPECT_THAT(names_in("(s0 - 1)*s1 + s0"), ElementsAre("s0", "s1"));
}

TEST(DimNames, WithoutASizeThereIsNoValue) {
  EXPECT_FALSE(evaluate("a + b", {{"a", 1}}).has_value());
  EXPECT_FALSE(evaluate("a - 5", {{"a", 1}}).has_value()) << "a size is not negative";
  EXPECT_FALSE(evaluate("5 // a", {{"a", 0}}).has_value());
  EXPECT_FALSE(evaluate("a*a*a*a", {{"a", 1 << 20}}).has_value()) << "nor without end";
  EXPECT_FALSE(is_formula(std::string(10'000, '(')));
}

TEST(DimNames, ASizeThatIsGivenCountsMore) { EXPECT_EQ(evaluate("a + b", {{"a + b", 4}, {"a", 1}}), 4); }

TEST(DimNames, TheUnknownPartIsSolved) {
  EXPECT_EQ(solve("past + seq", 8, {{"seq", 5}}), std::pair(std::string("past"), std::int64_t{3}));
  EXPECT_EQ(solve("floor(w/8)", 10, {}), std::pair(std::string("w"), std::int64_t{80}));
  EXPECT_FALSE(solve("past + seq", 8, {}).has_value()) << "two are not known";
  EXPECT_FALSE(solve("2*a", 7, {}).has_value());
}

}  // namespace
}  // namespace culprit
