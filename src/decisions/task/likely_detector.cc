#include "task/likely_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "task/detector_outputs.h"

namespace culprit {
namespace {

constexpr double named = 0.95, shaped = 0.75, guessed = 0.45, hardly = 0.2;
constexpr std::int64_t many_candidates = 1000;
constexpr std::int64_t classes_of_coco = 80;
constexpr std::int64_t of_an_anchor = 21;  // cells of strides 8, 16 and 32, for each cell of stride 32

bool is_named(std::span<const OutputFacts> outputs) {
  static const std::vector<std::string> names{"box", "detection", "yolo"};
  return std::ranges::any_of(outputs, [&](const OutputFacts& output) { return names_one_of(output.name, names); });
}

/// As many rows as three grids of cells with three anchors have: a detector without anchors has a third of them.
bool has_three_anchors(std::int64_t rows, const FrameSize& frame) {
  if (!(frame.width > 0 && frame.height > 0)) return rows % (3 * of_an_anchor) == 0;
  const auto cells = static_cast<std::int64_t>(frame.width / 32) * static_cast<std::int64_t>(frame.height / 32);
  return rows == 3 * of_an_anchor * cells;
}

/// One output with all in it. Names say little of it, so sizes tell.
TaskFit fit_of_one(const DetectorSpec& spec, const OutputFacts& output, bool is_called_so, const FrameSize& frame) {
  const std::string reason = fmt::format("the outputs are those of the detector '{}'", spec.name);
  const std::string rows =
      fmt::format("'{}' has rows of 6 numbers: '{}' has corners, score and class there", output.name, spec.name);
  if (spec.form == DetectorForm::sorted_rows)  // what stands in the rows must tell: fit_of_example
    return {output.shape[output.shape.size() - 2] < many_candidates ? guessed : hardly, rows};
  const bool are_columns = spec.form == DetectorForm::yolo_columns;
  const std::int64_t count = output.shape[are_columns ? 2 : 1], fields = output.shape[are_columns ? 1 : 2];
  if (are_columns && is_called_so) return {named, reason};
  if (count < many_candidates || fields < 5 || count <= 2 * fields)
    return {is_called_so && (are_columns || fields != 6) ? shaped : hardly, reason};
  const bool is_clear = are_columns || fields == 5 + classes_of_coco || has_three_anchors(count, frame);
  if (is_clear) return {is_called_so ? named : shaped, reason};
  return {guessed,
          fmt::format("'{}' has rows as the detector '{}' has, or those of YOLOv8 that were turned round: with "
                      "an objectness, or without; --detector says which",
                      output.name, spec.name)};
}

/// A score is a chance, a class a whole number; boxes without an inside fill up the rows.
bool are_sorted_rows(const std::vector<double>& numbers) {
  for (std::size_t i = 0; i + 6 <= numbers.size(); i += 6) {
    const double score = numbers[i + 4], label = numbers[i + 5];
    if (!(score >= 0 && score <= 1 && label >= -1 && label == std::floor(label))) return false;
    if (!(numbers[i + 2] >= numbers[i] && numbers[i + 3] >= numbers[i + 1])) return false;
  }
  return !numbers.empty();
}

/// Boxes beside scores of classes.
TaskFit fit_of_scored(const DetectorSpec& spec, std::span<const OutputFacts> outputs, const DetectorOutputs& at) {
  const std::string reason = fmt::format("the outputs are those of the detector '{}'", spec.name);
  const std::int64_t classes = outputs[at.scores].shape.back();
  const bool are_its_names = (spec.boxes.empty() || names_one_of(outputs[at.boxes].name, spec.boxes)) &&
                             (spec.scores.empty() || names_one_of(outputs[at.scores].name, spec.scores));
  if (!are_its_names) return {hardly, reason};
  if (spec.usual_classes > 0 && classes >= 0 && classes != spec.usual_classes)
    return {guessed,
            fmt::format("boxes and scores may be those of the detector '{}', but that has {} classes, and '{}' "
                        "has {}; --detector says how they are read",
                        spec.name, spec.usual_classes, outputs[at.scores].name, classes)};
  return {is_named(outputs) ? named : 0.5, reason};
}

}  // namespace

TaskFit fit_of(const DetectorSpec& spec, std::span<const OutputFacts> outputs, const FrameSize& frame) {
  const auto at = find_detector_outputs(spec, outputs);
  if (!at) return {};
  const std::string reason = fmt::format("the outputs are those of the detector '{}'", spec.name);
  if (spec.form == DetectorForm::scored_boxes) return fit_of_scored(spec, outputs, *at);
  if (spec.form == DetectorForm::lists) return {is_named(outputs) ? named : 0.5, reason};
  if (spec.form == DetectorForm::yolo_layers) return {is_named(outputs) ? named : 0.85, reason};
  const std::span<const OutputFacts> before = outputs.first(at->boxes), behind = outputs.subspan(at->boxes + 1);
  if (is_named(before) || is_named(behind)) return {hardly, reason};  // the boxes stand in another output
  return fit_of_one(spec, outputs[at->boxes], is_named(outputs.subspan(at->boxes, 1)), frame);
}

TaskFit fit_of_example(const DetectorSpec& spec, TaskFit fit, std::span<const NamedTensor> example,
                       const FrameSize& frame) {
  const auto at = find_detector_outputs(spec, facts_of(example));
  if (!at) return fit;
  if (spec.form == DetectorForm::sorted_rows) {
    const bool is_it = are_sorted_rows(numbers_of(example[at->boxes].value));
    return is_it ? TaskFit{shaped, std::move(fit.reason)}
                 : TaskFit{hardly, fit.reason + ", but here is something else"};
  }
  const auto found = decode_detections(spec, example, frame);
  const auto is_no_chance = [](const Detection& one) { return one.score > 1 + 1e-3; };
  if (!found || std::ranges::none_of(*found, is_no_chance)) return fit;
  return {std::min(fit.share, guessed), fit.reason + ", but it has scores above 1"};
}

std::optional<LikelyDetector> likely_detector(std::span<const OutputFacts> outputs, const FrameSize& frame) {
  std::optional<LikelyDetector> best;
  for (DetectorSpec& spec : preset_detectors()) {
    TaskFit fit = fit_of(spec, outputs, frame);
    if (fit.share <= (best ? best->fit.share : 0)) continue;
    best = {std::move(spec), std::move(fit)};
  }
  return best;
}

}  // namespace culprit
