#pragma once
// `make test` runs long rows of cases in turns: of so many neighbours in a row one at each commit, another one at the
// next. It names the commit in CULPRIT_TEST_TURN. Without that name (`make test-all`, or a program started by hand)
// every case runs.

#include <cstdint>

namespace culprit::testing {

/// Is it the turn of this place in a row of which one of `every` neighbours is run?
bool is_turn_of(std::uint64_t place, int every);

/// Is it the turn of the test that runs now: one of `every` neighbours among the tests of its suite? Under sanitizers,
/// where each takes five to ten times as long, one of three times as many.
bool is_its_turn(int every);

}  // namespace culprit::testing

/// In SetUp() or first in a test. What was left out is counted in the last lines of `make test` (scripts/skipped).
#define CULPRIT_ONE_OF(every)                                         \
  if (!culprit::testing::is_its_turn(every))                          \
  GTEST_SKIP() << "other cases have their turn at this commit: make " \
                  "test-all"
