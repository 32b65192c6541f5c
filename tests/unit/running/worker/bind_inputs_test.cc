#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/steps.h"
#include "worker/run_job.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::vector<NamedTensor> pack() {
  return {{"a", Tensor::of<float>({2}, {1, 2})}, {"b", Tensor::from_strings({1}, {"s"}).value()}};
}

TEST(BindInputs, WithoutABindingAllGoesInByItsName) {
  const auto bound = bind_inputs(pack(), {}).value();
  ASSERT_THAT(bound, SizeIs(2));
  EXPECT_EQ(bound[1].name, "b");
}

TEST(BindInputs, RenamesCastsAndLeavesOut) {
  const auto bound = bind_inputs(pack(), {{"a", "x", DType::i32}}).value();
  ASSERT_THAT(bound, SizeIs(1));
  EXPECT_EQ(bound[0].name, "x");
  EXPECT_THAT(bound[0].value.as<std::int32_t>(), ElementsAre(1, 2));
}

TEST(BindInputs, TurnsAxes) {
  const std::vector<NamedTensor> picture = {{"a", Tensor::of<float>({1, 2, 1, 3}, {1, 2, 3, 4, 5, 6})}};
  const auto bound = bind_inputs(picture, {{"a", "x", DType::i32, {0, 2, 3, 1}, {1, 1, 3, 2}}}).value();
  EXPECT_EQ(bound[0].value.shape(), (Shape{1, 1, 3, 2}));
  EXPECT_THAT(bound[0].value.as<std::int32_t>(), ElementsAre(1, 4, 2, 5, 3, 6));
  EXPECT_THAT(bind_inputs(picture, {{"a", "x", DType::undefined, {0, 1}, {1, 2}}}).error().message,
              HasSubstr("axes 0,1 of [1,2,1,3]"));
}

TEST(BindInputs, OneTensorMayFeedTwoInputs) {
  EXPECT_THAT(bind_inputs(pack(), {{"a", "x", DType::undefined}, {"a", "y", DType::f32}}).value(), SizeIs(2));
}

TEST(BindInputs, StatesAreFedBackFromTheVariantsOwnOutputs) {
  const std::vector<NamedTensor> states = {{"a", Tensor::of<float>({1}, {0}), state_part("h")},
                                           {"b", Tensor::of<float>({1}, {0}), state_part("c")},
                                           {"d", Tensor::of<float>({1}, {0}), state_part("y")}};
  const auto bound =
      bind_inputs(states, {{"a", "x"}, {"b", "b"}, {"d", "d"}}, {{"h", "c"}, {"c", "h"}}).value();  // they change names
  ASSERT_THAT(bound, SizeIs(3));
  EXPECT_EQ(bound[0].part, state_part("c"));
  EXPECT_EQ(bound[1].part, state_part("h"));
  EXPECT_EQ(bound[2].part, state_part("y"));
  EXPECT_EQ(bind_inputs(states, {}, {{"y", "z"}}).value()[2].part, state_part("z"));
}

TEST(BindInputs, AllPartsOfAValueGoInTogether) {
  const std::vector<NamedTensor> parts = {{"a", Tensor::of<std::int64_t>({}, {1}), ".length"},
                                          {"a", Tensor::of<float>({2}, {1, 2}), "[0]"},
                                          {"b", Tensor::of<float>({}, {1})}};
  const auto bound = bind_inputs(parts, {{"a", "x", DType::undefined}}).value();
  ASSERT_THAT(bound, SizeIs(2));
  EXPECT_EQ(bound[1].name + bound[1].part, "x[0]");
}

TEST(BindInputs, NamesWhatIsNotThere) {
  EXPECT_THAT(bind_inputs(pack(), {{"c", "x", DType::undefined}}).error().message, HasSubstr("'c'"));
  EXPECT_FALSE(bind_inputs(pack(), {{"b", "x", DType::f32}}));  // strings do not become numbers
}

}  // namespace
}  // namespace culprit
