#include "judge/noise_floor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace culprit {
namespace {

using testing::ElementsAre;

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Tensor floats(const std::vector<float>& values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values);
}

NoiseFloor floor_of(const std::vector<Tensor>& references, double deviation = 0, double step = 0) {
  NoiseFloor floor;
  floor.step = step;
  floor.deviation = deviation;
  for (const Tensor& reference : references) add_reference(floor, reference);
  complete(floor);
  return floor;
}

TEST(NoiseFloor, is_four_deviations_and_eight_eps_of_the_rms_and_a_step) {
  const NoiseFloor floor = floor_of({floats({3, 4, nan, inf}), floats({1, 1})}, 0.5, 0.25);
  EXPECT_DOUBLE_EQ(floor.rms, std::sqrt(12.5)) << "the largest over the samples, of what is finite";
  EXPECT_DOUBLE_EQ(floor.eps, 0x1p-23);
  EXPECT_DOUBLE_EQ(floor.abs, 4 * 0.5 + 8 * 0x1p-23 * floor.rms + 0.25);
  EXPECT_DOUBLE_EQ(floor.rel, floor.abs / floor.rms);
}

TEST(NoiseFloor, of_zeros_is_what_draws_did_to_them) {
  EXPECT_EQ(floor_of({floats({0, 0})}).abs, 0);
  EXPECT_EQ(floor_of({floats({0, 0})}, 1e-9).abs, 4e-9);
  EXPECT_EQ(floor_of({floats({0, 0})}, 1e-9).rel, 0);
}

TEST(NoiseFloor, knows_eps_of_each_type) {
  const auto eps = [](DType type) { return floor_of({cast(floats({1, 1}), type).value()}).eps; };
  EXPECT_DOUBLE_EQ(eps(DType::f64), 0x1p-52);
  EXPECT_DOUBLE_EQ(eps(DType::f16), 0x1p-10);
  EXPECT_DOUBLE_EQ(eps(DType::bf16), 0x1p-7);
  const Tensor complex = Tensor::from_bytes(DType::c64, {1}, std::vector<std::byte>(8, std::byte{0x3f})).value();
  EXPECT_DOUBLE_EQ(floor_of({complex}).eps, 0x1p-23);
}

TEST(NoiseFloor, of_eight_bit_floats_is_one_step_of_their_grid) {
  const NoiseFloor floor = floor_of({cast(floats({2, 2}), DType::f8e4m3fn).value()});
  EXPECT_EQ(floor.eps, 0);
  EXPECT_DOUBLE_EQ(floor.step, 0.125 * 2);
  EXPECT_DOUBLE_EQ(floor.abs, floor.step) << "8 eps would be all of the output";
}

TEST(NoiseFloor, exact_types_have_none_but_a_quantization_step) {
  const Tensor labels = Tensor::of<std::int64_t>({2}, {1000, 2000});
  EXPECT_TRUE(is_exact(labels.dtype()));
  EXPECT_FALSE(is_exact(DType::f8e5m2));
  EXPECT_EQ(floor_of({labels}).abs, 0);
  EXPECT_EQ(floor_of({labels}, 0, 1).abs, 1);
}

TEST(Drift, is_the_largest_deviation_of_an_element) {
  const Drift drift = drift_of(floats({1, 2, nan, inf}), floats({1.25F, 1.5F, nan, inf}));
  EXPECT_TRUE(drift.counts);
  EXPECT_EQ(drift.deviation, 0.5);
}

TEST(Drift, does_not_count_where_shape_or_nan_pattern_change) {
  EXPECT_FALSE(drift_of(floats({1, 2}), floats({1, 2, 3})).counts);
  EXPECT_FALSE(drift_of(floats({1, 2}), floats({1, nan})).counts);
  EXPECT_FALSE(drift_of(floats({1, inf}), floats({1, -inf})).counts);
  EXPECT_FALSE(drift_of(floats({1, 2}), Tensor::of<double>({2}, {1, 2})).counts);
}

TEST(Drift, of_exact_types_is_nothing) {
  const Drift drift = drift_of(Tensor::of<std::int64_t>({2}, {1, 2}), Tensor::of<std::int64_t>({2}, {7, 2}));
  EXPECT_TRUE(drift.counts);
  EXPECT_EQ(drift.deviation, 0);
}

TEST(Flips, mark_what_differs_and_add_up) {
  std::vector<std::uint8_t> ties;
  const Tensor reference = Tensor::of<std::int64_t>({3}, {1, 2, 3});
  EXPECT_EQ(mark_flips(reference, Tensor::of<std::int64_t>({3}, {1, 5, 3}), ties), 1);
  EXPECT_EQ(mark_flips(reference, Tensor::of<std::int64_t>({3}, {9, 5, 3}), ties), 1) << "the other was known";
  EXPECT_THAT(ties, ElementsAre(1, 1, 0));
  EXPECT_EQ(mark_flips(reference, Tensor::of<std::int64_t>({2}, {1, 2}), ties), 0);
  EXPECT_THAT(ties, ElementsAre(1, 1, 0));
}

TEST(Flips, know_strings_and_truth_values) {
  std::vector<std::uint8_t> ties;
  EXPECT_EQ(1, mark_flips(Tensor::from_strings({2}, {"cat", "dog"}).value(),
                          Tensor::from_strings({2}, {"cat", "cow"}).value(), ties));
  EXPECT_THAT(ties, ElementsAre(0, 1));
  std::vector<std::uint8_t> truths;
  const auto truth = [](std::vector<std::byte> bytes) {
    return Tensor::from_bytes(DType::boolean, {2}, std::move(bytes)).value();
  };
  EXPECT_EQ(1, mark_flips(truth({std::byte{1}, std::byte{0}}), truth({std::byte{2}, std::byte{1}}), truths));
  EXPECT_THAT(truths, ElementsAre(0, 1));
}

}  // namespace
}  // namespace culprit
