#include <cmath>
#include <cstring>

#include "network/tflite/perturb_tflite.h"
#include "unit/models/network/tflite_samples.h"

namespace culprit {
namespace {

std::vector<float> floats_of(const TfliteFile& file, std::size_t tensor) {
  const auto bytes = file.buffer(file.graph().subgraphs[0].tensors[tensor].buffer);
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

TEST(PerturbTflite, EachWeightMovesByThatManyUnitsAndNothingElseDoes) {
  const TfliteFile before = small_tflite();
  const auto after = perturbed(before, 7, 2);
  ASSERT_TRUE(after) << after.error().text();
  EXPECT_EQ(after->graph().subgraphs[0].tensors.size(), before.graph().subgraphs[0].tensors.size());
  EXPECT_EQ(after->graph().subgraphs[0].operators.size(), before.graph().subgraphs[0].operators.size());
  constexpr std::size_t weights = 1, bias = 2, bias_again = 4;
  for (const std::size_t tensor : {weights, bias}) {
    const auto old = floats_of(before, tensor), moved = floats_of(*after, tensor);
    ASSERT_EQ(moved.size(), old.size());
    for (std::size_t i = 0; i < old.size(); ++i)
      EXPECT_FLOAT_EQ(std::abs(moved[i] - old[i]),
                      2 * std::abs(std::nextafter(old[i], moved[i] > old[i] ? 100.0F : -100.0F) - old[i]));
  }
  EXPECT_EQ(floats_of(*after, bias), floats_of(*after, bias_again));
}

TEST(PerturbTflite, ASeedGivesTheSameBitsAgainAndAnotherOneOthers) {
  const TfliteFile file = small_tflite();
  const std::string first(perturbed(file, 7, 1)->bytes());
  EXPECT_EQ(first, perturbed(file, 7, 1)->bytes());
  EXPECT_NE(first, perturbed(file, 8, 1)->bytes());
  EXPECT_NE(first, file.bytes());
}

}  // namespace
}  // namespace culprit
