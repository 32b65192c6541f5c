// The numbers of a message belong together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "trial/judgement.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string said(const std::vector<float>& reference, const std::vector<float>& variant) {
  const auto tensor = [](const std::vector<float>& values) {
    return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
  };
  Comparison comparison;
  comparison.measurements["y"] = measure(tensor(reference), tensor(variant), {});
  comparison.samples = 1;
  comparison.faulty = {0};
  return describe(comparison);
}

TEST(MessageNumbers, AreOfTheWrongElementThatIsFurthestOff) {
  // 0.9 of 1000 is within the tolerance, 0.5 of 1 is not.
  const std::string text = said({1, 1000, 2}, {1.5, 1000.9F, 2.25});
  EXPECT_THAT(text, HasSubstr("output 'y' differs by 0.5 (tolerance 0.059 where the model gives 1) on 1 of 1 samples"));
  EXPECT_THAT(text, HasSubstr("; elsewhere by up to 0.9, within the tolerance or the expected rounding error there"));
  EXPECT_THAT(said({1, 1000, 2}, {1.5, 1000, 2.25}), Not(HasSubstr("elsewhere")));
}

TEST(MessageNumbers, WithinTheToleranceAreOfTheOneThatIsFurthestOff) {
  EXPECT_EQ(said({1, 1000}, {1, 1000.9F}),
            "output 'y' differs by 0.9 (tolerance 1.1 where the model gives 1000), within tolerance");
}

}  // namespace
}  // namespace culprit
