#include "search/bisect.h"

#include <gtest/gtest.h>

#include <set>

#include "search/flaky.h"

namespace culprit {
namespace {

/// Bisects, and checks that nothing is asked twice and that both sides of the answer were asked.
std::optional<BisectResult> found(std::size_t good, std::size_t bad_end, const std::function<bool(std::size_t)>& bad) {
  std::set<std::size_t> asked;
  const auto result = bisect(good, bad_end, [&](std::size_t n) {
    EXPECT_TRUE(asked.insert(n).second) << n << " was asked twice";
    EXPECT_TRUE(n >= good && n <= bad_end);
    return bad(n);
  });
  if (!result) return result;
  EXPECT_EQ(result->checks, asked.size());
  EXPECT_TRUE(asked.contains(result->first_bad) && bad(result->first_bad));
  EXPECT_TRUE(asked.contains(result->first_bad - 1) && !bad(result->first_bad - 1));
  return result;
}

TEST(Bisect, FindsTheFirstBadStepOfTenThousand) {
  for (const std::size_t first : {1U, 2U, 4999U, 5000U, 5001U, 9999U, 10'000U}) {
    const auto result = found(0, 10'000, [first](std::size_t n) { return n >= first; });
    ASSERT_TRUE(result);
    EXPECT_EQ(result->first_bad, first);
    EXPECT_LE(result->checks, 16U);
  }
}

TEST(Bisect, EveryPlaceInShortSequences) {
  for (std::size_t end = 1; end < 40; ++end) {
    for (std::size_t first = 1; first <= end; ++first) {
      EXPECT_EQ(found(0, end, [first](std::size_t n) { return n >= first; })->first_bad, first);
    }
  }
  EXPECT_EQ(found(7, 8, [](std::size_t n) { return n == 8; })->checks, 2U);
}

TEST(Bisect, WithoutMonotonySomeStepIsFound) {
  EXPECT_TRUE(found(0, 1000, [](std::size_t n) { return n % 3 == 1; }));  // 1000 is bad
  EXPECT_TRUE(found(0, 1000, [](std::size_t n) { return n == 1000 || (n > 100 && n < 200); }));
}

TEST(Bisect, WrongEndsAreNoAnswer) {
  EXPECT_FALSE(found(0, 10, [](std::size_t) { return true; }));
  EXPECT_FALSE(found(0, 10, [](std::size_t) { return false; }));
  EXPECT_FALSE(found(0, 10, [](std::size_t n) { return n < 5; }));
  EXPECT_FALSE(found(5, 5, [](std::size_t) { return true; }));
  EXPECT_FALSE(found(6, 5, [](std::size_t) { return true; }));
}

TEST(Flaky, AsksAsOftenAsTold) {
  const auto yes = ask([] { return true; }, 3);
  EXPECT_TRUE(yes.always());
  EXPECT_FALSE(yes.never());
  EXPECT_EQ(yes.asked, 3U);
  const auto no = ask([] { return false; }, 2);
  EXPECT_TRUE(no.never());
  EXPECT_FALSE(no.always());
  EXPECT_EQ(no.asked, 2U);
}

TEST(Flaky, StopsOnceBothAnswersWereSeen) {
  int calls = 0;
  const auto votes = ask([&] { return ++calls != 2; }, 10);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(votes.yes, 1U);
  EXPECT_EQ(votes.asked, 2U);
  EXPECT_FALSE(votes.always());
  EXPECT_FALSE(votes.never());
}

TEST(Flaky, NotAskingIsNotAlways) {
  EXPECT_FALSE(ask([] { return true; }, 0).always());
}

}  // namespace
}  // namespace culprit
