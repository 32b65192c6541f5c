#pragma once
// How the outputs of a detector are read, as a file in YAML describes it (docs/decisions.md, detectors/).

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace culprit {

enum class DetectorForm {
  lists,         ///< boxes [N,4], scores [N], classes [N]: the model has sorted out; all may have a leading 1
  scored_boxes,  ///< boxes [N,4] and scores [N,C], one for each class
  yolo_layers,   ///< YOLOv3: for each stride [1,A(5+C),H,W] or [1,A,H,W,5+C], before the sigmoid
  yolo_rows,     ///< YOLOv5: [1,N,5+C], a row has center, size, objectness and classes
  yolo_columns,  ///< YOLOv8: [1,4+C,N], a column has center, size and classes
  sorted_rows,   ///< YOLOv10: [1,N,6], a row has a box, score and class: the model has sorted out
};

enum class BoxForm {
  corners,          ///< x0 y0 x1 y1
  corners_y_first,  ///< y0 x0 y1 x1, as TensorFlow has them
  center_size,      ///< x and y of the center, width, height
  corner_size,      ///< x0 y0, width, height
};

/// How the classes of a detector are numbered, against the categories of a file of labels by ascending id.
enum class ClassNumbering {
  from_0,  ///< the first category is class 0
  from_1,  ///< the first one is class 1, for 0 is the background
  ids,     ///< a class is the id of its category; COCO's own have gaps
};

/// Width and height of the anchors of one layer, in pixels of the input.
using Anchors = std::vector<std::pair<double, double>>;

inline constexpr std::int64_t last_class = -2;

struct DetectorSpec {
  std::string name, about;
  DetectorForm form = DetectorForm::lists;
  BoxForm box = BoxForm::corners;
  bool is_relative = false;      ///< boxes are shares of the picture
  double least_score = 0;        ///< a box counts with more than this
  double nms = 0;                ///< suppression above this overlap; 0: the model has done it
  std::int64_t background = -1;  ///< the class that is none; -1: there is no such class; last_class: the last one
  /// scored_boxes: scores are logits of one choice, so their softmax is taken, and the best class alone is a box
  bool is_softmax = false;
  std::int64_t usual_classes = 0;  ///< scored_boxes: with another count the outputs may be another detector's; 0: any
  ClassNumbering numbering = ClassNumbering::from_0;
  /// Parts of names by which outputs are told apart; what no name tells, shapes tell.
  std::vector<std::string> boxes, scores, classes;
  std::vector<Anchors> anchors;       ///< of yolo_layers, one set a layer
  std::vector<std::int64_t> strides;  ///< of yolo_layers, pixels of the input a cell
};

/// `where` is what messages call the text. What is wrong is ErrorKind::usage, with the line and the keys there are.
Result<DetectorSpec> read_detector_spec(const std::string& text, const std::string& where);

/// The detectors of detectors/*.yaml, by name.
std::vector<DetectorSpec> preset_detectors();

}  // namespace culprit
