#include "localize/piece_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

bool holds_all(const Subset& pieces, const Subset& wanted) { return std::ranges::includes(pieces, wanted); }

/// Fails where all pieces of one of these sets are done.
PieceOracle fails_with(std::vector<Subset> bad, std::size_t& asked) {
  return [bad = std::move(bad), &asked](const Subset& pieces) -> Result<bool> {
    ++asked;
    return std::ranges::any_of(bad, [&](const Subset& one) { return holds_all(pieces, one); });
  };
}

std::vector<Subset> sets(const PieceSearch& search) {
  std::vector<Subset> result;
  for (const BadPieces& bad : search.found) result.push_back(bad.pieces);
  return result;
}

TEST(PieceSearch, FindsTheOneBadPieceWhereverItIs) {
  for (std::size_t bad = 0; bad < 17; ++bad) {
    std::size_t asked = 0;
    const auto search = find_bad_pieces(17, fails_with({{bad}}, asked)).value();
    EXPECT_THAT(sets(search), ElementsAre(Subset{bad}));
    EXPECT_TRUE(search.complete) << search.message;
    EXPECT_EQ(search.found[0].held, 2u);
    EXPECT_EQ(search.found[0].asked, 2u);
    EXPECT_EQ(search.asked, asked);
  }
}

TEST(PieceSearch, OneOfAThousandInFewQuestions) {
  std::size_t asked = 0;
  EXPECT_THAT(sets(find_bad_pieces(1000, fails_with({{777}}, asked)).value()), ElementsAre(Subset{777}));
  EXPECT_LE(asked, 25u);
}

TEST(PieceSearch, FindsAllThatAreIndependent) {
  std::size_t asked = 0;
  const auto search = find_bad_pieces(40, fails_with({{3}, {20}, {21}}, asked)).value();
  EXPECT_THAT(sets(search), testing::UnorderedElementsAre(Subset{3}, Subset{20}, Subset{21}));
  EXPECT_TRUE(search.complete);
}

TEST(PieceSearch, WhatFailsTogetherIsOne) {
  std::size_t asked = 0;
  const auto search = find_bad_pieces(20, fails_with({{2, 11}}, asked)).value();
  EXPECT_THAT(sets(search), ElementsAre(Subset{2, 11}));
}

TEST(PieceSearch, WhatDoesNotFailPutBackPieceByPieceIsSaid) {
  std::size_t asked = 0;
  const auto search = find_bad_pieces(5, fails_with({}, asked)).value();
  EXPECT_THAT(search.found, IsEmpty());
  EXPECT_FALSE(search.complete);
  EXPECT_THAT(search.message, HasSubstr("do not show the failure"));
  EXPECT_EQ(asked, 1u);
}

TEST(PieceSearch, FlickerIsCounted) {
  std::size_t asked = 0;
  const PieceOracle once = [&](const Subset&) -> Result<bool> { return ++asked == 1; };
  const auto search = find_bad_pieces(1, once).value();
  ASSERT_THAT(sets(search), ElementsAre(Subset{0}));
  EXPECT_EQ(search.found[0].held, 1u);
  EXPECT_EQ(search.found[0].asked, 2u);
}

TEST(PieceSearch, StopsAtTheLimitAndAtErrors) {
  std::size_t asked = 0;
  const auto search = find_bad_pieces(1000, fails_with({{5}}, asked), 6).value();
  EXPECT_FALSE(search.complete);
  EXPECT_THAT(search.message, HasSubstr("6 questions"));
  EXPECT_LE(asked, 6u);
  const PieceOracle interrupted = [](const Subset&) -> Result<bool> { return fail(ErrorKind::interrupted, "stop"); };
  EXPECT_EQ(find_bad_pieces(3, interrupted).error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
