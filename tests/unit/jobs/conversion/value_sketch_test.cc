#include "conversion/readings/value_sketch.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace culprit {
namespace {

Tensor row(const std::vector<float>& numbers) {
  return Tensor::of<float>({static_cast<std::int64_t>(numbers.size())}, numbers);
}

TEST(ValueSketch, TheSameNumbersInAnyOrderAreNoDistanceApart) {
  std::vector<float> numbers;
  for (int i = 0; i < 100; ++i) numbers.push_back(static_cast<float>(i * 37 % 101) - 50);
  std::vector<float> turned(numbers.rbegin(), numbers.rend());
  EXPECT_EQ(rough_distance(sketch_of(row(numbers)), sketch_of(Tensor::of<float>({10, 10}, turned))), 0);
  for (float& number : turned) number += 1;
  EXPECT_NEAR(rough_distance(sketch_of(row(numbers)), sketch_of(row(turned))), 1 / sketch_of(row(numbers)).size, 1e-6);
}

TEST(ValueSketch, CountsAndWhatIsNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isinf(rough_distance(sketch_of(row({1, 2, 3})), sketch_of(row({1, 2})))));
  EXPECT_TRUE(std::isinf(rough_distance(sketch_of(row({1, 2, nan})), sketch_of(row({1, 2, 2})))));
  const SampleSketch sketch = sketch_of(row({1, -3, nan, 2}));
  EXPECT_FALSE(sketch.is_finite);
  EXPECT_EQ(sketch.count, 4);
  EXPECT_EQ(sketch.size, 2);
  EXPECT_EQ(sketch.largest, 3);
}

TEST(ValueSketch, ZerosAreFarFromAllElse) {
  EXPECT_EQ(rough_distance(sketch_of(row({0, 0})), sketch_of(row({0, 0}))), 0);
  EXPECT_TRUE(std::isinf(rough_distance(sketch_of(row({0, 0})), sketch_of(row({0, 1})))));
}

TEST(ValueSketch, DifferentNumbersAreCountedToThree) {
  EXPECT_EQ(sketch_of(row({})).distinct, 0);
  EXPECT_EQ(sketch_of(row({4, 4})).distinct, 1);
  EXPECT_EQ(sketch_of(row({4, 5, 4})).distinct, 2);
  EXPECT_EQ(sketch_of(row({4, 5, 6, 7})).distinct, 3);
}

TEST(ValueSketch, SaysNothingWhereEachSampleIsOneNumber) {
  const std::vector<Tensor> dead{row({0, 0, 0}), row({2, 2, 2})}, single{row({1}), row({2})},
      once{row({0, 0, 0}), row({0, 1, 0})};
  EXPECT_TRUE(sketch_of(dead).says_nothing());
  EXPECT_TRUE(sketch_of(single).says_nothing());
  EXPECT_FALSE(sketch_of(once).says_nothing());
}

TEST(ValueSketch, KindsOfNumbersStandForThemselves) {
  const auto one = [](const Tensor& tensor) { return sketch_of(std::vector<Tensor>{tensor}); };
  const auto floats = one(row({1, 2, 3})), halves = one(cast(row({1, 2, 3}), DType::f16).value()),
             wholes = one(Tensor::of<std::int64_t>({3}, {1, 2, 3})),
             shorts = one(Tensor::of<std::int32_t>({3}, {3, 2, 1})),
             words = one(Tensor::from_strings({3}, {"1", "2", "3"}).value());
  EXPECT_TRUE(may_be_same(floats, halves, 1e-3));
  EXPECT_TRUE(may_be_same(wholes, shorts, 0));
  EXPECT_FALSE(may_be_same(floats, wholes, 1));
  EXPECT_FALSE(may_be_same(words, words, 1));
  EXPECT_FALSE(may_be_same(floats, one(row({1, 2, 4})), 0.01));
  EXPECT_FALSE(may_be_same(floats, sketch_of(std::vector<Tensor>{row({1, 2, 3}), row({1, 2, 3})}), 1));
}

}  // namespace
}  // namespace culprit
