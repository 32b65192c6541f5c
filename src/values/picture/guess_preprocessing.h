#pragma once
// `auto`: what a net's input most likely takes, from its shape, names and metadata; never from the weights.

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "picture/preprocessing.h"

namespace culprit {

struct NamedShape {
  std::string name;
  Shape shape;  ///< dimensions that are not fixed are -1
};

/// What a model says of itself.
struct InputFacts {
  NamedShape input;
  DType type = DType::f32;
  std::vector<NamedShape> outputs;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::string producer = {};             ///< the program that wrote it: "onnx-caffe2"
  std::vector<double> added_first = {};  ///< `bias` of the ImageScaler that takes the input: a number for each channel
};

struct GuessedPreprocessing {
  Preprocessing preprocessing;  ///< fitted to the input
  std::string preset;           ///< the name of what it was made from
  std::string why;              ///< one sentence: what is assumed, and what it was seen by
};

/// An error, which says what was looked for, where it cannot be told.
Result<GuessedPreprocessing> guess_preprocessing(const InputFacts& model);

}  // namespace culprit
