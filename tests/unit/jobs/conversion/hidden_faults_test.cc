#include "conversion/readings/hidden_faults.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

const std::vector<Tensor> output{Tensor::of<float>({4}, {-3, 3, 3, -3})};

Measurement off_by(double off, std::int64_t excused) {
  Measurement made;
  made.max_abs = off;
  made.excused = excused;
  return made;
}

TEST(HiddenFaults, WhereRoundingExplainsFarMoreThanTheTolerance) { EXPECT_TRUE(hides_faults(off_by(0.3, 1), output)); }

TEST(HiddenFaults, NotWhereItExplainsLittle) { EXPECT_FALSE(hides_faults(off_by(0.03, 1), output)); }

TEST(HiddenFaults, NotWhereAllIsWithinTheTolerance) { EXPECT_FALSE(hides_faults(off_by(0.3, 0), output)); }

TEST(HiddenFaults, WholeNumbersHaveTies) {
  const std::vector<Tensor> labels{Tensor::of<std::int64_t>({1}, {3})};
  EXPECT_FALSE(hides_faults(off_by(1, 1), labels));
}

TEST(HiddenFaults, AnOutputOfNothing) { EXPECT_FALSE(hides_faults(off_by(1, 1), {})); }

}  // namespace
}  // namespace culprit
