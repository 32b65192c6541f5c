#include "conversion/readings/sorted_looks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// What sorting all of them gives.
template <class Number>
std::vector<Number> looks_of_sorted(std::vector<Number> numbers, std::size_t looks) {
  std::ranges::sort(numbers);
  std::vector<Number> found;
  for (std::size_t i = 0; i < looks; ++i) found.push_back(numbers[i * (numbers.size() - 1) / (looks - 1)]);
  return found;
}

template <class Number>
void expect_like_sorted(std::vector<Number> numbers) {
  const auto right = looks_of_sorted(numbers, 33);
  EXPECT_EQ(sorted_looks(std::span<Number>(numbers), 33), right) << "of " << numbers.size();
}

TEST(SortedLooks, AreThoseOfTheSortedNumbers) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal;
  for (const std::size_t count : {1UL, 2UL, 5UL, 32UL, 33UL, 34UL, 1000UL, 20'000UL, 100'001UL}) {
    std::vector<float> numbers(count);
    for (float& number : numbers) number = normal(random);
    expect_like_sorted(numbers);
    expect_like_sorted(std::vector<double>(numbers.begin(), numbers.end()));
    for (float& number : numbers) number = std::max(number, 0.0F);
    expect_like_sorted(numbers);
    std::ranges::fill(numbers, -2.5F);
    expect_like_sorted(numbers);
  }
}

TEST(SortedLooks, TinyAndHugeNumbersOfBothSigns) {
  std::vector<float> numbers;
  for (int i = 0; i < 30'000; ++i)
    numbers.push_back((i % 2 == 0 ? 1.0F : -1.0F) * std::ldexp(1.0F + static_cast<float>(i) / 30'000, i % 250 - 125));
  numbers.push_back(std::numeric_limits<float>::max());
  numbers.push_back(std::numeric_limits<float>::denorm_min());
  expect_like_sorted(numbers);
}

TEST(SortedLooks, OfNothingThereAreNone) {
  EXPECT_THAT(sorted_looks(std::span<float>(), 33), IsEmpty());
  std::vector<float> two{2, 1};
  EXPECT_THAT(sorted_looks(std::span<float>(two), 2), ElementsAre(1, 2));
}

}  // namespace
}  // namespace culprit
