#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/not_numbers.h"
#include "tensor/tensor.h"
#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsNan;

template <class T>
std::vector<double> cast_of(const std::vector<T>& values, DType to) {
  return numbers(cast(Tensor::of<T>({static_cast<std::int64_t>(values.size())}, values), to).value());
}

TEST(Cast, FloatToIntegerRoundsToEvenAndSaturates) {
  const std::vector<double> values{0.5, 1.5, 2.5, -0.5, -1.5, 126.5, 127.5, 300, -300, infinity, -infinity, nan};
  EXPECT_THAT(cast_of(values, DType::i8), ElementsAre(0, 2, 2, 0, -2, 126, 127, 127, -128, 127, -128, 0));
  EXPECT_THAT(cast_of(values, DType::u8), ElementsAre(0, 2, 2, 0, 0, 126, 128, 255, 0, 255, 0, 0));
  EXPECT_THAT(cast_of(values, DType::i4), ElementsAre(0, 2, 2, 0, -2, 7, 7, 7, -8, 7, -8, 0));
  EXPECT_THAT(cast_of(values, DType::u4), ElementsAre(0, 2, 2, 0, 0, 15, 15, 15, 0, 15, 0, 0));
}

TEST(Cast, FloatToWideIntegers) {
  const auto to_i64 = cast(Tensor::of<double>({4}, {1e19, -1e19, 0x1p62, nan}), DType::i64).value();
  EXPECT_THAT(to_i64.as<std::int64_t>(), ElementsAre(INT64_MAX, INT64_MIN, INT64_C(1) << 62, 0));
  const auto to_u64 = cast(Tensor::of<double>({3}, {1e20, -1, 0x1p63}), DType::u64).value();
  EXPECT_THAT(to_u64.as<std::uint64_t>(), ElementsAre(UINT64_MAX, 0U, UINT64_C(1) << 63));
  const auto to_i32 = cast(Tensor::of<float>({2}, {3e9F, -3e9F}), DType::i32).value();
  EXPECT_THAT(to_i32.as<std::int32_t>(), ElementsAre(INT32_MAX, INT32_MIN));
}

TEST(Cast, IntegersKeepEveryDigit) {
  const auto exact = cast(Tensor::of<std::int64_t>({2}, {INT64_MAX, -1}), DType::u64).value();
  EXPECT_THAT(exact.as<std::uint64_t>(), ElementsAre(static_cast<std::uint64_t>(INT64_MAX), 0U));
  const auto back = cast(Tensor::of<std::uint64_t>({2}, {UINT64_MAX, 5}), DType::i64).value();
  EXPECT_THAT(back.as<std::int64_t>(), ElementsAre(INT64_MAX, 5));
  EXPECT_THAT(cast_of<std::int32_t>({-200, 200, 5}, DType::i8), ElementsAre(-128, 127, 5));
  EXPECT_THAT(numbers(cast(raw(DType::i4, {3}, {0x9f, 0x07}), DType::i16).value()), ElementsAre(-1, -7, 7));
}

TEST(Cast, IntegersToFloatsRoundOnce) {
  const std::int64_t tie = (INT64_C(1) << 53) + 1;
  EXPECT_THAT(cast_of<std::int64_t>({tie, tie + 2}, DType::f64), ElementsAre(0x1p53, 0x1p53 + 4));
  EXPECT_THAT(cast_of<std::int64_t>({(INT64_C(1) << 24) + 1}, DType::f32), ElementsAre(0x1p24));
  // 2^60 + 2^52 is a tie of bfloat16; one more must round up, which a detour over double forgets.
  const std::int64_t above = (INT64_C(1) << 60) + (INT64_C(1) << 52) + 1;
  EXPECT_THAT(cast_of<std::int64_t>({above - 1, above, -above}, DType::bf16),
              ElementsAre(0x1p60, 0x1p60 + 0x1p53, -0x1p60 - 0x1p53));
  EXPECT_THAT(cast_of<std::int64_t>({INT64_MIN}, DType::bf16), ElementsAre(-0x1p63));
}

