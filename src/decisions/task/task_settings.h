#pragma once
// What users may say of a task. Nothing has to be said.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "task/detection_decoder.h"
#include "task/detection_match.h"
#include "task/detector_form.h"

namespace culprit {

/// Two samples, by their numbers, of which it is known whether they show the same.
struct SamplePair {
  std::int64_t first = 0, second = 0;
  bool is_same = false;
};

struct TaskSettings {
  std::string output = {};                    ///< the output that is read; "": the one that fits
  std::vector<std::string> fed_back = {};     ///< outputs that are states of a sample in steps: no task reads them
  bool softmax = false;                       ///< classification: margins of logits as probabilities
  bool curves = false;                        ///< classification of more than two classes: also ROC and precision
  std::vector<std::string> class_names = {};  ///< of class 0, 1, ...: for labels that are names
  std::int64_t label_offset = 0;              ///< added to labels that are numbers: 1 where class 0 is a background
  std::optional<DetectorSpec> detector = {};  ///< absent: of detectors/*.yaml the one that fits best
  std::optional<double> score = {};           ///< detection: boxes above this count; absent: as the detector says
  FrameSize frame = {};                       ///< the size of the model's input
  MatchOptions match = {};                    ///< how boxes are matched with labels; of two models all count
  double range = 0;  ///< of a picture's values; 0: 255 of whole numbers and where the reference has more than 2, else 1
  /// segmentation: what is above this in a mask of one channel is part of what is sought; multi_label: a class above
  /// it counts; events: a frame above it is on; absent: 0.5, or 0 for events that are logits
  std::optional<double> threshold = {};
  std::map<std::string, bool> probabilities = {};  ///< events: is the output one? Others are judged by an example
  std::vector<SamplePair> pairs = {};              ///< embedding: what is right of its vectors
  double least_cosine = 0.99;                      ///< an embedding below this stands for something else
};

}  // namespace culprit
