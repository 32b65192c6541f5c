#include "judge/draw_need.h"

#include <gtest/gtest.h>

#include <limits>

namespace culprit {
namespace {

constexpr int most = 27;
constexpr double calm = 1;  // draws do not stand out against each other
constexpr double jumps = std::numeric_limits<double>::infinity();

/// One element, so many times beyond what rounding may do.
Measurement beyond(double times, bool within_tolerance = false) {
  Measurement m;
  m.elements = 10;
  m.mismatched = m.beyond_floor = 1;
  m.beyond_tolerance = within_tolerance ? 0 : 1;
  m.times = m.told = times;
  return m;
}

TEST(DrawNeed, NothingWhereBitsAgree) {
  EXPECT_EQ(draws_needed({}, calm, 0, false, most).draws, 0);
  EXPECT_FALSE(draws_needed({}, calm, 0, false, most).settled);
}

TEST(DrawNeed, OneDrawOfWhatDiffersAndNoMoreWhereThatExplainsIt) {
  Measurement m;
  m.mismatched = 3;
  EXPECT_EQ(draws_needed(m, calm, 0, false, most).draws, 1);
  EXPECT_EQ(draws_needed(m, calm, 1, false, most).draws, 0);
}

TEST(DrawNeed, ThreeTimesAsManyAsLongAsMoreCouldExplainIt) {
  EXPECT_EQ(draws_needed(beyond(1.5), calm, 1, false, most).draws, 3);
  EXPECT_EQ(draws_needed(beyond(1.5), calm, 3, false, most).draws, 9);
  EXPECT_EQ(draws_needed(beyond(1.5), calm, 9, false, most).draws, 27);
  const DrawNeed end = draws_needed(beyond(1.5), calm, 27, false, most);
  EXPECT_EQ(end.draws, 0);
  EXPECT_TRUE(end.settled);
}

TEST(DrawNeed, WhatIsFarBeyondIsSettledEarly) {
  EXPECT_FALSE(draws_needed(beyond(1000), calm, 1, false, most).settled) << "one draw may be a lucky one";
  EXPECT_TRUE(draws_needed(beyond(17), calm, 3, false, most).settled);
  EXPECT_TRUE(draws_needed(beyond(3), calm, 9, false, most).settled);
}

TEST(DrawNeed, WhatStoodStillIsNotSettledByItsDistance) {
  Measurement m = beyond(1000);
  m.told = 0;
  EXPECT_FALSE(draws_needed(m, calm, 3, false, most).settled);
  EXPECT_FALSE(draws_needed(m, calm, 9, false, most).settled);
  EXPECT_TRUE(draws_needed(m, calm, 27, false, most).settled);
}

TEST(DrawNeed, NamesAreSettledByTheirNumber) {
  Measurement m = beyond(std::numeric_limits<double>::infinity());
  EXPECT_EQ(draws_needed(m, calm, 3, false, most).draws, 9);
  EXPECT_EQ(draws_needed(m, jumps, 9, false, most).draws, 27) << "one may be a tie that flips seldom";
  m.beyond_floor = 4;
  EXPECT_TRUE(draws_needed(m, jumps, 9, false, most).settled);
  m.elements = 100;
  EXPECT_EQ(draws_needed(m, jumps, 9, false, most).draws, 27) << "they may hang on one";
}

TEST(DrawNeed, OfJumpsNoDistanceTells) {
  EXPECT_FALSE(draws_needed(beyond(1000), jumps, 3, false, most).settled);
  EXPECT_EQ(draws_needed(beyond(1000), jumps, 9, false, most).draws, 27);
}

TEST(DrawNeed, AsFarAsDrawsStandOutTellsNothing) {
  EXPECT_FALSE(draws_needed(beyond(100), 10, 3, false, most).settled);
  EXPECT_TRUE(draws_needed(beyond(170), 10, 3, false, most).settled);
  EXPECT_FALSE(draws_needed(beyond(15), 10, 9, false, most).settled);
}

TEST(DrawNeed, ThreeAreEnoughForWhatIsNoFault) {
  EXPECT_EQ(draws_needed(beyond(2, true), calm, 1, false, most).draws, 3);
  EXPECT_EQ(draws_needed(beyond(2, true), calm, 3, false, most).draws, 0);
  EXPECT_FALSE(draws_needed(beyond(2, true), calm, 3, false, most).settled);
  EXPECT_EQ(draws_needed(beyond(2, true), calm, 3, true, most).draws, 9) << "strict: then it is one";
}

TEST(DrawNeed, WhatIsExcusedByItsShareIsDrawnForToTheEndWhereItMayBeAFault) {
  Measurement m;
  m.elements = 1000;
  m.mismatched = m.ties = m.by_share = 2;
  EXPECT_EQ(draws_needed(m, calm, 1, false, most).draws, 3);
  EXPECT_EQ(draws_needed(m, calm, 3, false, most).draws, 0) << "all within the tolerance";
  EXPECT_EQ(draws_needed(m, calm, 3, true, most).draws, 9) << "strict: then it may be one";
  m.by_share_beyond = 1;
  EXPECT_EQ(draws_needed(m, calm, 3, false, most).draws, 9);
  EXPECT_EQ(draws_needed(m, calm, 9, false, most).draws, 27);
  EXPECT_EQ(draws_needed(m, calm, 27, false, most).draws, 0);
}

TEST(DrawNeed, WhatIsNotDecidedYetAsksForAsManyAsDecideIt) {
  Measurement m;
  m.elements = m.mismatched = 1000;
  m.undecided = 9;
  EXPECT_EQ(draws_needed(m, calm, 1, false, most).draws, 3);
  EXPECT_EQ(draws_needed(m, calm, 3, false, most).draws, 9);
  EXPECT_EQ(draws_needed(m, calm, 9, false, most).draws, 0);
  Measurement small = beyond(100, true);
  small.undecided = 27;
  EXPECT_EQ(draws_needed(small, calm, 9, false, most).draws, 27);
  EXPECT_EQ(draws_needed(small, calm, 9, true, most).draws, 27) << "strict: it may be worse than it seems";
  Measurement wrong = beyond(100);
  wrong.undecided = 27;
  EXPECT_TRUE(draws_needed(wrong, calm, 9, false, most).settled);
}

TEST(DrawNeed, NeverMoreThanWereAskedFor) {
  EXPECT_EQ(draws_needed(beyond(1.5), calm, 3, false, 5).draws, 5);
  EXPECT_TRUE(draws_needed(beyond(1.5), calm, 5, false, 5).settled);
  EXPECT_TRUE(draws_needed(beyond(1.5), calm, 0, false, 0).settled);
}

TEST(DrawNeed, AnotherShapeIsDrawnForAsANameIs) {
  Measurement m;
  m.note = "shape [3] became [4]";
  m.form = FormChange::shape;
  m.elements = m.mismatched = m.beyond_floor = m.beyond_tolerance = 3;
  EXPECT_EQ(draws_needed(m, calm, 0, false, most).draws, 1);
  EXPECT_EQ(draws_needed(m, calm, 1, false, most).draws, 3);
  EXPECT_EQ(draws_needed(m, calm, 3, false, most).draws, 9);
  EXPECT_TRUE(draws_needed(m, calm, 9, false, most).settled);
}

}  // namespace
}  // namespace culprit