TEST(Cast, DoubleToSmallFloatsRoundsOnce) {
  const double above_a_tie = 1 + 0x1p-11 + 0x1p-40;  // as a float it is the tie
  EXPECT_THAT(cast_of<double>({above_a_tie, 1 + 0x1p-11, 1e6, nan, -0x1p-25}, DType::f16),
              ElementsAre(1 + 0x1p-10, 1, infinity, IsNan(), 0));
  EXPECT_THAT(cast_of<double>({1 + 0x1p-8 + 0x1p-40, 1e39, 3e-40}, DType::bf16),
              ElementsAre(1 + 0x1p-7, infinity, 3 * 0x1p-133));
}

TEST(Cast, EightAndFourBitsSaturateAsInOnnx) {
  const std::vector<float> values{1e9F, -1e9F, static_cast<float>(infinity), static_cast<float>(nan), 17.5F};
  EXPECT_THAT(cast_of(values, DType::f8e4m3fn), ElementsAre(448, -448, 448, IsNan(), 18));
  EXPECT_THAT(cast_of(values, DType::f8e4m3fnuz), ElementsAre(240, -240, IsNan(), IsNan(), 18));
  EXPECT_THAT(cast_of(values, DType::f8e5m2), ElementsAre(57344, -57344, 57344, IsNan(), 16));
  EXPECT_THAT(cast_of(values, DType::f8e5m2fnuz), ElementsAre(57344, -57344, IsNan(), IsNan(), 16));
  EXPECT_THAT(cast_of(values, DType::f4e2m1), ElementsAre(6, -6, 6, 6, 6));
  EXPECT_THAT(cast_of<float>({0.25F, 0.75F, 2.5F, -3.5F, 5}, DType::f4e2m1), ElementsAre(0, 1, 2, -4, 4));
}

TEST(Cast, FormatsWithoutMinusZeroHaveNone) {  // its code is their NaN
  for (const DType type : {DType::f8e4m3fnuz, DType::f8e5m2fnuz}) {
    EXPECT_THAT(cast_of<float>({-0.0F, -1e-30F}, type), ElementsAre(0, 0)) << name_of(type);
  }
  EXPECT_TRUE(std::signbit(cast_of<float>({-0.0F}, DType::f8e4m3fn)[0]));
}

TEST(Cast, BoolIsZeroOrNot) {
  EXPECT_THAT(cast_of<float>({0, -0.0F, 0.1F, -3, static_cast<float>(nan)}, DType::boolean),
              ElementsAre(0, 0, 1, 1, 1));
  EXPECT_THAT(numbers(cast(raw(DType::boolean, {2}, {1, 0}), DType::f32).value()), ElementsAre(1, 0));
}

TEST(Cast, ComplexStaysComplex) {
  const auto narrow = Tensor::from_bytes(DType::c64, {1}, bytes({0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0})).value();
  const auto wide = cast(narrow, DType::c128).value();
  EXPECT_EQ(wide.bytes().size(), 16U);
  EXPECT_TRUE(cast(wide, DType::c64)->identical(narrow));
  EXPECT_EQ(cast(narrow, DType::f32).error().kind, ErrorKind::unsupported);
}

TEST(Cast, StringsAndTheUndefinedAreErrors) {
  const auto texts = Tensor::from_strings({1}, {"1"}).value();
  EXPECT_FALSE(cast(texts, DType::f32));
  EXPECT_FALSE(cast(Tensor::of<float>({1}, {1}), DType::string));
  EXPECT_FALSE(cast(Tensor::of<float>({1}, {1}), DType::undefined));
  EXPECT_FALSE(cast(Tensor(), DType::undefined));
}

TEST(Cast, KeepsShapesAndSharesWhatIsTheSame) {
  const auto matrix = Tensor::of<float>({2, 1, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(cast(matrix, DType::i4)->shape(), (Shape{2, 1, 3}));
  EXPECT_EQ(cast(matrix, DType::f32)->bytes().data(), matrix.bytes().data());
  EXPECT_EQ(cast(Tensor::of<float>({0, 2}, {}), DType::f16)->count(), 0);
}

TEST(Cast, LongTensorsAreWholeAcrossChunks) {
  std::vector<std::int32_t> values(10'001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i % 7);
  EXPECT_EQ(cast_of(values, DType::u4), std::vector<double>(values.begin(), values.end()));
}

}  // namespace
}  // namespace culprit
