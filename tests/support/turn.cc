#include "support/turn.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "support/sanitized.h"

namespace culprit::testing {
namespace {

/// FNV-1a: the same on every machine.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

/// Of the test that runs now, among those of its suite, in the order in which they were written or listed.
std::uint64_t place_of_this_test() {
  const auto& all = *::testing::UnitTest::GetInstance();
  const auto& suite = *all.current_test_suite();
  for (int i = 0; i < suite.total_test_count(); ++i)
    if (suite.GetTestInfo(i) == all.current_test_info()) return static_cast<std::uint64_t>(i);
  return 0;
}

}  // namespace

bool is_turn_of(std::uint64_t place, int every) {
  const char* turn = std::getenv("CULPRIT_TEST_TURN");
  if (turn == nullptr || *turn == '\0') return true;
  return (place + hash_of(turn)) % static_cast<std::uint64_t>(every) == 0;
}

bool is_its_turn(int every) { return is_turn_of(place_of_this_test(), is_sanitized ? 3 * every : every); }

}  // namespace culprit::testing
