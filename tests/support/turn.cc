#include "support/turn.h"

#include <cstdint>
#include <cstdlib>

#include "base/hash.h"

namespace culprit::testing {

bool is_turn_of(std::uint64_t place, int every) {
  const char* turn = std::getenv("CULPRIT_TEST_TURN");
  if (turn == nullptr || *turn == '\0') return true;
  return (place + hash128(turn).low) % static_cast<std::uint64_t>(every) == 0;
}

}  // namespace culprit::testing
