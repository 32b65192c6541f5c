#include "data/synthesize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "interfaces.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using Dims = std::map<std::string, std::int64_t>;

std::vector<SynthesisPlan> plans(std::vector<ValueInfo> inputs, const SynthesisPlan& given = {}) {
  std::vector<SynthesisPlan> found;
  for (const LikelyPlan& likely : likely_plans(interface_with(std::move(inputs)), given, 12))
    found.push_back(likely.plan);
  return found;
}

Tensor drawn(const ValueInfo& info, const SynthesisPlan& plan = {}, std::uint64_t seed = 1, std::int64_t index = 0) {
  return synthesize(interface_with({info}), plan, seed, index).value().inputs.at(0).value;
}

TEST(Synthesize, FloatsLookStandardNormal) {
  const Tensor x = drawn(value("x", DType::f32, {fixed(10000)}));
  double sum = 0, squares = 0;
  for (const float v : x.as<float>()) sum += v, squares += v * v;
  EXPECT_NEAR(sum / 10000, 0, 0.05);
  EXPECT_NEAR(squares / 10000, 1, 0.05);
}

TEST(Synthesize, TheSameSeedGivesTheSameValuesEverywhere) {
  const Tensor x = drawn(value("x", DType::f32, {fixed(3)}), {}, 7, 2);
  EXPECT_TRUE(x.identical(drawn(value("x", DType::f32, {fixed(3)}), {}, 7, 2)));
  EXPECT_FALSE(x.identical(drawn(value("x", DType::f32, {fixed(3)}), {}, 8, 2)));
  EXPECT_FALSE(x.identical(drawn(value("x", DType::f32, {fixed(3)}), {}, 7, 3)));
  EXPECT_FALSE(x.identical(drawn(value("z", DType::f32, {fixed(3)}), {}, 7, 2)));
}

TEST(Synthesize, ValuesDoNotDependOnTheOtherInputs) {
  const auto x = value("x", DType::f32, {fixed(3)});
  const auto both = synthesize(interface_with({value("a", DType::f32, {fixed(5)}), x}), {}, 1, 0).value();
  EXPECT_TRUE(input(both, "x").identical(drawn(x)));
}

TEST(Synthesize, EveryTypeGetsItsOwnValues) {
  for (const DType type :
       {DType::f16, DType::bf16, DType::f64, DType::f8e4m3fn, DType::f8e5m2, DType::i4, DType::u4, DType::i8,
        DType::i16, DType::u16, DType::i32, DType::u8, DType::u64, DType::boolean, DType::string}) {
    const Tensor x = drawn(value("x", type, {fixed(2), fixed(3)}));
    EXPECT_EQ(x.dtype(), type);
    EXPECT_EQ(x.count(), 6) << name_of(type);
  }
  EXPECT_FALSE(drawn(value("x", DType::string, {fixed(1)})).strings()[0].empty());
  const Tensor bits = drawn(value("x", DType::boolean, {fixed(100)}));
  EXPECT_EQ(std::set<double>({0, 1}), [&] {
    std::set<double> seen;
    for (std::int64_t i = 0; i < 100; ++i) seen.insert(bits.number(i));
    return seen;
  }());
}

TEST(Synthesize, ScalarsAndEmptyTensors) {
  for (const DType type : {DType::f32, DType::f16, DType::i64, DType::i4, DType::boolean, DType::string}) {
    EXPECT_EQ(drawn(value("x", type, {})).count(), 1) << name_of(type);
    EXPECT_EQ(drawn(value("x", type, {fixed(0), fixed(3)})).shape(), (Shape{0, 3})) << name_of(type);
    SynthesisPlan ruled;
    ruled.rules["x"].high = 3;
    const bool has_numbers = type != DType::string;
    if (has_numbers) {
      EXPECT_EQ(drawn(value("x", type, {fixed(0)}), ruled).count(), 0) << name_of(type);
      EXPECT_EQ(drawn(value("x", type, {}), ruled).dtype(), type) << name_of(type);
    }
    for (const auto way : {Rule::Way::mask, Rule::Way::positions, Rule::Way::distinct, Rule::Way::either}) {
      ruled.rules["x"].way = way;
      if (has_numbers) {
        EXPECT_EQ(drawn(value("x", type, {fixed(0)}), ruled, 1, 1).count(), 0) << name_of(type);
        EXPECT_EQ(drawn(value("x", type, {fixed(2), fixed(0)}), ruled, 1, 1).count(), 0) << name_of(type);
      }
    }
  }
}

