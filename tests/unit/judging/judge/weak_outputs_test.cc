#include "judge/weak_outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/not_numbers.h"
#include "unit/judging/judge/tensors.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using Row = std::vector<float>;

/// Why one output is weak that gave these tensors, one for each sample; "" where it is not.
std::string why(const std::vector<Tensor>& outputs, bool inputs_differ = true) {
  WeaknessWatch watch;
  float input = 0;
  for (const Tensor& output : outputs) {
    const std::vector<NamedTensor> inputs = {{"x", Tensor::of<float>({1}, {inputs_differ ? ++input : 0})}};
    watch.add(inputs, std::vector<NamedTensor>{{"y", output}});
  }
  EXPECT_EQ(watch.outputs(), 1U);
  EXPECT_EQ(watch.says_nothing(), !watch.weak().empty());
  return watch.weak().empty() ? "" : watch.weak().front().reason;
}

Tensor rows(std::int64_t width, const Row& values) {
  return Tensor::of<float>({static_cast<std::int64_t>(values.size()) / width, width}, values);
}
Tensor integers(const std::vector<std::int64_t>& values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}
/// `count` numbers, of which the first `others` are `other` and the rest `most`.
Tensor mostly(float most, std::size_t count, float other, std::size_t others) {
  Row values(count, most);
  std::fill_n(values.begin(), others, other);
  return floats(values);
}

TEST(Weakness, ValuesThatVaryAreNotWeak) {
  EXPECT_EQ(why({floats({1, 2}), floats({3, 4})}), "");
  EXPECT_EQ(why({integers({1, 2}), integers({2, 1})}), "");
  EXPECT_EQ(why({Tensor::from_strings({1}, {"cat"}).value(), Tensor::from_strings({1}, {"dog"}).value()}), "");
}

