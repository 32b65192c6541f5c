#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

namespace culprit {
namespace {

TEST(Random,
     GoldenValues) {  // SplitMix64's published sequence for seed 0: samples must be the same everywhere, for ever
  Random random(0);
  EXPECT_EQ(random.next(), UINT64_C(0xe220a8397b1dcdaf));
  EXPECT_EQ(random.next(), UINT64_C(0x6e789e6aa1b965f4));
  EXPECT_EQ(random.next(), UINT64_C(0x06c45d188009454f));
  EXPECT_EQ(random.next(), UINT64_C(0xf88bb8a8724c81ec));
}

TEST(Random, GoldenStream) {
  Random random(7, "data");
  EXPECT_EQ(random.next(), UINT64_C(0xca5d6595787a508a));
  EXPECT_EQ(random.next(), UINT64_C(0x017aaffcd0f1b9e6));
  EXPECT_EQ(random.uniform(), 0x1.4e6a5f86dc3f8p-1);
  EXPECT_EQ(random.normal(), 0x1.44b644f1a1b78p+0);
  EXPECT_EQ(random.between(-1000, 1000), 236);
}

TEST(Random, RoughNormalIsOneDraw) {
  Random random(0);  // e220 + a839 + 7b1d + cdaf, less twice ffff
  EXPECT_DOUBLE_EQ(random.rough_normal(), 54055 / 37837.2);
  EXPECT_EQ(random.next(), UINT64_C(0x6e789e6aa1b965f4));
  double sum = 0, squares = 0;
  constexpr int count = 100'000;
  for (int i = 0; i < count; ++i) {
    const double value = random.rough_normal();
    ASSERT_LE(value * value, 12.1);
    sum += value, squares += value * value;
  }
  EXPECT_NEAR(sum / count, 0, 0.02);
  EXPECT_NEAR(squares / count, 1, 0.02);
}

TEST(Random, StreamsDiffer) {
  std::set<std::uint64_t> first;
  for (const std::uint64_t seed : {0, 1, 2}) {
    for (const char* name : {"", "a", "b", "ab"}) first.insert(Random(seed, name).next());
    first.insert(Random(seed).next());
  }
  EXPECT_EQ(first.size(), 15U);
}

TEST(Random, UniformIsBelowOne) {
  Random random(1);
  double sum = 0, low = 1, high = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double x = random.uniform();
    sum += x;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  EXPECT_GE(low, 0);
  EXPECT_LT(high, 1);
  EXPECT_NEAR(sum / 100'000, 0.5, 0.005);
}

TEST(Random, BetweenHasBothEndsAndIsEven) {
  Random random(2);
  std::array<int, 5> seen{};
  for (int i = 0; i < 50'000; ++i) {
    const auto x = random.between(-2, 2);
    ASSERT_TRUE(x >= -2 && x <= 2);
    ++seen[static_cast<std::size_t>(x + 2)];
  }
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.between(5, 5), 5);
}

TEST(Random, BetweenIsUnbiasedForHugeRanges) {  // by a plain modulo the lower half would come up twice as often
  Random random(3);
  const std::int64_t high = 3 * (INT64_C(1) << 61) - 1;
  int lower = 0;
  constexpr std::int64_t low_end = std::numeric_limits<std::int64_t>::min();
  for (int i = 0; i < 20'000; ++i) lower += random.between(low_end, high) < 0 ? 1 : 0;
  EXPECT_NEAR(lower, 20'000 * 4 / 7, 500);
  random.between(low_end, std::numeric_limits<std::int64_t>::max());
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  Random random(4);
  double sum = 0, squares = 0;
  for (int i = 0; i < 50'000; ++i) {
    const double x = random.normal();
    ASSERT_LE(std::abs(x), 6);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 50'000, 0, 0.02);
  EXPECT_NEAR(squares / 50'000, 1, 0.03);
}

}  // namespace
}  // namespace culprit
