#include "task/detector_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace culprit {
namespace {

using Words = std::vector<std::string>;
using Predicate = std::function<bool(const OutputFacts&)>;

bool is_number(DType type) { return is_float(type) || is_integer(type); }

const Words box_words{"box"}, score_words{"score", "conf", "prob"}, label_words{"class", "label"};

/// The shape without a leading 1, one picture: a batch of more fits nothing.
std::optional<Shape> of_one_picture(const OutputFacts& output, std::size_t rank) {
  if (output.shape.size() == rank) return output.shape;
  if (output.shape.size() != rank + 1 || !may_be(output.shape[0], 1)) return std::nullopt;
  return Shape(output.shape.begin() + 1, output.shape.end());
}

bool holds_boxes(const OutputFacts& output) {
  const auto plain = of_one_picture(output, 2);
  if (is_float(output.type) && plain && may_be(plain->back(), 4)) return true;
  const Shape& shape = output.shape;  // [1,N,1,4]
  return is_float(output.type) && shape.size() == 4 && may_be(shape[0], 1) && may_be(shape[2], 1) &&
         may_be(shape[3], 4);
}

bool holds_class_scores(const OutputFacts& output) { return is_float(output.type) && of_one_picture(output, 2); }

bool holds_one_a_box(const OutputFacts& output) { return is_number(output.type) && of_one_picture(output, 1); }

bool holds_rows(const OutputFacts& output) {
  const auto& shape = output.shape;
  return is_float(output.type) && shape.size() == 3 && may_be(shape[0], 1) && (shape[2] < 0 || shape[2] >= 6);
}

bool holds_sorted_rows(const OutputFacts& output) {
  const auto rows = of_one_picture(output, 2);
  return is_float(output.type) && rows && rows->back() == 6;
}

bool holds_columns(const OutputFacts& output) {
  const auto& shape = output.shape;
  return is_float(output.type) && shape.size() == 3 && may_be(shape[0], 1) && (shape[1] < 0 || shape[1] >= 5);
}

bool holds_cells(const OutputFacts& output, std::int64_t anchors) {
  const auto& shape = output.shape;
  if (!is_float(output.type) || shape.size() < 4 || shape.size() > 5 || !may_be(shape[0], 1)) return false;
  if (shape.size() == 5) return may_be(shape[1], anchors) && (shape[4] < 0 || shape[4] >= 6);
  return shape[1] < 0 || (shape[1] % anchors == 0 && shape[1] / anchors >= 6);
}

/// Picks outputs one by one; each is taken once.
class Picker {
 public:
  explicit Picker(std::span<const OutputFacts> outputs) : outputs_(outputs), is_taken_(outputs.size()) {}

  /// The first one that fits and is named so; else the one that fits, if there is only one.
  std::optional<std::size_t> pick(const Words& words, const Predicate& fits) {
    std::vector<std::size_t> fitting;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      if (is_taken_[i] || !fits(outputs_[i])) continue;
      if (names_one_of(outputs_[i].name, words)) return take(i);
      fitting.push_back(i);
    }
    return fitting.size() == 1 ? take(fitting.front()) : std::nullopt;
  }

 private:
  std::optional<std::size_t> take(std::size_t i) {
    is_taken_[i] = true;
    return i;
  }

  std::span<const OutputFacts> outputs_;
  std::vector<bool> is_taken_;
};

tl::unexpected<Error> other_outputs(const DetectorSpec& spec, const char* wanted,
                                    std::span<const OutputFacts> outputs) {
  return fail(ErrorKind::unsupported,
              fmt::format("the detector '{}' wants {}; there are: {}", spec.name, wanted, text_of(outputs)),
              "give the detector that fits, or describe it (docs/decisions.md)");
}

const Words& or_usual(const Words& given, const Words& usual) { return given.empty() ? usual : given; }

Result<DetectorOutputs> find_lists(const DetectorSpec& spec, std::span<const OutputFacts> outputs) {
  const char* wanted = "boxes [N,4], scores [N] and classes [N] of one image";
  Picker picker(outputs);
  const auto boxes = picker.pick(or_usual(spec.boxes, box_words), holds_boxes);
  // A count of boxes has the rank of scores; names tell it from them, or the whole numbers of classes do.
  const auto is_floats = [](const OutputFacts& output) { return holds_one_a_box(output) && is_float(output.type); };
  const auto is_whole = [](const OutputFacts& output) { return holds_one_a_box(output) && is_integer(output.type); };
  const auto scores = picker.pick(or_usual(spec.scores, score_words), is_floats);
  const Words& class_words = or_usual(spec.classes, label_words);
  auto classes = picker.pick(class_words, holds_one_a_box);
  if (!classes) classes = picker.pick(class_words, is_whole);
  if (!boxes || !scores || !classes) return other_outputs(spec, wanted, outputs);
  return DetectorOutputs{*boxes, *scores, *classes, {}};
}

Result<DetectorOutputs> find_scored(const DetectorSpec& spec, std::span<const OutputFacts> outputs) {
  Picker picker(outputs);
  const auto boxes = picker.pick(or_usual(spec.boxes, box_words), holds_boxes);
  const auto scores = picker.pick(or_usual(spec.scores, score_words), holds_class_scores);
  if (!boxes || !scores) return other_outputs(spec, "boxes [1,N,4] and scores [1,N,C] of one image", outputs);
  return DetectorOutputs{*boxes, *scores, 0, {}};
}

Result<DetectorOutputs> find_layers(const DetectorSpec& spec, std::span<const OutputFacts> outputs) {
  const auto anchors = static_cast<std::int64_t>(spec.anchors.front().size());
  DetectorOutputs found;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (holds_cells(outputs[i], anchors)) found.layers.push_back(i);
  if (found.layers.size() != spec.strides.size())
    return other_outputs(spec, "one output [1,A(5+C),H,W] or [1,A,H,W,5+C] for each stride, of one image", outputs);
  // The larger the stride, the fewer cells.
  const auto height = [&](std::size_t i) { return outputs[i].shape[2]; };
  std::ranges::stable_sort(found.layers, [&](std::size_t a, std::size_t b) { return height(a) < height(b); });
  return found;
}

Result<DetectorOutputs> find_one(const DetectorSpec& spec, std::span<const OutputFacts> outputs, const Predicate& fits,
                                 const char* wanted) {
  Picker picker(outputs);
  const auto found = picker.pick(spec.boxes, fits);
  if (!found) return other_outputs(spec, wanted, outputs);
  return DetectorOutputs{*found, 0, 0, {*found}};
}

}  // namespace

Result<DetectorOutputs> find_detector_outputs(const DetectorSpec& spec, std::span<const OutputFacts> outputs) {
  switch (spec.form) {
    case DetectorForm::lists:
      return find_lists(spec, outputs);
    case DetectorForm::scored_boxes:
      return find_scored(spec, outputs);
    case DetectorForm::yolo_layers:
      return find_layers(spec, outputs);
    case DetectorForm::yolo_rows:
      return find_one(spec, outputs, holds_rows, "one output [1,N,5+C] of one image");
    case DetectorForm::yolo_columns:
      return find_one(spec, outputs, holds_columns, "one output [1,4+C,N] of one image");
    case DetectorForm::sorted_rows:
      return find_one(spec, outputs, holds_sorted_rows, "one output [1,N,6] of one image");
  }
  return fail(ErrorKind::internal, "an unknown form of detector");
}

}  // namespace culprit
