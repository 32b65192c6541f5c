#include "sound/read_sound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "base/file.h"
#include "base/random.h"
#include "sound/sound_libraries.h"
#include "unit/values/sound/made_sound.h"

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Sound> sound_of(const std::string& bytes, SoundLimits limits = {}) {
  return decode_sound(sound_bytes(bytes), "a.wav", limits);
}

std::string sound_complaint(const std::string& bytes, SoundLimits limits = {}) {
  const auto sound = sound_of(bytes, limits);
  if (sound) return "";
  EXPECT_EQ(sound.error().kind, ErrorKind::bad_input);
  return sound.error().text();
}

std::string float_data(const std::vector<float>& values) {
  std::string data;
  for (const float value : values) data += wav_number(std::bit_cast<std::uint32_t>(value), 4);
  return data;
}

std::string whole_data(const std::vector<std::int64_t>& values, int bytes) {
  std::string data;
  for (const std::int64_t value : values) data += wav_number(static_cast<std::uint64_t>(value), bytes);
  return data;
}

std::string four_samples() { return MadeWav{.data = whole_data({1, 2, 3, 4}, 2)}.bytes(); }

TEST(ReadSound, EndingsInEitherCase) {
  for (const char* name : {"a.wav", "b/c.WAV", "x.flac", "x.Ogg"}) EXPECT_TRUE(is_sound_file(name)) << name;
  for (const char* name : {"a.mp3", "wav", "a.wav.npz", "a.png", ""}) EXPECT_FALSE(is_sound_file(name)) << name;
}

TEST(ReadSound, EachWidthBecomesMinusOneToOne) {
  const auto eight = sound_of(MadeWav{.bits = 8, .rate = 8000, .data = whole_data({0, 128, 192, 255}, 1)}.bytes());
  ASSERT_TRUE(eight) << eight.error().text();
  EXPECT_EQ(eight->rate, 8000);
  EXPECT_EQ(eight->channels, 1);
  EXPECT_THAT(eight->samples, ElementsAre(-1, 0, 0.5, 127.0F / 128));
  const auto sixteen = sound_of(MadeWav{.data = whole_data({-32768, 0, 16384, 32767}, 2)}.bytes());
  EXPECT_THAT(sixteen.value().samples, ElementsAre(-1, 0, 0.5, 32767.0F / 32768));
  const auto three = sound_of(MadeWav{.bits = 24, .data = whole_data({-8388608, 0, 4194304, 1}, 3)}.bytes());
  EXPECT_THAT(three.value().samples, ElementsAre(-1, 0, 0.5, 1.0F / 8388608));
  const auto four = sound_of(MadeWav{.bits = 32, .data = whole_data({-2147483648, 0, 1073741824, 256}, 4)}.bytes());
  EXPECT_THAT(four.value().samples, ElementsAre(-1, 0, 0.5, 256.0F / 2147483648.0F));
}

TEST(ReadSound, FloatsAreKeptAsTheyAre) {
  const auto sound = sound_of(MadeWav{.format = 3, .bits = 32, .data = float_data({-1.5F, 0.1F, 1e-30F})}.bytes());
  ASSERT_TRUE(sound) << sound.error().text();
  EXPECT_THAT(sound->samples, ElementsAre(-1.5F, 0.1F, 1e-30F));
  std::string doubles;
  for (const double value : {0.25, -0.1}) doubles += wav_number(std::bit_cast<std::uint64_t>(value), 8);
  const auto wide = sound_of(MadeWav{.format = 3, .bits = 64, .data = doubles}.bytes());
  EXPECT_THAT(wide.value().samples, ElementsAre(0.25F, -0.1F));
}

TEST(ReadSound, EightChannelsAreMixedDownToTheirMean) {
  std::vector<float> values;
  for (int i = 0; i < 16; ++i) values.push_back(static_cast<float>(i) / 16);
  const auto sound = sound_of(MadeWav{.format = 3, .bits = 32, .channels = 8, .data = float_data(values)}.bytes());
  ASSERT_TRUE(sound) << sound.error().text();
  EXPECT_EQ(sound->channels, 8);
  EXPECT_EQ(sound->samples, values);
  EXPECT_THAT(mixed_down(*sound), ElementsAre(3.5F / 16, 11.5F / 16));
}

TEST(ReadSound, TheMeanIsTakenInDouble) {
  EXPECT_THAT(mixed_down({16000, 3, {1e8F, 1, -1e8F}}), ElementsAre(1.0F / 3));
  EXPECT_THAT(mixed_down({16000, 1, {0.5F, -1}}), ElementsAre(0.5F, -1));
}

