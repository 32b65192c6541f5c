// Apart from turn.cc, for programs without GoogleTest.
#include <gtest/gtest.h>

#include "support/sanitized.h"
#include "support/turn.h"

namespace culprit::testing {
namespace {

/// Of the test that runs now, among those of its suite, in the order in which they were written or listed.
std::uint64_t place_of_this_test() {
  const auto& all = *::testing::UnitTest::GetInstance();
  const auto& suite = *all.current_test_suite();
  for (int i = 0; i < suite.total_test_count(); ++i)
    if (suite.GetTestInfo(i) == all.current_test_info()) return static_cast<std::uint64_t>(i);
  return 0;
}

}  // namespace

bool is_its_turn(int every) { return is_turn_of(place_of_this_test(), is_sanitized ? 3 * every : every); }

}  // namespace culprit::testing
