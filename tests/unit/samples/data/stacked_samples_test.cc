#include "data/stacked_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

ValueInfo input_of(const std::string& name, std::vector<Dim> dims, DType dtype = DType::f32) {
  ValueInfo info;
  info.name = name;
  info.dtype = dtype;
  info.has_shape = true;
  info.dims = std::move(dims);
  return info;
}

const Dim open_batch{std::nullopt, "batch"}, two{2, ""};

std::vector<float> floats_of(const Pack& pack, std::size_t place) {
  const auto values = pack.at(place).value.as<float>();
  return {values.begin(), values.end()};
}

TEST(StackedSamples, RowsComeOneAfterTheOtherAndBeginAgain) {
  const std::vector<ValueInfo> inputs{input_of("x", {open_batch, two})};
  const std::vector<Pack> samples{{{"x", Tensor::of<float>({1, 2}, {1, 2})}},
                                  {{"x", Tensor::of<float>({2, 2}, {3, 4, 5, 6})}}};
  const auto two_each = stacked_samples(inputs, samples, 2, "m");
  ASSERT_TRUE(two_each) << two_each.error().text();
  ASSERT_THAT(*two_each, SizeIs(2)) << "three rows";
  EXPECT_EQ((*two_each)[0][0].value.shape(), (Shape{2, 2}));
  EXPECT_THAT(floats_of((*two_each)[0], 0), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(floats_of((*two_each)[1], 0), ElementsAre(5, 6, 1, 2));
  const auto five = stacked_samples(inputs, samples, 5, "m");
  ASSERT_TRUE(five);
  ASSERT_THAT(*five, SizeIs(1));
  EXPECT_THAT(floats_of((*five)[0], 0), ElementsAre(1, 2, 3, 4, 5, 6, 1, 2, 3, 4));
}

TEST(StackedSamples, ABatchMayBeAnyAxisAndOtherInputsStay) {
  const std::vector<ValueInfo> inputs{input_of("x", {two, open_batch, two}), input_of("scale", {two})};
  const std::vector<Pack> samples{
      {{"x", Tensor::of<float>({2, 1, 2}, {1, 2, 3, 4})}, {"scale", Tensor::of<float>({2}, {7, 8})}},
      {{"x", Tensor::of<float>({2, 1, 2}, {5, 6, 7, 8})}, {"scale", Tensor::of<float>({2}, {9, 9})}}};
  const auto packs = stacked_samples(inputs, samples, 2, "m");
  ASSERT_TRUE(packs) << packs.error().text();
  ASSERT_THAT(*packs, SizeIs(1));
  EXPECT_EQ((*packs)[0][0].value.shape(), (Shape{2, 2, 2}));
  EXPECT_THAT(floats_of((*packs)[0], 0), ElementsAre(1, 2, 5, 6, 3, 4, 7, 8));
  EXPECT_THAT(floats_of((*packs)[0], 1), ElementsAre(7, 8));
}

TEST(StackedSamples, TextsAreStackedToo) {
  const std::vector<ValueInfo> inputs{input_of("words", {open_batch}, DType::string)};
  const std::vector<Pack> samples{{{"words", Tensor::from_strings({1}, {"one"}).value()}}};
  const auto packs = stacked_samples(inputs, samples, 3, "m");
  ASSERT_TRUE(packs) << packs.error().text();
  EXPECT_THAT((*packs)[0][0].value.strings(), ElementsAre("one", "one", "one"));
}

TEST(StackedSamples, SamplesOfAnotherSizeAreLeftOut) {
  const std::vector<ValueInfo> inputs{input_of("x", {open_batch, {std::nullopt, "length"}})};
  const std::vector<Pack> samples{{{"x", Tensor::of<float>({1, 2}, {1, 2})}},
                                  {{"x", Tensor::of<float>({1, 3}, {3, 4, 5})}},
                                  {{"x", Tensor::of<float>({1, 2}, {6, 7})}}};
  const auto packs = stacked_samples(inputs, samples, 2, "m");
  ASSERT_TRUE(packs) << packs.error().text();
  ASSERT_THAT(*packs, SizeIs(1));
  EXPECT_THAT(floats_of((*packs)[0], 0), ElementsAre(1, 2, 6, 7));
}

TEST(StackedSamples, AFixedBatchIsToldWithWhatToDo) {
  const std::vector<ValueInfo> inputs{input_of("image", {{1, ""}, two})};
  const auto refused = can_be_stacked(inputs, "net.onnx");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::usage);
  EXPECT_THAT(refused.error().message, HasSubstr("the batch of 'net.onnx' is fixed: its input is image: float32[1,2]"));
  EXPECT_THAT(refused.error().hint, HasSubstr("dynamic_axes={'image': {0: 'batch'}}"));
  EXPECT_FALSE(
      stacked_samples(inputs, std::vector<Pack>{{{"image", Tensor::of<float>({1, 2}, {1, 2})}}}, 2, "net.onnx"));
  EXPECT_TRUE(can_be_stacked({input_of("x", {open_batch})}, "net.onnx"));
}

TEST(StackedSamples, InputsThatDoNotAgreeAreRefused) {
  const std::vector<ValueInfo> inputs{input_of("a", {open_batch}), input_of("b", {open_batch})};
  const std::vector<Pack> samples{{{"a", Tensor::of<float>({1}, {1})}, {"b", Tensor::of<float>({2}, {1, 2})}}};
  const auto packs = stacked_samples(inputs, samples, 2, "m");
  ASSERT_FALSE(packs);
  EXPECT_THAT(packs.error().message, HasSubstr("do not agree on how many samples"));
  EXPECT_THAT(stacked_samples(inputs, {}, 2, "m").error().message, HasSubstr("there are none"));
}

TEST(StackedSamples, TellHowMuchTheyWouldTake) {
  const std::vector<ValueInfo> inputs{input_of("x", {open_batch, two}), input_of("scale", {two})};
  const Pack sample{{"x", Tensor::of<float>({2, 2}, {1, 2, 3, 4})}, {"scale", Tensor::of<float>({2}, {7, 8})}};
  EXPECT_EQ(bytes_of_stack(inputs, sample, 10), 10U * 8 + 8);
  EXPECT_EQ(bytes_of_stack(inputs, sample, std::int64_t{1} << 62), static_cast<std::uint64_t>(1e18));
}

}  // namespace
}  // namespace culprit
