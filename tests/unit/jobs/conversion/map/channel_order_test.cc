#include "conversion/map/channel_order.h"

#include <gmock/gmock.h>

#include <cmath>

#include "map_bench.h"

namespace culprit {
namespace {

using Order = std::vector<std::int64_t>;

DerivedTensor kernel_of_source(const Tensor& tensor, const std::string& axes) {
  return {{"", tensor.shape(), numbers_in(tensor), 0}, {0}, {0}, "kernel", axes, ""};
}
TargetParameter kernel_of_target(const Tensor& tensor, const std::string& axes) {
  return {0, 0, 1, "kernel", axes, {"", tensor.shape(), numbers_in(tensor), 0}};
}

const Order of_outputs{4, 2, 0, 1, 3, 5}, of_inputs{2, 0, 1};

TEST(ChannelOrder, OfAKernelInAnyLayout) {
  const Tensor source = normal_tensor({6, 3, 3, 3}, 1);
  const Tensor moved = with_slices(source, 0, of_outputs);
  EXPECT_EQ(channel_order(kernel_of_source(source, "OIHW"), kernel_of_target(moved, "OIHW"), {}), of_outputs);
  EXPECT_EQ(
      channel_order(kernel_of_source(source, "OIHW"), kernel_of_target(with_axes(moved, {2, 3, 1, 0}), "HWIO"), {}),
      of_outputs);
}

TEST(ChannelOrder, InputsComeInTheirOrder) {
  const Tensor source = normal_tensor({6, 3, 3, 3}, 1);
  const Tensor moved = with_slices(with_slices(source, 0, of_outputs), 1, of_inputs);
  EXPECT_EQ(channel_order(kernel_of_source(source, "OIHW"), kernel_of_target(moved, "OIHW"), of_inputs), of_outputs);
  EXPECT_EQ(channel_order(kernel_of_source(source, "OIHW"), kernel_of_target(moved, "OIHW"), {}), std::nullopt);
}

TEST(ChannelOrder, CoarseWeightsAndWrongSlicesAreNoHindrance) {
  const Tensor source = normal_tensor({6, 3, 3, 3}, 1);
  std::vector<float> numbers = numbers_in(with_slices(source, 0, of_outputs));
  for (float& number : numbers) number = std::round(number * 5) / 5;
  for (std::size_t i = 0; i < 27; ++i) numbers[i] = -numbers[i];  // one of six slices is wrong, all are coarse
  EXPECT_EQ(channel_order(kernel_of_source(source, "OIHW"),
                          kernel_of_target(Tensor::of(source.shape(), numbers), "OIHW"), {}),
            of_outputs);
}

TEST(ChannelOrder, NothingToTell) {
  const Tensor source = normal_tensor({6, 3, 3, 3}, 1), other = normal_tensor({6, 3, 3, 3}, 2);
  EXPECT_EQ(channel_order(kernel_of_source(source, "OIHW"), kernel_of_target(source, "OIHW"), {}), std::nullopt);
  EXPECT_EQ(channel_order(kernel_of_source(source, "OIHW"), kernel_of_target(other, "OIHW"), {}), std::nullopt);
  EXPECT_EQ(
      channel_order(kernel_of_source(source, ""), kernel_of_target(with_slices(source, 0, of_outputs), "OIHW"), {}),
      std::nullopt);
  const Tensor single = normal_tensor({1, 3, 3, 3}, 1);
  EXPECT_EQ(channel_order(kernel_of_source(single, "OIHW"), kernel_of_target(single, "OIHW"), {}), std::nullopt);
}

TEST(ChannelOrder, TheNearestOfOthersIsNoPartner) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const Tensor source = normal_tensor({2, 3, 3, 3}, seed), other = normal_tensor({2, 3, 3, 3}, seed + 100);
    EXPECT_EQ(channel_order(kernel_of_source(source, "OIHW"), kernel_of_target(other, "OIHW"), {}), std::nullopt);
  }
}

TEST(ChannelOrder, LongSlices) {
  const Tensor source = normal_tensor({6, 500}, 1);
  EXPECT_EQ(channel_order(kernel_of_source(source, "OI"),
                          kernel_of_target(with_axes(with_slices(source, 0, of_outputs), {1, 0}), "IO"), {}),
            of_outputs);
}

}  // namespace
}  // namespace culprit