TEST(ReadSound, ManyBlocks) {
  std::vector<float> values = made_noise(300'000);
  const auto sound = sound_of(MadeWav{.format = 3, .bits = 32, .channels = 3, .data = float_data(values)}.bytes());
  ASSERT_TRUE(sound) << sound.error().text();
  EXPECT_EQ(sound->samples, values);
}

TEST(ReadSound, WhatIsNoSoundSaysSo) {
  for (const std::string& bytes : {std::string(), std::string("RIFF"), std::string("RIFFxxxxAVI "),
                                   std::string("\x89PNG\r\n\x1A\n"), std::string(500, 'a'), "FORM" + four_samples()})
    EXPECT_THAT(sound_complaint(bytes), AllOf(HasSubstr("cannot read the sound a.wav"), HasSubstr("does not begin"),
                                              HasSubstr("WAV, FLAC or OGG")));
  for (const std::string& magic : {std::string("fLaC"), std::string("OggS"), std::string("RIFFxxxxWAVE")})
    EXPECT_NE(sound_complaint(magic + std::string(500, 'a')), "");
}

TEST(ReadSound, NoSamplesAndTooManyOfThem) {
  EXPECT_THAT(sound_complaint(MadeWav{}.bytes()), HasSubstr("it has no samples"));
  EXPECT_EQ(sound_complaint(four_samples(), {.most_samples = 4}), "");
  EXPECT_THAT(sound_complaint(four_samples(), {.most_samples = 3}), HasSubstr("more than 3"));
  const std::string pair = MadeWav{.channels = 2, .data = whole_data({1, 2, 3, 4}, 2)}.bytes();
  EXPECT_THAT(sound_complaint(pair, {.most_samples = 3}), HasSubstr("2 samples in each of 2 channels"));
}

TEST(ReadSound, SamplesThatAreNotFinite) {
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const MadeWav wav{.format = 3, .bits = 32, .channels = 2, .data = float_data({0, 0, 0, odd})};
    EXPECT_THAT(sound_complaint(wav.bytes()),
                AnyOf(HasSubstr("sample 1 of channel 1 is nan"), HasSubstr("sample 1 of channel 1 is inf")));
  }
}

TEST(ReadSound, CutOffFiles) {
  const std::string whole = four_samples();
  EXPECT_THAT(sound_complaint(whole.substr(0, whole.size() - 4)),
              HasSubstr("it was cut off: of the 8 bytes of samples that its header tells of, 4 are there"));
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_NE(sound_complaint(whole.substr(0, size)), "") << size;
  std::string with_more = whole;
  with_more.insert(12, "LIST" + wav_number(3, 4) + "abc" + std::string(1, '\0'));
  EXPECT_EQ(sound_complaint(with_more), "");
  EXPECT_THAT(sound_complaint(with_more.substr(0, with_more.size() - 1)), HasSubstr("it was cut off"));
}

/// Who writes into a pipe does not know the size.
TEST(ReadSound, SizesThatNobodyKnew) {
  const std::string whole = four_samples();
  for (const std::uint64_t unknown : {0x7FFFF000UL, 0x7FFFFFFFUL, 0x80000000UL, 0xFFFFFFFFUL}) {
    const auto sound = sound_of(std::string(whole).replace(40, 4, wav_number(unknown, 4)));
    ASSERT_TRUE(sound) << unknown << sound.error().text();
    EXPECT_EQ(sound->samples.size(), 4U) << unknown;
  }
}

TEST(ReadSound, SizesOf64BitsCountToo) {
  const auto large = [](std::uint64_t told) {
    std::string bytes = four_samples().replace(0, 8, "RF64\xFF\xFF\xFF\xFF").replace(40, 4, "\xFF\xFF\xFF\xFF");
    return bytes.insert(
        12, "ds64" + wav_number(28, 4) + wav_number(72, 8) + wav_number(told, 8) + wav_number(4, 8) + wav_number(0, 4));
  };
  EXPECT_EQ(sound_complaint(large(8)), "");
  EXPECT_THAT(sound_complaint(large(12)),
              HasSubstr("of the 12 bytes of samples that its header tells of, 8 are there"));
}

TEST(ReadSound, DamagedBytesDoNoHarm) {
  Random random(7);
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = MadeWav{.channels = 2, .data = std::string(64, 'a')}.bytes();
    for (int changes = 0; changes < 3; ++changes)
      bytes[static_cast<std::size_t>(random.between(4, 107))] = static_cast<char>(random.between(0, 255));
    const auto sound = sound_of(bytes);
    if (!sound) continue;
    EXPECT_GT(sound->samples.size(), 0U);
    EXPECT_EQ(sound->samples.size() % static_cast<std::size_t>(sound->channels), 0U);
  }
}

TEST(ReadSound, ALibraryThatIsNotThereHasAPackage) {
  const auto loaded = load_sound_library(LateLibrary{"libnosuchsound.so.1"}, "cannot read the sound x", "libsndfile1");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(loaded.error().text(), AllOf(HasSubstr("cannot read the sound x: the library libnosuchsound.so.1 cannot"),
                                           HasSubstr("apt-get install libsndfile1")));
}

TEST(ReadSound, FilesAndWhatIsNone) {
  const auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-sound").value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "no name", four_samples()));
  EXPECT_EQ(read_sound(folder.path() / "no name").value().samples.size(), 4U);
  EXPECT_FALSE(read_sound(folder.path()));
  EXPECT_FALSE(read_sound(folder.path() / "lost.wav"));
}

}  // namespace
}  // namespace culprit