TEST(Synthesize, IntegersStayInThePlansRangeAndPicturesUseTheirOwn) {
  const Tensor ids = drawn(value("ids", DType::i64, {fixed(100)}), {.integer_low = 3, .integer_high = 5});
  EXPECT_EQ(*std::ranges::min_element(ids.as<std::int64_t>()), 3);
  EXPECT_EQ(*std::ranges::max_element(ids.as<std::int64_t>()), 5);
  const Tensor picture = drawn(value("picture", DType::u8, {fixed(32), fixed(32), fixed(3)}));
  EXPECT_GT(*std::ranges::max_element(picture.as<std::uint8_t>()), 200);
}

TEST(Synthesize, WhatCannotBeMadeUpNamesTheInputAndTheFlag) {
  ValueInfo rankless = value("mystery", DType::f32, {});
  rankless.has_shape = false;
  ValueInfo sequence = value("list", DType::f32, {});
  sequence.kind = ValueInfo::Kind::sparse_tensor;
  for (const ValueInfo& info : {rankless, sequence}) {
    const auto sample = synthesize(interface_with({info}), {}, 1, 0);
    ASSERT_FALSE(sample);
    EXPECT_EQ(sample.error().kind, ErrorKind::unsupported);
    EXPECT_THAT(sample.error().message, HasSubstr("'" + info.name));
    EXPECT_THAT(sample.error().hint, HasSubstr("--input " + info.name));
  }
}

TEST(Synthesize, AHostileSizeIsRefusedNotAllocated) {
  const auto huge =
      synthesize(interface_with({value("x", DType::f32, {fixed(1LL << 40), fixed(1LL << 40)})}), {}, 1, 0);
  ASSERT_FALSE(huge);
  EXPECT_THAT(huge.error().message, HasSubstr("'x' would have the shape"));
  EXPECT_FALSE(synthesize(interface_with({value("x", DType::f32, {fixed(1LL << 36)})}), {}, 1, 0));
  for (const std::int64_t texts : {1LL << 32, 1LL << 41}) {
    EXPECT_FALSE(synthesize(interface_with({value("x", DType::string, {fixed(texts)})}), {}, 1, 0)) << texts;
  }
}

TEST(Synthesize, MemoryIsCountedAsElementsAreDrawn) {
  EXPECT_EQ(bytes_while_drawn(DType::f32, 100), 400U);
  EXPECT_EQ(bytes_while_drawn(DType::f16, 100), 400U);
  EXPECT_EQ(bytes_while_drawn(DType::u8, 100), 800U);
  EXPECT_EQ(bytes_while_drawn(DType::boolean, 100), 100U);
  EXPECT_EQ(bytes_while_drawn(DType::string, 100), 100 * sizeof(std::string));
  EXPECT_EQ(bytes_while_drawn(DType::u8, std::numeric_limits<std::int64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
}

TEST(Plans, AFixedInterfaceNeedsOne) {
  EXPECT_EQ(plans({value("x", DType::f32, {fixed(1), fixed(3)})}).size(), 1U);
  EXPECT_EQ(plans({}).size(), 1U);
}

TEST(Plans, BatchesAreOneFirst) {
  for (const auto& name : {"batch", "N", "batch_size", "unk__749", "None", "?", ""}) {
    const auto info = value("x", DType::f32, {open(name), fixed(3), fixed(8), fixed(8)});
    const auto first = plans({info}).front();
    EXPECT_EQ(first.dims.at(dim_key(info, 0)), 1) << name;
  }
}

TEST(Plans, OtherLengthsAreDistinctPrimesFirstAndEqualLater) {
  const auto all = plans({value("src", DType::f32, {open("batch"), open("src_len"), fixed(8)}),
                          value("tgt", DType::f32, {open("batch"), open("tgt_len"), fixed(8)})});
  EXPECT_EQ(all[0].dims, (Dims{{"batch", 1}, {"src_len", 5}, {"tgt_len", 7}}));
  EXPECT_TRUE(std::ranges::any_of(all, [](const auto& p) { return p.dims.at("src_len") == p.dims.at("tgt_len"); }));
  EXPECT_TRUE(
      std::ranges::any_of(all, [](const auto& p) { return p.dims.at("src_len") == 2 && p.dims.at("tgt_len") == 3; }));
}

TEST(Plans, PicturesGetSidesOfPictures) {
  const auto nchw = plans({value("x", DType::f32, {open("N"), fixed(3), open(), open()})});
  EXPECT_EQ(nchw[0].dims, (Dims{{"N", 1}, {"x.2", 224}, {"x.3", 224}}));
  const auto nhwc = plans({value("x", DType::f32, {open("N"), open("a"), open("b"), fixed(3)})});
  EXPECT_EQ(nhwc[0].dims, (Dims{{"N", 1}, {"a", 224}, {"b", 224}}));
  EXPECT_EQ(plans({value("x", DType::f32, {open("height"), open("width")})})[0].dims.at("width"), 224);
}

TEST(Plans, SileroRunsOnTheFirst) {
  const auto first = plans(silero_inputs()).front();
  EXPECT_EQ(first.dims, (Dims{{"input.0", 1}, {"input.1", 512}, {"state.1", 1}}));
  EXPECT_EQ(first.values, (Dims{{"sr", 16000}}));
  EXPECT_EQ(describe(first, interface_with(silero_inputs())), "input.0=1, input.1=512, state.1=1, sr=16000");
}

TEST(Plans, SamplingRatesHaveTwoLikelyValues) {
  const auto all = plans({value("sample_rate", DType::i64, {})});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].values.at("sample_rate"), 16000);
  EXPECT_EQ(all[1].values.at("sample_rate"), 8000);
}

