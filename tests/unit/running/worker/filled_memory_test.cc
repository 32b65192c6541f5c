#include "worker/filled_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace culprit {
namespace {

constexpr std::size_t large = std::size_t{4} << 20;

/// A float in the middle of memory that was just handed out.
unsigned word_of_new_memory() {
  static void* volatile memory;  // so that no compiler knows what is in it
  memory = std::malloc(large);
  const unsigned word = static_cast<const unsigned*>(memory)[large / sizeof(unsigned) / 2];
  std::free(memory);
  return word;
}

TEST(FilledMemory, WhatNobodyWroteHoldsAPatternAsLongAsItLives) {
#ifdef CULPRIT_SANITIZED
  GTEST_SKIP() << "sanitizers have an allocator of their own";
#endif
  {
    const FilledMemory filled(true);
    EXPECT_EQ(word_of_new_memory(), 0x3f3f3f3fU);
  }
  { const FilledMemory not_filled(false); }
  const unsigned after = word_of_new_memory();
  EXPECT_NE(after, 0x3f3f3f3fU) << "large memory comes fresh from the system, which clears it";
}

}  // namespace
}  // namespace culprit
