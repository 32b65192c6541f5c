#pragma once
// How the pictures of a data set are prepared for a model: as the user says, as the file beside the model says, or as
// the model seems to want them.

#include <string>

#include "base/error.h"
#include "model/model.h"
#include "picture/preprocessing.h"

namespace culprit {

struct ChosenPreprocessing {
  std::string input;  ///< the input that takes the picture
  Preprocessing preprocessing;
  std::string why;  ///< "as --preprocess torchvision says", "guessed: ..."
};

/// Does the culprit.yaml beside the model say how pictures are prepared? It may say something of the task alone; one
/// that says neither, or cannot be read, is to be looked at all the same.
bool says_preprocessing(const Model& model);

/// `wish`: a file, a preset, "auto" or "". `given`: inputs that have a value already.
Result<ChosenPreprocessing> choose_preprocessing(const Model& model, const std::string& wish,
                                                 const std::vector<NamedTensor>& given);

}  // namespace culprit
