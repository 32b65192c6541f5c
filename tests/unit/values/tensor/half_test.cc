#include "tensor/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/not_numbers.h"
#include "tensor/small_float.h"

namespace culprit {
namespace {

TEST(Half, EveryValueGoesThereAndBack) {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    ASSERT_EQ(float_to_half(half_to_float(bits)), bits);
    ASSERT_EQ(float_to_bfloat16(bfloat16_to_float(bits)), bits);
  }
}

TEST(Half, KnownValues) {
  EXPECT_EQ(half_to_float(0x3c00), 1.0F);
  EXPECT_EQ(half_to_float(0xc000), -2.0F);
  EXPECT_EQ(half_to_float(0x7bff), 65504.0F);
  EXPECT_EQ(half_to_float(0x0400), 0x1p-14F);
  EXPECT_EQ(half_to_float(0x0001), 0x1p-24F);
  EXPECT_EQ(half_to_float(0x83ff), -1023 * 0x1p-24F);
  EXPECT_EQ(half_to_float(0x7c00), infinity_f);
  EXPECT_EQ(half_to_float(0xfc00), -infinity_f);
  EXPECT_TRUE(std::isnan(half_to_float(0x7c01)));
  EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
  EXPECT_EQ(bfloat16_to_float(0x3f80), 1.0F);
  EXPECT_EQ(bfloat16_to_float(0x7f80), infinity_f);
}

TEST(Half, TiesGoToEven) {
  EXPECT_EQ(float_to_half(1 + 0x1p-11F), 0x3c00);                 // between 1 and the next: 1 is even
  EXPECT_EQ(float_to_half(1 + 3 * 0x1p-11F), 0x3c02);             // between the next two: the upper is
  EXPECT_EQ(float_to_half(1 + 0x1p-11F + 0x1p-23F), 0x3c01);      // just past a tie
  EXPECT_EQ(float_to_half(1 + 3 * 0x1p-11F - 0x1p-23F), 0x3c01);  // just before one
  EXPECT_EQ(float_to_half(2 - 0x1p-12F), 0x4000);                 // carries into the exponent
  EXPECT_EQ(float_to_bfloat16(1 + 0x1p-8F), 0x3f80);
  EXPECT_EQ(float_to_bfloat16(1 + 3 * 0x1p-8F), 0x3f82);
  EXPECT_EQ(float_to_bfloat16(1 + 0x1p-8F + 0x1p-23F), 0x3f81);
}

TEST(Half, TooLargeIsInfinity) {
  EXPECT_EQ(float_to_half(65519.0F), 0x7bff);
  EXPECT_EQ(float_to_half(65520.0F), 0x7c00);  // a tie, and the even neighbour is infinity_f
  EXPECT_EQ(float_to_half(-1e30F), 0xfc00);
  EXPECT_EQ(float_to_half(infinity_f), 0x7c00);
  EXPECT_EQ(float_to_bfloat16(std::numeric_limits<float>::max()), 0x7f80);
}

TEST(Half, SmallNumbersBecomeSubnormalAndThenZero) {
  EXPECT_EQ(float_to_half(0x1p-15F), 0x0200);
  EXPECT_EQ(float_to_half(0x1p-24F), 0x0001);
  EXPECT_EQ(float_to_half(0x1p-25F), 0x0000);  // a tie
  EXPECT_EQ(float_to_half(0x1.000002p-25F), 0x0001);
  EXPECT_EQ(float_to_half(3 * 0x1p-25F), 0x0002);
  EXPECT_EQ(float_to_half(0x1p-14F - 0x1p-26F), 0x0400);  // rounds up to the smallest normal number
  EXPECT_EQ(float_to_half(-0x1p-30F), 0x8000);
  EXPECT_EQ(float_to_half(-0.0F), 0x8000);
}

TEST(Half, NanStaysNan) {
  for (const std::uint32_t bits : {0x7f800001U, 0x7fc00000U, 0xff801000U, 0xffffffffU}) {
    const auto nan_f = std::bit_cast<float>(bits);
    EXPECT_TRUE(std::isnan(half_to_float(float_to_half(nan_f))));
    EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(nan_f))));
    EXPECT_EQ(float_to_half(nan_f) >> 15, bits >> 31);
  }
}

/// The two ways to round are written differently on purpose: every float that a half can come from, and its neighbours.
TEST(Half, AgreesWithTheGeneralRounding) {
  const SmallFormat& half = *small_format_of(DType::f16);
  const SmallFormat& brain = *small_format_of(DType::bf16);
  for (std::uint64_t i = 0; i < (UINT64_C(1) << 32); i += 4093) {
    for (const std::uint64_t ties : {i, i | 0x1000, i & ~UINT64_C(0xfff), i & ~UINT64_C(0x7fff)}) {
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(ties));
      if (std::isnan(value)) continue;
      ASSERT_EQ(float_to_half(value), encode_small(half, value)) << value;
      ASSERT_EQ(float_to_bfloat16(value), encode_small(brain, value)) << value;
    }
  }
}

TEST(SmallFloat, EveryCodeGoesThereAndBack) {
  for (int type = 0; type <= static_cast<int>(DType::f4e2m1); ++type) {
    const SmallFormat* format = small_format_of(static_cast<DType>(type));
    if (format == nullptr) continue;
    for (std::uint32_t code = 0; code < (1U << bits_of(static_cast<DType>(type))); ++code) {
      const double value = decode_small(*format, static_cast<std::uint16_t>(code));
      if (!std::isfinite(value)) continue;
      ASSERT_EQ(encode_small(*format, value), code) << name_of(static_cast<DType>(type));
    }
  }
}

TEST(Float8, ValuesFromTheTablesOfOnnx) {
  const auto value = [](int bits, DType type) {
    return float8_to_float(static_cast<std::uint8_t>(bits), static_cast<int>(type));
  };
  EXPECT_EQ(value(0x7e, DType::f8e4m3fn), 448.0F);
  EXPECT_TRUE(std::isnan(value(0x7f, DType::f8e4m3fn)));
  EXPECT_TRUE(std::isnan(value(0xff, DType::f8e4m3fn)));
  EXPECT_EQ(value(0x01, DType::f8e4m3fn), 0x1p-9F);
  EXPECT_EQ(value(0x38, DType::f8e4m3fn), 1.0F);
  EXPECT_EQ(value(0x7f, DType::f8e4m3fnuz), 240.0F);
  EXPECT_TRUE(std::isnan(value(0x80, DType::f8e4m3fnuz)));
  EXPECT_EQ(value(0x01, DType::f8e4m3fnuz), 0x1p-10F);
  EXPECT_EQ(value(0x7b, DType::f8e5m2), 57344.0F);
  EXPECT_EQ(value(0x7c, DType::f8e5m2), infinity_f);
  EXPECT_EQ(value(0xfc, DType::f8e5m2), -infinity_f);
  EXPECT_TRUE(std::isnan(value(0x7d, DType::f8e5m2)));
  EXPECT_EQ(value(0x01, DType::f8e5m2), 0x1p-16F);
  EXPECT_EQ(value(0xff, DType::f8e5m2fnuz), -57344.0F);
  EXPECT_TRUE(std::isnan(value(0x80, DType::f8e5m2fnuz)));
  EXPECT_EQ(value(0x01, DType::f8e5m2fnuz), 0x1p-17F);
  EXPECT_TRUE(std::isnan(value(0x01, DType::f32)));  // not of the family
  EXPECT_TRUE(std::isnan(value(0x01, DType::f16)));
}

}  // namespace
}  // namespace culprit