TEST(Plans, IntegersAreTriedAsZeroOrOneThenZeroThenOneAndMore) {
  const auto all = plans({value("ids", DType::i64, {fixed(4)})});
  ASSERT_EQ(all.size(), 3U);
  const auto range = [&](std::size_t i) { return std::pair(all[i].integer_low, all[i].integer_high); };
  EXPECT_EQ(range(0), std::pair(std::int64_t{0}, std::int64_t{1}));
  EXPECT_EQ(range(1), std::pair(std::int64_t{0}, std::int64_t{0}));
  EXPECT_EQ(range(2), std::pair(std::int64_t{1}, std::int64_t{2}));
}

TEST(Plans, SizesAndValuesShareTheLimit) {
  const auto all = plans({value("ids", DType::i64, {open("batch"), open("sequence")})});
  EXPECT_EQ(all.size(), 12U);
  EXPECT_NE(all[0].dims, all[1].dims) << "sizes are varied before values";
  std::set<std::int64_t> lows;
  for (const auto& plan : all) lows.insert(plan.integer_low);
  EXPECT_EQ(lows.size(), 2U) << "values are varied as well";
}

TEST(Plans, GivenSizesAreKept) {
  for (const auto& plan : plans({value("x", DType::f32, {open("batch"), open("t")})}, {.dims = {{"batch", 4}}})) {
    EXPECT_EQ(plan.dims.at("batch"), 4);
  }
}

TEST(Plans, ANegativeSizeIsAnOpenOne) {
  EXPECT_EQ(plans({value("x", DType::f32, {fixed(-1), fixed(3)})})[0].dims, (Dims{{"x.0", 1}}));
}

TEST(Synthesize, SoundOf16BitsIsLoudAndOfBothSigns) {
  const Tensor sound = drawn(value("audio", DType::i16, {fixed(1), fixed(8000)}));
  double most = 0, least = 0;
  for (std::int64_t i = 0; i < sound.count(); ++i) {
    most = std::max(most, sound.number(i));
    least = std::min(least, sound.number(i));
  }
  EXPECT_GT(most, 2000);
  EXPECT_LT(least, -2000);
}

/// How often it was asked whether to stop, which it was told at the question `last`.
std::pair<int, Result<Sample>> stopped_at(int last, const ValueInfo& info, const SynthesisPlan& plan = {}) {
  int asked = 0;
  auto sample = synthesize(interface_with({info}), plan, 1, 1, [&] { return ++asked >= last; });
  return {asked, std::move(sample)};
}

TEST(Synthesize, ALargeOneIsStoppedWithin) {
  const std::int64_t blocks = 16, count = blocks * static_cast<std::int64_t>(stop_block);
  Rule rule;
  rule.high = 100;
  for (const DType type : {DType::f32, DType::f64, DType::i64, DType::boolean, DType::u8}) {
    const auto x = value("x", type, {fixed(count)});
    for (const SynthesisPlan& plan : {SynthesisPlan{}, SynthesisPlan{.rules = {{"x", rule}}}}) {
      const auto [asked, sample] = stopped_at(3, x, plan);
      ASSERT_FALSE(sample) << name_of(type);
      EXPECT_EQ(sample.error().kind, ErrorKind::interrupted);
      EXPECT_LE(asked, 6) << name_of(type);
    }
  }
  const auto picture = value("x", DType::f32, {fixed(8), fixed(3), fixed(64), fixed(64)});
  const auto sound = value("x", DType::f32, {fixed(1), fixed(count)});
  for (const auto& signal : {picture, sound}) EXPECT_FALSE(stopped_at(3, signal).second);
}

TEST(Synthesize, WhatIsNotStoppedIsWhole) {
  const auto x = value("x", DType::f32, {fixed(4 * static_cast<std::int64_t>(stop_block))});
  int asked = 0;
  const auto sample = synthesize(interface_with({x}), {}, 1, 0, [&] { return ++asked < 0; });
  ASSERT_TRUE(sample);
  EXPECT_GE(asked, 4);
  EXPECT_TRUE(input(*sample, "x").identical(drawn(x)));
}

}  // namespace
}  // namespace culprit