TEST(Weakness, NaNInSomeElementsIsCounted) {
  const auto partly_nan = [](const std::vector<Tensor>& outputs) {
    WeaknessWatch watch;
    for (const Tensor& output : outputs) watch.add({}, std::vector<NamedTensor>{{"y", output}});
    return watch.partly_nan();
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(partly_nan({floats({1, nan, 3}), floats({nan, 4, 5})}),
              ElementsAre(WeakOutput{"y", "NaN in 2 of 6 elements"}));
  EXPECT_THAT(partly_nan({floats({1, 2})}), ElementsAre());
  EXPECT_THAT(partly_nan({floats({nan, nan})}), ElementsAre()) << "is weak, which is said already";
  EXPECT_THAT(partly_nan({integers({1, 2})}), ElementsAre());
}

/// The weak parts of an output that has these parts in these samples.
std::vector<std::string> weak_parts(const std::vector<std::vector<NamedTensor>>& samples) {
  WeaknessWatch watch;
  float input = 0;
  for (const auto& outputs : samples) watch.add(std::vector<NamedTensor>{{"x", floats({++input})}}, outputs);
  std::vector<std::string> weak;
  for (const auto& output : watch.weak()) weak.push_back(output.output);
  if (watch.says_nothing()) weak.emplace_back("nothing");
  return weak;
}

NamedTensor length(std::int64_t count) { return {"y", Tensor::of<std::int64_t>({}, {count}), ".length"}; }

TEST(Weakness, TheFormOfAValueIsNotHeldAgainstIt) {
  const NamedTensor keys{"y", integers({0, 1}), ".keys"};
  EXPECT_THAT(weak_parts({{length(1), keys, {"y", rows(2, {0.1F, 0.9F}), ".values"}},
                          {length(1), keys, {"y", rows(2, {0.3F, 0.7F}), ".values"}}}),
              testing::IsEmpty());
  EXPECT_THAT(weak_parts({{length(2), {"y", floats({1, 2}), "[0]"}, {"y", floats({3, 3}), "[1]"}},
                          {length(2), {"y", floats({2, 2}), "[0]"}, {"y", floats({3, 3}), "[1]"}}}),
              ElementsAre("y[1]"));
}

TEST(Weakness, AValueThatNeverHoldsAnythingIsWeak) {
  EXPECT_THAT(weak_parts({{length(0)}, {length(0)}}), ElementsAre("y", "nothing"));
  EXPECT_THAT(weak_parts({{length(0)}, {length(1), {"y", floats({1, 2}), "[0]"}}}), testing::IsEmpty());
  EXPECT_THAT(weak_parts({{length(1), {"y", floats({0, 0}), "[0]"}}, {length(0)}}), ElementsAre("y[0]", "nothing"));
}

TEST(Weakness, EmptyInAllSamples) {
  EXPECT_EQ(why({floats({}), floats({})}), "empty in all samples");
  EXPECT_EQ(why({floats({})}), "empty");
  EXPECT_EQ(why({integers({}), integers({})}), "empty in all samples");
  EXPECT_EQ(why({floats({}), floats({1, 2})}), "") << "boxes in one image are enough";
}

TEST(Weakness, OneValueEverywhere) {
  EXPECT_EQ(why({floats({2.5, 2.5}), floats({2.5, 2.5})}), "2.5 in all elements of all samples");
  EXPECT_EQ(why({floats({2.5, 2.5})}), "2.5 in all elements");
  EXPECT_EQ(why({floats({7}), floats({7})}), "7 in all elements of all samples");
  EXPECT_EQ(why({integers({3}), integers({3}), integers({3})}), "3 in all elements of all samples");
  EXPECT_EQ(why({Tensor::from_strings({2}, {"cat", "cat"}).value()}), "'cat' in all elements");
  EXPECT_EQ(why({floats({0, -0.0F})}), "0 in all elements") << "zeros of either sign are one number";
}

TEST(Weakness, FloatsThatOnlyRoundingTellsApartAreOneValue) {
  EXPECT_EQ(why({floats({2.5, 2.5}), floats({2.5, 2.5000002F})}), "2.5 in all elements of all samples, up to rounding");
  EXPECT_EQ(why({floats({2.5, 2.5}), floats({2.5, 2.50001F})}), "");
  EXPECT_EQ(why({floats({-1e-9F, 1e-9F})}), "") << "small is not near";
}

TEST(Weakness, OneValueInEachSampleButNotTheSameSaysSomething) {
  EXPECT_EQ(why({floats({1, 1}), floats({2, 2})}), "");
  EXPECT_EQ(why({integers({1, 1}), integers({2, 2})}), "");
}

TEST(Weakness, IntegersThatNoDoubleTellsApartDiffer) {
  constexpr std::int64_t large = std::int64_t{1} << 53;
  EXPECT_EQ(why({integers({large, large + 1})}), "");
  EXPECT_EQ(why({integers({large}), integers({large + 1})}), "");
}

TEST(Weakness, ASingleElementOfASingleSampleIsNeverWeak) {
  EXPECT_EQ(why({floats({0})}), "");
  EXPECT_EQ(why({integers({0})}), "");
  EXPECT_EQ(why({Tensor::of<float>({}, {1})}), "");
}

TEST(Weakness, TheSameBitsThoughTheInputsDiffer) {
  EXPECT_EQ(why({floats({1, 2}), floats({1, 2})}), "the same in all samples, though their inputs differ");
  EXPECT_EQ(why({integers({1, 2}), integers({1, 2})}), "the same in all samples, though their inputs differ");
  EXPECT_EQ(why({floats({1, 2}), floats({1, 2})}, false), "") << "equal inputs ought to give this";
  EXPECT_EQ(why({floats({1, 2}), floats({1, 2}), floats({1, 3})}), "");
  EXPECT_EQ(why({rows(2, {1, 2}), floats({1, 2})}), "") << "another shape tells something";
}

TEST(Weakness, NothingFinite) {
  EXPECT_EQ(why({floats({nan_f, nan_f}), floats({nan_f, nan_f})}), "NaN in all elements of all samples");
  EXPECT_EQ(why({floats({infinity_f, -infinity_f})}), "infinite in all elements");
  EXPECT_EQ(why({floats({nan_f, infinity_f})}), "NaN or infinite in all elements");
  EXPECT_EQ(why({floats({nan_f, 1}), floats({nan_f, 2})}), "");
  EXPECT_EQ(why({floats({1, infinity_f})}), "");
}

TEST(Weakness, FloatsAtOneEndAreSaturated) {
  EXPECT_EQ(why({mostly(0, 16, 3, 1)}), "0 or 3 in all elements, as if saturated");
  EXPECT_EQ(why({mostly(1, 600, 0, 20), mostly(1, 600, 0, 3)}), "0 or 1 in all elements, as if saturated");
  Row nearly(2000, 0.0F);
  nearly[7] = 1, nearly[8] = 0.5;
  EXPECT_EQ(why({floats(nearly)}), "0 or 1 in 99.95 % of the elements, as if saturated");
}

TEST(Weakness, NearMissesOfSaturationSaySomething) {
  EXPECT_EQ(why({mostly(0, 15, 3, 1)}), "") << "too few";
  Row some(2000, 0.0F);
  for (std::size_t i = 0; i < 4; ++i) some[i] = 0.1F * static_cast<float>(i + 1);
  EXPECT_EQ(why({floats(some)}), "") << "0.15 % lie between the ends";
  EXPECT_EQ(why({mostly(0, 64, 1, 32)}), "") << "a mask tells as much as truth values do";
  Row dead(64, 0.0F);  // a ReLU that lets a tenth through
  for (std::size_t i = 0; i < 6; ++i) dead[i] = static_cast<float>(i) + 1;
  EXPECT_EQ(why({floats(dead)}), "");
}

TEST(Weakness, IntegersAndTruthValuesDoNotSaturate) {
  std::vector<std::int64_t> flags(100, 0);
  flags[3] = 1;
  EXPECT_EQ(why({integers(flags)}), "");
  std::vector<std::byte> bits(100, std::byte{0});
  bits[3] = std::byte{1};
  EXPECT_EQ(why({Tensor::from_bytes(DType::boolean, {100}, bits).value()}), "");
  EXPECT_EQ(why({Tensor::from_bytes(DType::boolean, {2}, {std::byte{1}, std::byte{1}}).value()}),
            "true in all elements");
}

TEST(Weakness, ASoftmaxThatIsOneHotInEveryRowIsSaturated) {
  const std::string one_hot = "exactly one-hot in every row, as if saturated";
  EXPECT_EQ(why({rows(4, {0, 1, 0, 0}), rows(4, {0, 0, 0, 1}), rows(4, {1, 0, 0, 0})}), one_hot);
  EXPECT_EQ(why({rows(4, {0, 1, 0, 0}), rows(4, {0.1F, 0, 0, 0.9F})}), "");
  EXPECT_EQ(why({rows(4, {0, 1, 0, 0}), rows(4, {0, 1, 0, 1})}), "") << "two in one row";
  EXPECT_EQ(why({rows(2, {0, 1}), rows(2, {1, 0})}), "") << "too few to tell";
}

TEST(Weakness, HalfFloatsAreLookedAtAsFloats) {
  const Tensor constant = cast(floats({2, 2, 2}), DType::f16).value();
  EXPECT_EQ(why({constant}), "2 in all elements");
  EXPECT_EQ(why({cast(mostly(0, 32, 3, 1), DType::bf16).value()}), "0 or 3 in all elements, as if saturated");
  EXPECT_EQ(why({cast(floats({1, 2}), DType::f16).value()}), "");
}

TEST(Weakness, EachOutputIsLookedAtByItself) {
  WeaknessWatch watch;
  const std::vector<NamedTensor> inputs = {{"x", floats({1})}};
  watch.add(inputs, std::vector<NamedTensor>{{"flat", floats({0, 0})}, {"y", floats({1, 2})}});
  EXPECT_THAT(watch.weak(), ElementsAre(WeakOutput{"flat", "0 in all elements"}));
  EXPECT_FALSE(watch.says_nothing());
}

TEST(Weakness, NothingAtAllIsNotCalledWeak) {
  EXPECT_FALSE(WeaknessWatch().says_nothing());
  WeaknessWatch watch;
  watch.add({}, {});
  EXPECT_FALSE(watch.says_nothing());
}

}  // namespace
}  // namespace culprit
