#include "sound/read_sound_preparation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

SoundPreparation sound_preparation_of(const std::string& text) {
  const auto read = read_sound_preparation(text, "culprit.yaml");
  if (!read) ADD_FAILURE() << read.error().text();
  return read.value_or(SoundPreparation{});
}

std::string sound_fault(const std::string& text) {
  const auto read = read_sound_preparation(text, "culprit.yaml");
  if (read) return "";
  EXPECT_EQ(read.error().kind, ErrorKind::bad_input);
  return read.error().text();
}

/// `keys` below `sound`, the first one in line 3.
std::string keys_fault(const std::string& keys) { return sound_fault("preprocess:\n  sound:\n    " + keys); }

TEST(ReadSoundPreparation, AllKeys) {
  EXPECT_EQ(sound_preparation_of("task: top1\n"
                                 "preprocess:\n"
                                 "  sound: {resample: 8000, window: 256, hop: 128, context: 32, normalize: yes, "
                                 "scale: 32768}\n"),
            (SoundPreparation{8000, true, 32768, 256, 128, 32}));
  EXPECT_EQ(sound_preparation_of("preprocess: {sound: {}}"), SoundPreparation{});
}

TEST(ReadSoundPreparation, PresetsAndWhatChangesThem) {
  EXPECT_EQ(sound_preparation_of("preprocess: {sound: wav2vec}"), sound_preparation_named("wav2vec").value());
  EXPECT_EQ(sound_preparation_of("preprocess: {sound: {preset: silero, resample: 8000, window: 256, context: 0}}"),
            (SoundPreparation{.rate = 8000, .window = 256}));
  EXPECT_EQ(sound_preparation_of("preprocess: {sound: {preset: wav2vec, normalize: false}}"),
            SoundPreparation{.rate = 16000});
  for (const char* text : {"preprocess: wav2vec", "preprocess: {preset: wav2vec}"})
    EXPECT_EQ(sound_preparation_of(text), sound_preparation_named("wav2vec").value()) << text;
}

TEST(ReadSoundPreparation, FaultsNameTheirLine) {
  EXPECT_THAT(keys_fault("resampel: 16000"),
              AllOf(HasSubstr("culprit.yaml: line 3: there is no key 'resampel'"), HasSubstr("'resample'?")));
  EXPECT_THAT(keys_fault("window: 2\n    window: 3"), HasSubstr("line 4: 'window' is there twice"));
  EXPECT_THAT(keys_fault("window: 0"), HasSubstr("line 3: 'window' must be a whole number from 1"));
  EXPECT_THAT(keys_fault("window: 1.5"), HasSubstr("line 3: 'window' must be a whole number"));
  EXPECT_THAT(keys_fault("context: -1"), HasSubstr("line 3: 'context' must be a whole number from 0"));
  EXPECT_THAT(keys_fault("resample: [1]"), HasSubstr("line 3: 'resample' must be a whole number"));
  EXPECT_THAT(keys_fault("resample: 99999999999999999999"), HasSubstr("line 3: 'resample' must be a whole number"));
  EXPECT_THAT(keys_fault("resample: 10"), HasSubstr("line 3: 'resample' must be from 1000"));
  EXPECT_THAT(keys_fault("hop: 10"), HasSubstr("line 3: 'hop' and 'context' go with 'window'"));
  EXPECT_THAT(keys_fault("normalize: maybe"), HasSubstr("line 3: 'normalize' must be true or false"));
  EXPECT_THAT(keys_fault("scale: loud"), HasSubstr("line 3: 'scale' must be a number"));
  EXPECT_THAT(keys_fault("scale: .nan"), HasSubstr("line 3: 'scale' must be a number"));
  EXPECT_THAT(keys_fault("preset: [silero]"), HasSubstr("line 3: 'preset' must be a name"));
  EXPECT_THAT(keys_fault("preset: silera"), HasSubstr("line 3: there is no preset 'silera' for sounds"));
  EXPECT_THAT(keys_fault("- 3"), HasSubstr("line 3: here must stand keys and values"));
}

TEST(ReadSoundPreparation, WhatStandsAround) {
  EXPECT_THAT(sound_fault("preprocess:\n  sound: silero\n  resize: 3\n"),
              HasSubstr("line 3: there is no key 'resize'"));
  EXPECT_THAT(sound_fault("preproces: 1\ntask: top1\n"), HasSubstr("line 1: there is no key 'preproces'"));
  for (const char* text : {"", "3", "[]", "task: top1"})
    EXPECT_THAT(sound_fault(text), HasSubstr("there is no 'preprocess'")) << text;
  for (const char* text : {"preprocess: {resize: 3}", "preprocess: {resample: 8000}", "preprocess: [wav2vec]"})
    EXPECT_THAT(sound_fault(text), HasSubstr("line 1: there is no 'sound' below 'preprocess'")) << text;
  for (const char* text : {"preprocess: torchvision", "preprocess: {preset: torchvision}"})
    EXPECT_THAT(sound_fault(text), HasSubstr("line 1: there is no preset 'torchvision' for sounds")) << text;
  EXPECT_THAT(sound_fault("{"), HasSubstr("no YAML that makes sense"));
}

TEST(ReadSoundPreparation, ItsTextReadsAsTheSame) {
  for (const SoundPreparation& one : {SoundPreparation{}, SoundPreparation{16000, true, 0.1, 0, 0, 0},
                                      SoundPreparation{8000, false, 32768, 512, 256, 64}}) {
    const auto again = read_sound_preparation(to_yaml(one), "again");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, one) << to_yaml(one);
  }
}

TEST(ReadSoundPreparation, NamesItOrDoesNot) {
  for (const char* text : {"preprocess: {sound: silero}", "preprocess: silero", "preprocess: {resize: 3}"})
    EXPECT_TRUE(names_sound_preparation(text)) << text;
  for (const char* text : {"", "3", "sound: silero", "task: top1", "{"})
    EXPECT_FALSE(names_sound_preparation(text)) << text;
}

}  // namespace
}  // namespace culprit
