#include "data/pictures_and_sounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/hash.h"
#include "data/synthesize.h"
#include "interfaces.h"

namespace culprit {
namespace {

Tensor drawn_at(const ValueInfo& info, const SynthesisPlan& plan = {}, std::int64_t index = 0) {
  Interface interface;
  interface.inputs = {info};
  return synthesize(interface, plan, 7, index).value().inputs.at(0).value;
}

std::string hash_of(const Tensor& tensor) {
  return hash128({reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size()}).hex();
}

TEST(Signals, LayoutsOfPictures) {
  const auto nchw = picture_layout({2, 3, 20, 30});
  ASSERT_TRUE(nchw.has_value());
  EXPECT_TRUE(nchw->pictures == 2 && nchw->channels == 3 && nchw->height == 20 && nchw->width == 30);
  EXPECT_TRUE(picture_layout({1, 20, 30, 4})->channels_last);
  EXPECT_EQ(picture_layout({3, 20, 30})->channels, 3);
  for (const Shape& shape : {Shape{1, 3, 8, 30}, Shape{1, 5, 20, 30}, Shape{20, 30}, Shape{}})
    EXPECT_FALSE(picture_layout(shape).has_value()) << to_string(shape);
}

TEST(Signals, NeighboursInAPictureAreAlikeAndHalfIsNegative) {
  const Tensor x = drawn_at(value("x", DType::f32, {fixed(4), fixed(3), fixed(64), fixed(64)}));
  const auto v = x.as<float>();
  double squares = 0, steps = 0, negative = 0;
  for (std::size_t i = 0; i + 1 < v.size(); ++i) {
    squares += v[i] * v[i];
    steps += (v[i + 1] - v[i]) * (v[i + 1] - v[i]);
    negative += v[i] < 0 ? 1 : 0;
  }
  const auto count = static_cast<double>(v.size());
  EXPECT_NEAR(std::sqrt(squares / count), 1, 0.35);
  EXPECT_LT(steps / squares, 0.4) << "of white noise: 2";
  EXPECT_NEAR(negative / count, 0.5, 0.25);
}

TEST(Signals, BytesArePicturesToo) {
  const auto x = drawn_at(value("x", DType::u8, {fixed(32), fixed(32), fixed(3)}));
  const auto v = x.as<std::uint8_t>();
  EXPECT_GT(*std::ranges::max_element(v), 180);
  EXPECT_LT(*std::ranges::min_element(v), 80);
}

TEST(Signals, SoundStaysBetweenItsEndsAndSwings) {
  const Tensor x = drawn_at(value("x", DType::f32, {fixed(1), fixed(16000)}));
  double largest = 0;
  int crossings = 0;
  const auto v = x.as<float>();
  for (std::size_t i = 0; i + 1 < v.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(v[i])));
    crossings += (v[i] < 0) != (v[i + 1] < 0) ? 1 : 0;
  }
  EXPECT_LE(largest, 1);
  EXPECT_GT(largest, 0.2);
  EXPECT_LT(crossings, 6000) << "white noise crosses 8000 times";
  EXPECT_GT(crossings, 50);
}

TEST(Signals, TheSineIsASine) {
  for (double x = -3; x < 3; x += 0.01) EXPECT_NEAR(sine_of_turns(x), std::sin(6.283185307179586 * x), 1e-5) << x;
}

TEST(Signals, LaterSamplesHoldZerosOfBothSignsAndExtremes) {
  const auto info = value("x", DType::f32, {fixed(4000)});
  const auto count = [&](std::int64_t index, auto is_such) {
    const Tensor x = drawn_at(info, {}, index);
    return std::ranges::count_if(x.as<float>(), is_such);
  };
  const auto is_negative_zero = [](float v) { return v == 0 && std::signbit(v); };
  const auto is_positive_zero = [](float v) { return v == 0 && !std::signbit(v); };
  const auto is_large = [](float v) { return std::abs(v) > 10; };
  EXPECT_EQ(count(0, is_negative_zero) + count(0, is_positive_zero) + count(0, is_large), 0) << "the first is plain";
  EXPECT_GT(count(1, is_negative_zero), 50);
  EXPECT_GT(count(1, is_positive_zero), 50);
  EXPECT_EQ(count(1, is_large), 0);
  EXPECT_GT(count(2, is_large), 20);
  const Tensor plain = drawn_at(info, {.is_varied = false}, 2);
  EXPECT_EQ(std::ranges::count_if(plain.as<float>(), is_large), 0);
}

// The same on every machine: these hashes were computed once.
TEST(Signals, TheSameBitsEverywhere) {
  EXPECT_EQ(hash_of(drawn_at(value("picture", DType::f32, {fixed(1), fixed(3), fixed(20), fixed(20)}))),
            "62c951a702cfa6545a8d572875c6582a");
  EXPECT_EQ(hash_of(drawn_at(value("sound", DType::f32, {fixed(1), fixed(4096)}))), "34613c76db2f6d457a57f19627de4898");
  EXPECT_EQ(hash_of(drawn_at(value("x", DType::f32, {fixed(100)}), {}, 2)), "d4bd5e543ce4c2ba4c966eb81ae5d8aa");
  EXPECT_EQ(hash_of(drawn_at(value("half", DType::f16, {fixed(100)}), {}, 2)), "fa688300ba69fb1cbd5b7f99bf875155");
  EXPECT_EQ(hash_of(drawn_at(value("ids", DType::i64, {fixed(100)}))), "13e44aa85f49426f3a8d4758e173ba80");
}

}  // namespace
}  // namespace culprit
