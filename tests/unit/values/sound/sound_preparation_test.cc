#include "sound/sound_preparation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "sound/resample.h"
#include "unit/values/sound/made_sound.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Sound counting(int count) {
  Sound sound{16000, 1, {}};
  for (int i = 1; i <= count; ++i) sound.samples.push_back(static_cast<float>(i));
  return sound;
}

std::vector<float> prepared(int count, const SoundPreparation& preparation, const Shape& shape) {
  const auto tensor = prepare_sound(counting(count), preparation);
  if (!tensor) ADD_FAILURE() << tensor.error().text();
  if (!tensor) return {};
  EXPECT_EQ(tensor->shape(), shape);
  EXPECT_EQ(tensor->dtype(), DType::f32);
  return {tensor->as<float>().begin(), tensor->as<float>().end()};
}

std::string preparing_complaint(const SoundPreparation& preparation) {
  const auto tensor = prepare_sound(counting(4), preparation);
  return tensor ? "" : tensor.error().text();
}

TEST(Resampled, EqualRatesChangeNothing) {
  EXPECT_EQ(resampled({1, 2, 3}, 16000, 16000).value(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(resampled({}, 8000, 16000).value(), std::vector<float>{});
}

TEST(Resampled, RatesAreNotBelieved) {
  for (const std::int64_t rate : {std::int64_t{-1}, std::int64_t{0}, std::int64_t{999}, std::int64_t{768001},
                                  std::numeric_limits<std::int64_t>::max()}) {
    EXPECT_FALSE(resampled({1}, rate, 16000)) << rate;
    EXPECT_FALSE(resampled({1}, 16000, rate)) << rate;
  }
  const auto much = resampled(std::vector<float>(400'000), 1000, 768'000);
  ASSERT_FALSE(much);
  EXPECT_THAT(much.error().text(), HasSubstr("400000 samples at 1000 Hz would be more than 268435456 at 768000 Hz"));
}

TEST(PrepareSound, WholeAsItIs) {
  EXPECT_THAT(prepared(3, {}, {3}), ElementsAre(1, 2, 3));
  EXPECT_THAT(prepared(3, {.scale = 0.5}, {3}), ElementsAre(0.5, 1, 1.5));
}

TEST(PrepareSound, ChannelsAreMixedBeforeTheRateChanges) {
  const Sound pair{8000, 2, {0, 1, 0.5F, 0.5F, 1, 0, 0.25F, 0.75F}};
  const auto tensor = prepare_sound(pair, {.rate = 16000});
  ASSERT_TRUE(tensor) << tensor.error().text();
  const auto mono = resampled({0.5, 0.5, 0.5, 0.5}, 8000, 16000).value();
  EXPECT_EQ((std::vector<float>(tensor->as<float>().begin(), tensor->as<float>().end())), mono);
  EXPECT_EQ(tensor->shape(), Shape{8});
}

TEST(PrepareSound, NormalizedAndThenScaled) {
  const auto samples = prepared(2, {.normalize = true, .scale = 4}, {2});
  EXPECT_NEAR(samples.at(0), -4, 1e-5);  // the variance is 0.25
  EXPECT_NEAR(samples.at(1), 4, 1e-5);
}

TEST(PrepareSound, WindowsHoldAllSamples) {
  EXPECT_THAT(prepared(4, {.window = 2}, {2, 2}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(prepared(5, {.window = 2}, {3, 2}), ElementsAre(1, 2, 3, 4, 5, 0));
  EXPECT_THAT(prepared(1, {.window = 3}, {1, 3}), ElementsAre(1, 0, 0));
}

TEST(PrepareSound, HopsShorterThanAWindow) {
  EXPECT_THAT(prepared(5, {.window = 3, .hop = 2}, {2, 3}), ElementsAre(1, 2, 3, 3, 4, 5));
  EXPECT_THAT(prepared(6, {.window = 3, .hop = 2}, {3, 3}), ElementsAre(1, 2, 3, 3, 4, 5, 5, 6, 0));
}

TEST(PrepareSound, ContextStandsInFrontOfEachWindow) {
  EXPECT_THAT(prepared(5, {.window = 2, .context = 1}, {3, 3}), ElementsAre(0, 1, 2, 2, 3, 4, 4, 5, 0));
  EXPECT_THAT(prepared(5, {.window = 2, .context = 3}, {3, 5}),
              ElementsAre(0, 0, 0, 1, 2, 0, 1, 2, 3, 4, 2, 3, 4, 5, 0));
}

TEST(PrepareSound, WhatMakesNoSenseSaysSo) {
  EXPECT_THAT(preparing_complaint({.hop = 2}), HasSubstr("go with 'window'"));
  EXPECT_THAT(preparing_complaint({.context = 2}), HasSubstr("go with 'window'"));
  EXPECT_THAT(preparing_complaint({.window = 2, .hop = 3}), HasSubstr("must not be more than 'window'"));
  EXPECT_THAT(preparing_complaint({.window = -1}), HasSubstr("'window' must be at most"));
  EXPECT_THAT(preparing_complaint({.window = 1 << 25}), HasSubstr("'window' must be at most"));
  EXPECT_THAT(preparing_complaint({.rate = 5}), HasSubstr("'resample' must be from 1000 to 768000"));
  EXPECT_THAT(preparing_complaint({.scale = 0}), HasSubstr("'scale'"));
  EXPECT_THAT(preparing_complaint({.scale = std::numeric_limits<double>::infinity()}), HasSubstr("'scale'"));
  EXPECT_EQ(preparing_complaint({.window = 3, .hop = 3}), "");
}

TEST(PrepareSound, TooShortAndTooManyWindows) {
  const auto lost = prepare_sound({44100, 1, {1}}, {.rate = 16000});
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().kind, ErrorKind::bad_input);
  EXPECT_THAT(lost.error().text(), HasSubstr("no sample of the sound is left at 16000 Hz"));
  const auto many = prepare_sound(counting(100'000), {.window = 10'000, .hop = 1});
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error().text(), HasSubstr("90001 windows of 10000 samples are too many"));
}

TEST(PrepareSound, PresetsByName) {
  EXPECT_EQ(sound_preparation_named("wav2vec").value(), (SoundPreparation{.rate = 16000, .normalize = true}));
  EXPECT_EQ(sound_preparation_named("silero").value(), (SoundPreparation{.rate = 16000, .window = 512, .context = 64}));
  EXPECT_THAT(sound_preparation_named("wave2vec").error().text(), HasSubstr("did you mean 'wav2vec'?"));
  EXPECT_THAT(sound_preparation_named("zz").error().text(), HasSubstr("there are wav2vec, silero"));
  EXPECT_EQ(prepare_sound(counting(1025), sound_preparation_named("silero").value()).value().shape(), (Shape{3, 576}));
}

}  // namespace
}  // namespace culprit
