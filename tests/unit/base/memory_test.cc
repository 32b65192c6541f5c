#include "base/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace culprit {
namespace {

TEST(Memory, ThePeakGrowsWithWhatIsTouchedAndStays) {
  const std::uint64_t before = peak_resident_bytes();
  ASSERT_GT(before, 0U);
  constexpr std::size_t size = std::size_t{256} << 20;
  {
    const std::vector<char> touched(size, 1);
    ASSERT_EQ(touched.back(), 1);
  }
  EXPECT_GE(peak_resident_bytes(), size);
}

}  // namespace
}  // namespace culprit
