#include "tensor/tensor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(ElementCount, MultipliesAndMistrusts) {
  EXPECT_EQ(element_count({}).value(), 1);
  EXPECT_EQ(element_count({2, 3, 4}).value(), 24);
  EXPECT_EQ(element_count({2, 0, 4}).value(), 0);
  EXPECT_EQ(element_count({INT64_MAX}).value(), INT64_MAX);
  EXPECT_EQ(element_count({INT64_C(1) << 40, INT64_C(1) << 40, 0}).value(), 0);
  EXPECT_THAT(element_count({INT64_C(1) << 32, INT64_C(1) << 31}).error().message,
              HasSubstr("[4294967296,2147483648]"));
  EXPECT_THAT(element_count({2, -1}).error().message, HasSubstr("negative"));
  EXPECT_FALSE(element_count({0, -1}));
}

TEST(BytesFor, RoundsNibblesUpAndNeverWraps) {
  EXPECT_EQ(bytes_for(DType::f32, 3), 12U);
  EXPECT_EQ(bytes_for(DType::i4, 0), 0U);
  EXPECT_EQ(bytes_for(DType::i4, 3), 2U);
  EXPECT_EQ(bytes_for(DType::u4, INT64_MAX), UINT64_C(1) << 62);
  EXPECT_EQ(bytes_for(DType::string, 3), 0U);
  EXPECT_EQ(bytes_for(DType::f64, INT64_MAX), UINT64_MAX);
}

TEST(ShapeText, IsShort) {
  EXPECT_EQ(to_string(Shape{1, 3, 224, 224}), "[1,3,224,224]");
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_LT(to_string(Shape(1'000'000, 1)).size(), 200U);
}

TEST(Tensor, TakesExactlyTheBytesItNeeds) {
  const auto made = Tensor::from_bytes(DType::i16, {2}, bytes({1, 0, 0xff, 0xff})).value();
  EXPECT_EQ(made.dtype(), DType::i16);
  EXPECT_EQ(made.count(), 2);
  EXPECT_THAT(made.as<std::int16_t>(), ElementsAre(1, -1));
  const auto few = Tensor::from_bytes(DType::f32, {2}, bytes({1, 2, 3, 4}));
  EXPECT_EQ(few.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(few.error().message, ::testing::AllOf(HasSubstr("float32[2]"), HasSubstr("8 bytes"), HasSubstr("has 4")));
  EXPECT_FALSE(Tensor::from_bytes(DType::u8, {1}, bytes({1, 2})));
  EXPECT_FALSE(Tensor::from_bytes(DType::i4, {3}, bytes({1})));
  EXPECT_FALSE(Tensor::from_bytes(DType::u8, {-1}, {}));
  EXPECT_FALSE(Tensor::from_bytes(DType::f64, {INT64_MAX}, {}));
  EXPECT_FALSE(Tensor::from_bytes(DType::string, {0}, {}));
  EXPECT_FALSE(Tensor::from_bytes(DType::undefined, {0}, {}));
}

TEST(Tensor, ScalarsAndEmptyTensors) {
  EXPECT_EQ(Tensor::of<float>({}, {7}).count(), 1);
  const auto empty = Tensor::of<float>({0, 3}, {});
  EXPECT_EQ(empty.count(), 0);
  EXPECT_THAT(empty.bytes(), IsEmpty());
  EXPECT_THROW(Tensor::of<float>({2}, {1}), tl::bad_expected_access<Error>);
  EXPECT_EQ(Tensor().dtype(), DType::undefined);
  EXPECT_EQ(Tensor().count(), 0);
}

TEST(Tensor, StringsAreCounted) {
  const auto made = Tensor::from_strings({2, 1}, {"a", "b"}).value();
  EXPECT_THAT(made.strings(), ElementsAre("a", "b"));
  EXPECT_THAT(made.bytes(), IsEmpty());
  EXPECT_TRUE(std::isnan(made.number(0)));
  EXPECT_FALSE(Tensor::from_strings({3}, {"a"}));
  EXPECT_THAT(Tensor::of<float>({1}, {1}).strings(), IsEmpty());
}

TEST(Tensor, ViewKeepsItsOwnerAlive) {
  auto owner = std::make_shared<std::vector<float>>(std::vector<float>{1, 2});
  const std::weak_ptr<void> watch = owner;
  const auto* place = owner->data();
  auto view = Tensor::view(DType::f32, {2}, std::as_bytes(std::span(*owner)), owner).value();
  owner.reset();
  EXPECT_FALSE(watch.expired());
  EXPECT_EQ(view.as<float>().data(), place);  // no copy
  view = Tensor();
  EXPECT_TRUE(watch.expired());
}

TEST(Tensor, ViewOfCrookedBytesIsAligned) {
  auto owner = std::make_shared<std::vector<std::byte>>(17, std::byte{1});
  const auto view = Tensor::view(DType::f64, {2}, std::span<const std::byte>(*owner).subspan(1), owner).value();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(view.bytes().data()) % alignof(double), 0U);
  EXPECT_EQ(view.as<double>().size(), 2U);
}

