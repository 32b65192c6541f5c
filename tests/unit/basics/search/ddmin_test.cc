#include "search/ddmin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool has(const Subset& subset, std::size_t element) { return std::ranges::binary_search(subset, element); }

/// A predicate under watch: every subset must be ascending, within range and new.
class Watched {
 public:
  Watched(std::size_t count, FailsWith fails) : count_(count), fails_(std::move(fails)) {}
  bool operator()(const Subset& subset) {
    EXPECT_TRUE(std::ranges::is_sorted(subset, std::less_equal<>()));
    EXPECT_TRUE(subset.empty() || subset.back() < count_);
    EXPECT_TRUE(asked_.insert(subset).second) << "asked twice";
    return fails_(subset);
  }
  [[nodiscard]] std::size_t asked() const { return asked_.size(); }

 private:
  std::size_t count_;
  FailsWith fails_;
  std::set<Subset> asked_;
};

/// Runs ddmin and checks what holds for every predicate: the count of checks, and, where complete, 1-minimality.
DdminResult minimized(std::size_t count, const FailsWith& fails, std::size_t max_checks = 10'000) {
  Watched watched(count, fails);
  const auto result = ddmin(count, std::ref(watched), max_checks);
  EXPECT_EQ(result.checks, watched.asked());
  EXPECT_LE(result.checks, max_checks);
  EXPECT_TRUE(result.reproduced ? fails(result.minimal) : result.minimal.empty());
  for (std::size_t i = 0; i < result.minimal.size() && result.complete; ++i) {
    Subset without = result.minimal;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(fails(without)) << "not needed: " << result.minimal[i];
  }
  return result;
}

TEST(Ddmin, FindsASingleCulpritWhereverItIs) {
  for (const std::size_t count : {1U, 2U, 3U, 48U, 100U}) {
    for (std::size_t culprit = 0; culprit < count; ++culprit) {
      const auto result = minimized(count, [culprit](const Subset& s) { return has(s, culprit); });
      EXPECT_THAT(result.minimal, ElementsAre(culprit));
      EXPECT_TRUE(result.complete);
      EXPECT_LE(result.checks, 2 + 2 * 7U) << count;  // two a halving
    }
  }
}

TEST(Ddmin, FindsInteractionsOfTwo) {
  for (std::size_t a = 0; a < 20; ++a) {
    for (std::size_t b = a + 1; b < 20; ++b) {
      const auto result = minimized(20, [a, b](const Subset& s) { return has(s, a) && has(s, b); });
      EXPECT_THAT(result.minimal, ElementsAre(a, b));
    }
  }
}

TEST(Ddmin, FindsInteractionsOfThree) {
  const auto result = minimized(48, [](const Subset& s) { return has(s, 3) && has(s, 20) && has(s, 47); });
  EXPECT_THAT(result.minimal, ElementsAre(3U, 20U, 47U));
  EXPECT_LE(result.checks, 48U * 3);
}

TEST(Ddmin, UsesPiecesAndNotOnlyComplements) {
  // Shows with everything and with one quarter alone: no complement leads there.
  const auto result = minimized(8, [](const Subset& s) { return s.size() == 8 || s == Subset{2, 3}; });
  EXPECT_THAT(result.minimal, ElementsAre(2U, 3U));
}

TEST(Ddmin, UsesComplementsAndNotOnlyPieces) {
  const auto result = minimized(8, [](const Subset& s) { return s.size() == 8 || s == Subset{0, 1, 4, 5, 6, 7}; });
  EXPECT_THAT(result.minimal, ElementsAre(0U, 1U, 4U, 5U, 6U, 7U));
}

TEST(Ddmin, LongListsTakeAsManyChecksAsHalvings) {
  const auto result = minimized(4096, [](const Subset& s) { return has(s, 4095); });
  EXPECT_THAT(result.minimal, ElementsAre(4095U));
  EXPECT_LE(result.checks, 2U + 2 * 12);
}

TEST(Ddmin, OneOfTwoIndependentCausesIsEnough) {
  const auto result = minimized(30, [](const Subset& s) { return has(s, 5) || has(s, 25); });
  EXPECT_EQ(result.minimal.size(), 1U);
}

TEST(Ddmin, SurvivesPredicatesThatAreNotMonotone) {
  // 10 fails unless 11 is there to hide it, except where 2 is there as well.
  const auto hides = [](const Subset& s) { return has(s, 10) && (!has(s, 11) || has(s, 2)); };
  EXPECT_THAT(minimized(30, hides).minimal, ElementsAre(10U));
  // Nothing but odd sizes fails.
  EXPECT_EQ(minimized(31, [](const Subset& s) { return s.size() % 2 == 1; }).minimal.size(), 1U);
}

TEST(Ddmin, EverythingMayBeNeeded) {
  const std::size_t count = 16;
  const auto result = minimized(count, [](const Subset& s) { return s.size() == 16; });
  EXPECT_EQ(result.minimal.size(), count);
  EXPECT_TRUE(result.complete);
  EXPECT_LE(result.checks, count * count + 3 * count);  // the paper's bound
}

TEST(Ddmin, NothingReproduces) {
  const auto result = minimized(10, [](const Subset&) { return false; });
  EXPECT_FALSE(result.reproduced);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.checks, 1U);
}

TEST(Ddmin, WhatFailsWithNothingNeedsNothing) {
  const auto result = minimized(10, [](const Subset&) { return true; });
  EXPECT_TRUE(result.reproduced);
  EXPECT_THAT(result.minimal, IsEmpty());
}

TEST(Ddmin, EmptyLists) {
  EXPECT_FALSE(minimized(0, [](const Subset&) { return false; }).reproduced);
  EXPECT_TRUE(minimized(0, [](const Subset&) { return true; }).reproduced);
}

TEST(Ddmin, StopsAtTheLimitWithTheBestSoFar) {
  const auto fails = [](const Subset& s) { return has(s, 3) && has(s, 20) && has(s, 47); };
  std::size_t before = 49;
  for (const std::size_t limit : {1U, 5U, 20U, 40U}) {
    const auto result = minimized(48, fails, limit);
    EXPECT_TRUE(result.reproduced);
    EXPECT_FALSE(result.complete);
    EXPECT_LE(result.minimal.size(), before);
    before = result.minimal.size();
  }
  EXPECT_LT(before, 48U);
  EXPECT_FALSE(minimized(48, fails, 0).reproduced);
  EXPECT_FALSE(minimized(48, fails, 0).complete);
}

}  // namespace
}  // namespace culprit
