#include "base/stopwatch.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

/// Goes on until the clock has moved, however coarse it is.
void wait_a_tick() {
  const Stopwatch tick;
  while (tick.seconds() <= 0) {
  }
}

TEST(Stopwatch, NeverGoesBack) {
  const Stopwatch watch;
  const double first = watch.seconds();
  EXPECT_GE(first, 0);
  wait_a_tick();
  EXPECT_GT(watch.seconds(), first);
}

TEST(Stopwatch, ACopyGoesOnFromTheSameStart) {
  const Stopwatch watch;
  wait_a_tick();
  const Stopwatch later, copy = watch;
  const double since_later = later.seconds();
  EXPECT_GT(copy.seconds(), since_later);
}

TEST(Stopwatch, AnAssignedOneBeginsAnew) {
  const Stopwatch before;
  Stopwatch watch = before;
  wait_a_tick();
  watch = Stopwatch();
  const double since_then = watch.seconds();
  EXPECT_GT(before.seconds(), since_then);
}

}  // namespace
}  // namespace culprit