TEST(Tensor, NumberReadsEveryType) {
  EXPECT_THAT(numbers(Tensor::of<float>({2}, {1.5F, -2})), ElementsAre(1.5, -2));
  EXPECT_THAT(numbers(Tensor::of<double>({1}, {1e300})), ElementsAre(1e300));
  EXPECT_THAT(numbers(Tensor::of<std::int8_t>({1}, {-128})), ElementsAre(-128));
  EXPECT_THAT(numbers(Tensor::of<std::uint8_t>({1}, {255})), ElementsAre(255));
  EXPECT_THAT(numbers(Tensor::of<std::int16_t>({1}, {-300})), ElementsAre(-300));
  EXPECT_THAT(numbers(Tensor::of<std::uint16_t>({1}, {65535})), ElementsAre(65535));
  EXPECT_THAT(numbers(Tensor::of<std::int32_t>({1}, {-70000})), ElementsAre(-70000));
  EXPECT_THAT(numbers(Tensor::of<std::uint32_t>({1}, {4000000000})), ElementsAre(4e9));
  EXPECT_THAT(numbers(Tensor::of<std::int64_t>({1}, {INT64_MIN})), ElementsAre(-0x1p63));
  EXPECT_THAT(numbers(Tensor::of<std::uint64_t>({1}, {UINT64_MAX})), ElementsAre(0x1p64));
  EXPECT_THAT(numbers(raw(DType::boolean, {2}, {0, 1})), ElementsAre(0, 1));
  EXPECT_THAT(numbers(raw(DType::f16, {1}, {0x00, 0x3c})), ElementsAre(1));
  EXPECT_THAT(numbers(raw(DType::bf16, {1}, {0x80, 0xbf})), ElementsAre(-1));
  EXPECT_THAT(numbers(raw(DType::u4, {3}, {0xf1, 0x07})), ElementsAre(1, 15, 7));
  EXPECT_THAT(numbers(raw(DType::i4, {3}, {0xf1, 0x08})), ElementsAre(1, -1, -8));
  EXPECT_THAT(numbers(raw(DType::f4e2m1, {3}, {0xf1, 0x02})), ElementsAre(0.5, -6, 1));
  EXPECT_THAT(numbers(raw(DType::f8e4m3fn, {1}, {0x38})), ElementsAre(1));
  EXPECT_THAT(numbers(raw(DType::f8e5m2fnuz, {1}, {0x40})), ElementsAre(1));
}

TEST(Tensor, IdenticalIsAboutBits) {
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(Tensor::of<float>({2}, {nan, 1}).identical(Tensor::of<float>({2}, {nan, 1})));
  EXPECT_FALSE(Tensor::of<float>({1}, {0.0F}).identical(Tensor::of<float>({1}, {-0.0F})));
  EXPECT_FALSE(Tensor::of<float>({2}, {1, 2}).identical(Tensor::of<float>({2, 1}, {1, 2})));
  EXPECT_FALSE(Tensor::of<std::int32_t>({1}, {0}).identical(Tensor::of<float>({1}, {0})));
  EXPECT_TRUE(raw(DType::i4, {3}, {0x21, 0xf3}).identical(raw(DType::i4, {3}, {0x21, 0x03})));  // padding
  EXPECT_FALSE(raw(DType::i4, {3}, {0x21, 0x03}).identical(raw(DType::i4, {3}, {0x21, 0x04})));
  EXPECT_FALSE(raw(DType::i4, {3}, {0x21, 0x03}).identical(raw(DType::i4, {3}, {0x31, 0x03})));
  EXPECT_TRUE(Tensor::from_strings({1}, {"a"})->identical(*Tensor::from_strings({1}, {"a"})));
  EXPECT_FALSE(Tensor::from_strings({1}, {"a"})->identical(*Tensor::from_strings({1}, {"b"})));
  EXPECT_TRUE(Tensor::of<float>({0}, {}).identical(Tensor::of<float>({0}, {})));
}

}  // namespace
}  // namespace culprit
