#include "compare/read_chunks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using testing::ElementsAre;

TEST(Chunks, KeepToTheBudgetWhereSizesAreDeclared) {
  Chunks chunks({10, 10, 10, 35, 100, 1}, 30);
  std::vector<std::size_t> counts;
  for (std::size_t count = chunks.next(); count > 0; count = chunks.next()) counts.push_back(count);
  EXPECT_THAT(counts, ElementsAre(3, 1, 1, 1)) << "what is larger than the budget is read alone";
}

TEST(Chunks, BeginSmallWhereNothingIsKnownAndLearnFromWhatWasMeasured) {
  Chunks chunks(std::vector<std::optional<std::uint64_t>>(40), 100);
  EXPECT_EQ(chunks.next(), 4U);
  chunks.measured(40, 4);
  EXPECT_EQ(chunks.next(), 8U) << "twice as many at most";
  chunks.measured(80, 8);
  EXPECT_EQ(chunks.next(), 10U) << "ten of ten bytes each";
}

}  // namespace
}  // namespace culprit
