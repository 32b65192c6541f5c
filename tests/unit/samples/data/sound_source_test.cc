// A folder of sounds as samples: which input gets the sound, what is fed back, and which files are of no use.
#include "data/sets/sound_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/file.h"
#include "tensor/steps.h"
#include "unit/samples/data/interfaces.h"
#include "unit/values/sound/made_sound.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SoundSource : public ::testing::Test {
 protected:
  SoundSource() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "sounds-test-").value()) {
    fs::create_directories(sounds());
    model_.path = folder_.path() / "model.onnx";
    model_.interface.inputs = {value("input", DType::f32, {open(), open()}),
                               value("state", DType::f32, {fixed(2), open("batch"), fixed(4)}),
                               value("sr", DType::i64, {})};
    model_.interface.outputs = {value("output", DType::f32, {open(), fixed(1)}),
                                value("stateN", DType::f32, {open(), open(), open()})};
  }

  [[nodiscard]] fs::path sounds() const { return folder_.path() / "sounds"; }
  void put(const fs::path& name, const std::string& bytes) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
  }
  /// So many samples of each channel.
  void put_sound(const std::string& name, std::size_t samples, int channels = 1) const {
    MadeWav wav;
    wav.channels = channels;
    for (std::size_t i = 0; i < samples * static_cast<std::size_t>(channels); ++i) wav.data += wav_number(16384, 2);
    put("sounds/" + name, wav.bytes());
  }
  void put_sounds(const std::vector<std::string>& names) const {
    for (const std::string& name : names) {
      fs::create_directories((sounds() / name).parent_path());
      put_sound(name, 600);
    }
  }
  [[nodiscard]] Result<std::unique_ptr<SampleSource>> opened(const std::string& preprocess = "") const {
    return open_sounds(model_, {sounds(), {}, preprocess, {}});
  }

  TemporaryFolder folder_;
  Model model_;
};

const NamedTensor& fed_to(const Sample& sample, const std::string& name) {
  return *std::ranges::find(sample.inputs, name, &NamedTensor::name);
}

TEST_F(SoundSource, SilerosWindowsAreSteps) {
  put_sound("a.wav", 1000);
  const auto source = opened();
  ASSERT_TRUE(source) << source.error().text();
  const auto sample = (*source)->at(0, {});
  ASSERT_TRUE(sample) << sample.error().text();
  EXPECT_EQ((Shape{2, 1, 576}), fed_to(*sample, "input").value.shape());
  EXPECT_EQ(each_step_part, fed_to(*sample, "input").part);
  EXPECT_EQ((Shape{2, 1, 4}), fed_to(*sample, "state").value.shape());
  EXPECT_EQ(state_part("stateN"), fed_to(*sample, "state").part);
  EXPECT_EQ(16000, fed_to(*sample, "sr").value.number(0));
  EXPECT_EQ("", fed_to(*sample, "sr").part);
}

TEST_F(SoundSource, WhatWasGuessedCanBeToldToAnotherModel) {
  put_sound("a.wav", 1000);
  const auto source = opened();
  ASSERT_TRUE(source) << source.error().text();
  put("as-the-first.yaml", (*source)->preparation());
  model_.interface.inputs.pop_back();
  EXPECT_FALSE(opened()) << "without a rate it is not known as silero";
  const auto other = opened((folder_.path() / "as-the-first.yaml").string());
  ASSERT_TRUE(other) << other.error().text();
  EXPECT_EQ((Shape{2, 1, 576}), fed_to(*(*other)->at(0, {}), "input").value.shape());
}

TEST_F(SoundSource, WholeSoundsGoToModelsWithoutAState) {
  model_.interface.inputs = {value("input_values", DType::f32, {open(), fixed(1), open()})};
  put_sound("a.wav", 800, 8);
  const auto sample = (*opened())->at(0, {});
  ASSERT_TRUE(sample) << sample.error().text();
  EXPECT_EQ((Shape{1, 1, 800}), fed_to(*sample, "input_values").value.shape());
  EXPECT_EQ("", fed_to(*sample, "input_values").part);
}

TEST_F(SoundSource, AMaskHasOnesWhereTheSoundIs) {
  put_sound("a.wav", 800);
  for (const DType type : {DType::i64, DType::i32}) {
    model_.interface.inputs = {value("input_values", DType::f32, {open(), open()}),
                               value("attention_mask", type, {open(), open()})};
    const auto source = opened();
    ASSERT_TRUE(source) << source.error().text();
    const auto sample = (*source)->at(0, {});
    ASSERT_TRUE(sample) << sample.error().text();
    const Tensor& mask = fed_to(*sample, "attention_mask").value;
    EXPECT_EQ((Shape{1, 800}), mask.shape());
    EXPECT_EQ(type, mask.dtype());
    for (std::int64_t i = 0; i < 800; ++i) ASSERT_EQ(1, mask.number(i)) << i;
  }
  model_.interface.inputs[1].name = "token_type_ids";
  EXPECT_THAT(opened().error().text(), HasSubstr("nobody knows what of a sound input 'token_type_ids' takes"));
}

