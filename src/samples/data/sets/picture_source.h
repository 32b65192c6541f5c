#pragma once
// Pictures as samples of a model: decoded, prepared as the model wants them, and fed to the one input that takes them.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/error.h"
#include "data/sample_source.h"
#include "model/model.h"
#include "picture/preprocessing.h"
#include "task/task.h"
#include "task/task_settings.h"

namespace culprit {

struct PictureSetOptions {
  std::filesystem::path folder;
  /// A list of labels, or of COCO's boxes, or a folder as `label_folder` says; "": what lies in the folder.
  std::filesystem::path labels = {};
  /// A file of YAML, the name of a preset, or "": culprit.yaml beside the model, else what the model seems to want.
  std::string preprocess = {};
  std::vector<NamedTensor> given = {};    ///< values of other inputs
  std::vector<std::string> classes = {};  ///< names of classes that culprit.yaml lists; labels must be among them
  std::optional<TruthPictures> label_folder = {};  ///< as DataSetOptions has it
};

/// A picture set also tells where its files lie, and how a picture came to be what the model sees.
class PictureSource : public SampleSource {
 public:
  [[nodiscard]] virtual std::filesystem::path file(std::int64_t number) const = 0;
  [[nodiscard]] virtual const Preprocessing& preprocessing() const = 0;
};

/// Boxes are in pixels of the model's input: these settings with its size, where the samples are pictures.
TaskSettings with_frame_of(const SampleSource& source, TaskSettings settings);

/// Is this a folder with pictures, and no folder of test data?
bool is_picture_folder(const std::filesystem::path& path);

/// Errors: no pictures; no input that takes one, or several; what is wrong with the preprocessing or the labels.
Result<std::unique_ptr<PictureSource>> open_pictures(const Model& model, const PictureSetOptions& options);

/// At most `samples` pictures (0: 10) as samples of a check, spread over the whole folder; a bad one is replaced by
/// another, and a warning tells of it. Errors as of open_pictures; none can be read.
Result<Proposal> propose_pictures(const Model& model, const PictureSetOptions& options, std::int64_t samples);

}  // namespace culprit
