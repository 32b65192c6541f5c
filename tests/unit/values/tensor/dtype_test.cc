#include "tensor/dtype.h"

#include <gtest/gtest.h>

#include "tensor/ulp.h"

namespace culprit {
namespace {

TEST(DType, NamesGoBothWaysForEveryType) {
  for (int i = 1; i <= 23; ++i) {
    const auto type = dtype_from_onnx(i);
    ASSERT_TRUE(type);
    EXPECT_EQ(static_cast<int>(*type), i);
    EXPECT_EQ(dtype_named(name_of(*type)), type) << name_of(*type);
  }
}

TEST(DType, TakesShortNames) {
  EXPECT_EQ(dtype_named("float"), DType::f32);
  EXPECT_EQ(dtype_named("double"), DType::f64);
  EXPECT_EQ(dtype_named("f32"), DType::f32);
  EXPECT_EQ(dtype_named("i64"), DType::i64);
  EXPECT_EQ(dtype_named("half"), DType::f16);
  EXPECT_EQ(dtype_named("bool"), DType::boolean);
  EXPECT_EQ(dtype_named("FLOAT16"), DType::f16);
  EXPECT_EQ(dtype_named("FLOAT8E4M3FN"), DType::f8e4m3fn);
  for (const char* name : {"", "undefined", "float3", "tensor"}) EXPECT_EQ(dtype_named(name), std::nullopt) << name;
}

TEST(DType, UnknownNumbersAreNothing) {
  for (const int number : {-1, 0, 24, 1000}) EXPECT_EQ(dtype_from_onnx(number), std::nullopt);
  EXPECT_EQ(name_of(static_cast<DType>(99)), "undefined");
}

TEST(DType, SizesAndKinds) {
  EXPECT_EQ(bits_of(DType::f32), 32U);
  EXPECT_EQ(bits_of(DType::c128), 128U);
  EXPECT_EQ(bits_of(DType::boolean), 8U);
  EXPECT_EQ(bits_of(DType::i4), 4U);
  EXPECT_EQ(bits_of(DType::f4e2m1), 4U);
  EXPECT_EQ(bits_of(DType::string), 0U);
  EXPECT_EQ(bits_of(DType::undefined), 0U);
  EXPECT_TRUE(is_float(DType::bf16) && is_float(DType::f8e5m2fnuz) && is_float(DType::f4e2m1));
  EXPECT_FALSE(is_float(DType::c64) || is_float(DType::i32) || is_float(DType::string));
  EXPECT_TRUE(is_integer(DType::u4) && is_integer(DType::i64));
  EXPECT_FALSE(is_integer(DType::boolean) || is_integer(DType::f32) || is_integer(DType::undefined));
}

TEST(Ulp, CountsStepsOnTheNumberLine) {
  EXPECT_EQ(ulp_distance(1.0F, 1.0F), 0);
  EXPECT_EQ(ulp_distance(1.0F, 1.0F + 0x1p-23F), 1);
  EXPECT_EQ(ulp_distance(1.0F, 1.0F - 0x1p-24F), 1);  // closer together below 1
  EXPECT_EQ(ulp_distance(1.0F, 2.0F), 1 << 23);
  EXPECT_EQ(ulp_distance(0.0F, -0.0F), 0);
  EXPECT_EQ(ulp_distance(0x1p-149F, -0x1p-149F), 2);
  EXPECT_EQ(ulp_distance(-3.0F, 5.0F), ulp_distance(5.0F, -3.0F));
  EXPECT_EQ(ulp_distance(0x1.fffffep127F, -0x1.fffffep127F), 2 * INT64_C(0x7f7fffff));
  EXPECT_EQ(ulp_distance(1.0, 1.0 + 0x1p-52), 1);
  EXPECT_EQ(ulp_distance(-0.0, 0x1p-1074), 1);
  EXPECT_EQ(ulp_distance(0x1.fffffffffffffp1023, -0x1.fffffffffffffp1023), INT64_MAX);
}

TEST(Ulp, SixteenBits) {
  EXPECT_EQ(ulp_distance_bits16(0x3c00, 0x3c01), 1);
  EXPECT_EQ(ulp_distance_bits16(0x0000, 0x8000), 0);
  EXPECT_EQ(ulp_distance_bits16(0x0001, 0x8001), 2);
  EXPECT_EQ(ulp_distance_bits16(0xbf80, 0xbf7f), 1);
}

TEST(Ulp, EpsilonIsTheSpacingAtOne) {
  EXPECT_EQ(epsilon_of(DType::f32), 0x1p-23);
  EXPECT_EQ(epsilon_of(DType::f64), 0x1p-52);
  EXPECT_EQ(epsilon_of(DType::f16), 0x1p-10);
  EXPECT_EQ(epsilon_of(DType::bf16), 0x1p-7);
  EXPECT_EQ(epsilon_of(DType::f8e4m3fn), 0x1p-3);
  EXPECT_EQ(epsilon_of(DType::f8e5m2fnuz), 0x1p-2);
  EXPECT_EQ(epsilon_of(DType::f4e2m1), 0x1p-1);
  EXPECT_EQ(epsilon_of(DType::i32), 0);
  EXPECT_EQ(epsilon_of(DType::string), 0);
}

}  // namespace
}  // namespace culprit
