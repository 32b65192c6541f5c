#include "conversion/keep/changed_labels.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace culprit {
namespace {

Tensor of_two(const std::vector<float>& numbers) { return Tensor::of<float>({2, 2}, numbers); }

std::optional<bool> changes(const Tensor& source, const Tensor& other) {
  return changes_labels(std::vector{source}, std::vector{other});
}

TEST(ChangedLabels, AreThoseOfEachRow) {
  const Tensor source = of_two({3, 1, 0, 2});
  EXPECT_EQ(changes(source, of_two({9, 8, -1, 0})), false) << "other numbers, the same places";
  EXPECT_EQ(changes(source, of_two({1, 3, 0, 2})), true) << "the first row";
  EXPECT_EQ(changes(source, of_two({3, 1, 2, 0})), true) << "the last row";
}

TEST(ChangedLabels, OfATieIsTheFirst) {
  EXPECT_EQ(changes(of_two({1, 1, 0, 2}), of_two({1, 0, 0, 2})), false);
  EXPECT_EQ(changes(of_two({1, 1, 0, 2}), of_two({0, 1, 0, 2})), true);
}

TEST(ChangedLabels, LieOnTheLastAxisOfMore) {
  const auto source = Tensor::of<float>({1, 2, 2}, {3, 1, 0, 2});
  EXPECT_EQ(changes(source, Tensor::of<float>({1, 2, 2}, {3, 1, 2, 0})), true);
  EXPECT_EQ(changes(source, source), false);
}

TEST(ChangedLabels, AreNoneWhereNothingIsToBeChosen) {
  EXPECT_EQ(changes(Tensor::of<float>({3}, {1, 2, 3}), Tensor::of<float>({3}, {3, 2, 1})), std::nullopt) << "one axis";
  EXPECT_EQ(changes(Tensor::of<float>({2, 1}, {1, 2}), Tensor::of<float>({2, 1}, {2, 1})), std::nullopt)
      << "one number a row";
  EXPECT_EQ(changes(Tensor::of<std::int64_t>({1, 2}, {1, 2}), Tensor::of<std::int64_t>({1, 2}, {2, 1})), std::nullopt)
      << "whole numbers are places, no scores";
  EXPECT_EQ(changes_labels({}, {}), std::nullopt);
}

TEST(ChangedLabels, OfOneOutputAreEnough) {
  const Tensor boxes = Tensor::of<float>({2}, {5, 6}), one = of_two({3, 1, 0, 2}), other = of_two({3, 1, 2, 0});
  EXPECT_EQ(changes_labels(std::vector{boxes, one, one}, std::vector{boxes, one, other}), true);
  EXPECT_EQ(changes_labels(std::vector{boxes, one, one}, std::vector{boxes, one, one}), false);
}

TEST(ChangedLabels, AreChangedWhereAnOutputHasAnotherSize) {
  EXPECT_EQ(changes(of_two({3, 1, 0, 2}), Tensor::of<float>({1, 2}, {3, 1})), true);
}

TEST(ChangedLabels, OfHalvesAreThoseOfTheirNumbers) {
  const Tensor half = cast(of_two({3, 1, 0, 2}), DType::f16).value();
  EXPECT_EQ(changes(half, of_two({3, 1, 0, 2})), false);
  EXPECT_EQ(changes(half, of_two({1, 3, 0, 2})), true);
}

}  // namespace
}  // namespace culprit