TEST_F(SoundSource, FilesOfNoUseAreBadSamples) {
  put_sound("empty.wav", 0);
  put("sounds/noise.wav", "no sound at all");
  const auto source = opened();
  ASSERT_EQ(2, (*source)->size());
  for (const std::int64_t number : {0, 1}) {
    const auto sample = (*source)->at(number, {});
    ASSERT_FALSE(sample) << number;
    EXPECT_EQ(ErrorKind::bad_input, sample.error().kind) << sample.error().text();
  }
}

TEST_F(SoundSource, TheFileBesideTheModelTellsStates) {
  put_sound("a.wav", 600);
  model_.interface.inputs[1].name = "memory";
  EXPECT_THAT(opened("silero").error().text(), HasSubstr("sounds go to one input"));
  put("culprit.yaml", "preprocess: {sound: {resample: 16000, window: 300}}\nstate: {memory: stateN}\n");
  const auto source = opened();
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ(state_part("stateN"), fed_to(*(*source)->at(0, {}), "memory").part);
  EXPECT_EQ((Shape{2, 1, 300}), fed_to(*(*source)->at(0, {}), "input").value.shape());
  put("culprit.yaml", "state: {memory: nothing}\n");
  EXPECT_THAT(opened("silero").error().text(), HasSubstr("line 1: the model has no output 'nothing'"));
}

TEST_F(SoundSource, ThePresetBesideTheModelCounts) {
  model_.interface.inputs = {value("x", DType::f32, {open(), open()})};
  put_sound("a.wav", 600);
  for (const char* text : {"preprocess: wav2vec\n", "preprocess: {preset: wav2vec}\n"}) {
    put("culprit.yaml", text);
    const auto source = opened();
    ASSERT_TRUE(source) << source.error().text();
    EXPECT_THAT((*source)->description()[1], HasSubstr("as culprit.yaml beside the model says; 16000 Hz"));
  }
  put("culprit.yaml", "preprocess: nonsense\n");
  EXPECT_THAT(opened().error().text(), HasSubstr("there is no preset 'nonsense' for sounds"));
  put("culprit.yaml", "preprocess: {resize: 3}\n");
  EXPECT_THAT(opened().error().text(), HasSubstr("there is no 'sound' below 'preprocess'"));
}

TEST_F(SoundSource, AStateNeedsWindows) {
  put_sound("a.wav", 600);
  EXPECT_THAT(opened("wav2vec").error().text(), HasSubstr("no window is told"));
}

TEST_F(SoundSource, NobodyGuessesWhereNothingTells) {
  put_sound("a.wav", 600);
  model_.interface.inputs = {value("x", DType::f32, {open(), open()})};
  EXPECT_THAT(opened().error().text(), HasSubstr("--preprocess"));
}

TEST_F(SoundSource, TranscriptsStandInATable) {
  put_sound("a.wav", 600);
  put_sound("b.wav", 600);
  put("sounds/labels.csv", "file,text\na.wav,\"hello, you\"\n");
  const auto source = opened();
  EXPECT_TRUE((*source)->has_truth());
  EXPECT_THAT(*(*source)->truth(0).texts, ElementsAre("hello, you"));
  EXPECT_FALSE((*source)->truth(1).texts);
  EXPECT_TRUE((*source)->warnings({0, 1}).empty());
}

TEST_F(SoundSource, LabelsOfOtherSoundsAreToldOf) {
  put_sounds({"a.wav", "below/b.flac.wav", "c.wav"});
  const auto told = [&](const std::string& table) {
    put("sounds/labels.csv", table);
    const auto source = opened();
    if (!source) return source.error().message;
    const auto warnings = (*source)->warnings({0});
    return warnings.empty() ? "" : warnings[0].code + ": " + warnings[0].message;
  };
  EXPECT_EQ(told("file,text\na,one\nbelow/b.flac.wav,two\nc.wav,one\n"), "");
  EXPECT_EQ(told("file,text\nxc.wav,one\na.wav,two\nxa.wav,two\n"),
            "labels_outside: 2 of 3 files that labels.csv names are no sounds of the folder, such as 'xa.wav'");
  EXPECT_EQ(told("file,label\nxc.wav,one\nb.flac.wav,two\n"),
            "labels_outside: 1 of 2 files that labels.csv names is no sound of the folder, such as 'xc.wav'");
  EXPECT_THAT(told("file,label\nxc.wav,one\nxa.wav,two\n"), HasSubstr("labels.csv names none of the sounds in "));
}

}  // namespace
}  // namespace culprit
