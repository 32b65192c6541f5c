#pragma once
// A folder of sounds as samples of a model: read, prepared as the model wants them, whole or in windows that the model
// hears one after the other, with what it keeps between them (tensor/steps.h).

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "model/model.h"

namespace culprit {

struct SoundSetOptions {
  std::filesystem::path folder;
  std::filesystem::path labels = {};  ///< a list of labels; "": what lies in the folder (data/sets/labelled_files.h)
  /// A file of YAML, wav2vec, silero, or "": culprit.yaml beside the model, else what the model seems to want.
  std::string preprocess = {};
  std::vector<NamedTensor> given = {};    ///< values of other inputs
  std::vector<std::string> classes = {};  ///< names of classes that culprit.yaml lists; labels must be among them
};

/// Does the folder hold a sound, and is it no folder of test data?
bool is_sound_folder(const std::filesystem::path& path);

/// Does culprit.yaml beside the model say how sounds are prepared, or can nobody read it?
bool says_sound_preparation(const Model& model);

/// One sample for each sound, by name. The only input of floats that is fed with nothing else gets the sound; an
/// integer called sr or sample_rate gets the rate, integers called attention_mask get ones; what `state` in
/// culprit.yaml or names tell of (model/state_pairs.h) begins with zeros and is fed back. Labels are those of
/// pictures, and a list may have a column `text` (what is said). Errors: no sound; no input for it, or several (usage);
/// what is wrong with the preparation or the labels.
Result<std::unique_ptr<SampleSource>> open_sounds(const Model& model, const SoundSetOptions& options);

}  // namespace culprit
