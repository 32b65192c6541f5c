// Sounds against Python's soundfile, soxr and the formula of wav2vec2's feature extractor.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/random.h"
#include "sound/read_sound.h"
#include "sound/resample.h"
#include "sound/sound_preparation.h"
#include "unit/values/sound/made_sound.h"

// libsndfile 1.2.0 forgets what libvorbis made of an OGG that it then refuses. A reader of ours that is not closed is
// told all the same: libsndfile's own memory has no such exception.
extern "C" const char* __lsan_default_suppressions() { return "leak:libvorbis.so"; }  // NOLINT: the sanitizer's name

namespace culprit {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

std::string sounds_folder() { return std::string(CULPRIT_SOURCE) + "/tests/golden/sounds/"; }

json sounds_of(const std::string& key) {
  std::ifstream file(sounds_folder() + "sounds.json");
  return json::parse(file).at(key);
}

TEST(SoundGolden, FilesAreReadAsSoundfileReadsThem) {
  const json files = sounds_of("files");
  ASSERT_EQ(files.size(), 4U);
  for (const json& one : files) {
    const std::string name = one["name"];
    const auto sound = read_sound(sounds_folder() + name);
    ASSERT_TRUE(sound) << sound.error().text();
    EXPECT_EQ(sound->rate, one["rate"]) << name;
    EXPECT_EQ(sound->channels, one["channels"]) << name;
    EXPECT_EQ(sound->samples.size(), one["count"].get<std::size_t>() * one["channels"].get<std::size_t>()) << name;
    const double error = name.ends_with(".ogg") ? 1e-5 : 0;  // decoders of Vorbis differ in the order of their sums
    const auto samples = one["samples"].get<std::vector<float>>();
    for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_NEAR(sound->samples.at(i), samples[i], error) << name << i;
  }
}

TEST(SoundGolden, AHeaderThatTellsOfMoreSamplesIsNotBelieved) {
  std::string bytes = read_file(sounds_folder() + "mono.flac").value();
  ASSERT_EQ(static_cast<unsigned char>(bytes.at(25)), 500 % 256);  // the end of the 36 bits with the count of samples
  bytes[24] = 3;
  const auto sound = decode_sound(sound_bytes(bytes), "x");
  ASSERT_FALSE(sound);
  EXPECT_THAT(sound.error().text(), HasSubstr("it ends after 500 of 1012 samples"));
  bytes[23] = 1;
  EXPECT_FALSE(decode_sound(sound_bytes(bytes), "x"));
}

TEST(SoundGolden, DamagedFilesDoNoHarm) {
  Random random(3);
  for (const char* name : {"mono.flac", "pair.flac", "eight.flac", "mono.ogg"}) {
    const std::string whole = read_file(sounds_folder() + name).value();
    const auto size = static_cast<std::int64_t>(whole.size());
    const std::size_t half = whole.size() / 2;
    EXPECT_FALSE(decode_sound(sound_bytes(whole).subspan(0, half), name)) << name;
    for (int i = 0; i < 300; ++i) {
      std::string bytes = whole;
      for (int changes = 0; changes < 3; ++changes)
        bytes[static_cast<std::size_t>(random.between(4, size - 1))] = static_cast<char>(random.between(0, 255));
      const auto sound = decode_sound(sound_bytes(bytes), name);
      if (sound) {
        EXPECT_GT(sound->samples.size(), 0U);
      }
    }
  }
}

TEST(SoundGolden, RatesChangeAsSoxrChangesThem) {
  const json cases = sounds_of("resampled");
  ASSERT_EQ(cases.size(), 13U);
  for (const json& one : cases) {
    SCOPED_TRACE(one.dump().substr(0, 80));
    const auto after = resampled(made_noise(one["count"]), one["from"], one["to"]);
    ASSERT_TRUE(after) << after.error().text();
    ASSERT_EQ(after->size(), one["length"]);
    const auto samples = one["samples"].get<std::vector<float>>();
    const auto step = one["step"].get<std::size_t>();
    for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_NEAR(after->at(i * step), samples[i], 1e-6) << i * step;
  }
}

TEST(SoundGolden, SoundsAreNormalizedAsWav2vecsExtractorDoes) {
  const json cases = sounds_of("normalized");
  ASSERT_EQ(cases.size(), 5U);
  for (const json& one : cases) {
    Sound sound{16000, 1, made_noise(one["count"])};
    for (float& value : sound.samples) value *= one["gain"].get<float>();
    const auto tensor = prepare_sound(sound, {.normalize = true});
    ASSERT_TRUE(tensor) << tensor.error().text();
    const auto samples = one["samples"].get<std::vector<float>>();
    ASSERT_EQ(tensor->shape(), Shape{static_cast<std::int64_t>(samples.size())});
    for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_NEAR(tensor->as<float>()[i], samples[i], 2e-6) << i;
  }
}

}  // namespace
}  // namespace culprit
