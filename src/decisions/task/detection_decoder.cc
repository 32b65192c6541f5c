#include "task/detection_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "task/average_precision.h"
#include "task/classification.h"
#include "task/detector_outputs.h"
#include "task/yolo_cells.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;
using Found = std::vector<Detection>;

Box box_of(BoxForm form, const double* at) {
  switch (form) {
    case BoxForm::corners:
      return {at[0], at[1], at[2], at[3]};
    case BoxForm::corners_y_first:
      return {at[1], at[0], at[3], at[2]};
    case BoxForm::center_size:
      return {at[0] - at[2] / 2, at[1] - at[3] / 2, at[0] + at[2] / 2, at[1] + at[3] / 2};
    case BoxForm::corner_size:
      return {at[0], at[1], at[0] + at[2], at[1] + at[3]};
  }
  return {};
}

tl::unexpected<Error> do_not_belong(const DetectorSpec& spec, std::span<const NamedTensor> outputs) {
  return fail(ErrorKind::unsupported, fmt::format("the detector '{}' wants as many scores as boxes; there are: {}",
                                                  spec.name, text_of(facts_of(outputs))));
}

/// NaN, what is below 0 and what is too large is no class.
std::int64_t label_of(double number) {
  const bool is_near_one = number >= 0 && number < static_cast<double>(end_of_classes);
  const std::int64_t label = is_near_one ? std::llround(number) : no_class_of_model;
  return is_class(label) ? label : no_class_of_model;
}

Result<Found> decode_lists(const DetectorSpec& spec, std::span<const NamedTensor> outputs, const DetectorOutputs& at) {
  const Numbers boxes = numbers_of(outputs[at.boxes].value), scores = numbers_of(outputs[at.scores].value),
                classes = numbers_of(outputs[at.classes].value);
  if (boxes.size() != 4 * scores.size() || classes.size() != scores.size()) return do_not_belong(spec, outputs);
  Found found;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int64_t label = label_of(classes[i]);
    if (scores[i] > spec.least_score && (spec.background < 0 || label != spec.background))
      found.push_back({box_of(spec.box, &boxes[4 * i]), label, scores[i]});
  }
  return found;
}

/// The best class of one box, where its scores are logits of one choice (N. Carion et al., ECCV 2020, section 3.1).
void add_best(const DetectorSpec& spec, std::span<const double> logits, const Box& box, std::int64_t background,
              Found& found) {
  const auto shares = softmax(logits);
  std::int64_t best = -1;
  for (std::size_t c = 0; c < shares.size(); ++c) {
    const auto label = static_cast<std::int64_t>(c);
    if (label != background && (best < 0 || shares[c] > shares[static_cast<std::size_t>(best)])) best = label;
  }
  if (best >= 0 && shares[static_cast<std::size_t>(best)] > spec.least_score)
    found.push_back({box, best, shares[static_cast<std::size_t>(best)]});
}

Result<Found> decode_scored(const DetectorSpec& spec, std::span<const NamedTensor> outputs, const DetectorOutputs& at) {
  const Numbers boxes = numbers_of(outputs[at.boxes].value), scores = numbers_of(outputs[at.scores].value);
  const auto classes = static_cast<std::size_t>(outputs[at.scores].value.shape().back());
  const std::size_t count = boxes.size() / 4;
  if (scores.size() != count * classes || boxes.size() != 4 * count) return do_not_belong(spec, outputs);
  const std::int64_t background =
      spec.background == last_class ? static_cast<std::int64_t>(classes) - 1 : spec.background;
  Found found;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const double> of_box(scores.data() + i * classes, classes);
    const Box box = box_of(spec.box, &boxes[4 * i]);
    if (spec.is_softmax) {
      add_best(spec, of_box, box, background, found);
      continue;
    }
    for (std::size_t c = 0; c < classes; ++c)
      if (of_box[c] > spec.least_score && static_cast<std::int64_t>(c) != background)
        found.push_back({box, static_cast<std::int64_t>(c), of_box[c]});
  }
  return found;
}

/// Rows of a box, its score and its class.
Found decode_sorted(const DetectorSpec& spec, const Numbers& numbers) {
  constexpr std::size_t fields = 6;
  Found found;
  for (std::size_t i = 0; i + fields <= numbers.size(); i += fields)
    if (numbers[i + 4] > spec.least_score)
      found.push_back({box_of(spec.box, &numbers[i]), label_of(numbers[i + 5]), numbers[i + 4]});
  return found;
}

/// Numbers of one candidate lie `step` apart, the first one of candidate i at i * `next`.
Found decode_candidates(const DetectorSpec& spec, const Numbers& numbers, std::size_t count, std::size_t next,
                        std::size_t step, std::size_t fields, bool has_objectness) {
  const std::size_t first_class = has_objectness ? 5 : 4;
  Found found;
  for (std::size_t i = 0; i < count; ++i) {
    const double* one = &numbers[i * next];
    std::size_t best = first_class;
    for (std::size_t field = first_class; field < fields; ++field)
      if (one[field * step] > one[best * step]) best = field;
    const double score = one[best * step] * (has_objectness ? one[4 * step] : 1);
    if (!(score > spec.least_score)) continue;
    const double box[4] = {one[0], one[step], one[2 * step], one[3 * step]};
    found.push_back({box_of(spec.box, box), static_cast<std::int64_t>(best - first_class), score});
  }
  return found;
}

Result<Found> decode_by_form(const DetectorSpec& spec, std::span<const NamedTensor> outputs,
                             const DetectorOutputs& at) {
  if (spec.form == DetectorForm::lists) return decode_lists(spec, outputs, at);
  if (spec.form == DetectorForm::scored_boxes) return decode_scored(spec, outputs, at);
  if (spec.form == DetectorForm::yolo_layers) return decode_cells(spec, outputs, at);
  const Tensor& tensor = outputs[at.boxes].value;
  if (spec.form == DetectorForm::sorted_rows) return decode_sorted(spec, numbers_of(tensor));
  const auto first = static_cast<std::size_t>(tensor.shape()[1]), second = static_cast<std::size_t>(tensor.shape()[2]);
  if (spec.form == DetectorForm::yolo_rows)
    return decode_candidates(spec, numbers_of(tensor), first, second, 1, second, true);
  return decode_candidates(spec, numbers_of(tensor), second, 1, second, first, false);
}

}  // namespace

double least_score_of_precision(const DetectorSpec& spec) {
  constexpr double worth_suppressing = 0.001;
  if (spec.nms > 0) return std::min(spec.least_score, worth_suppressing);
  return -std::numeric_limits<double>::infinity();
}

Result<void> can_read(const DetectorSpec& spec, std::span<const OutputFacts> outputs) {
  const auto found = find_detector_outputs(spec, outputs);
  if (!found) return tl::unexpected(found.error());
  return {};
}

Result<Found> decode_detections(const DetectorSpec& spec, std::span<const NamedTensor> outputs,
                                const FrameSize& frame) {
  const auto at = find_detector_outputs(spec, facts_of(outputs));
  if (!at) return tl::unexpected(at.error());
  auto found = decode_by_form(spec, outputs, *at);
  if (!found) return found;
  // What is NaN is nowhere, and no box. A score that is NaN is above no least one.
  std::erase_if(*found, [](const Detection& one) { return std::isnan(area_of(one.box)); });
  if (spec.is_relative && frame.width > 0 && frame.height > 0) {
    for (Detection& one : *found) {
      one.box = {one.box.x0 * frame.width, one.box.y0 * frame.height, one.box.x1 * frame.width,
                 one.box.y1 * frame.height};
    }
  }
  if (spec.nms > 0) return suppress_non_maxima(std::move(*found), spec.nms);
  if (found->size() <= most_candidates) return found;
  sort_by_score(*found);
  found->resize(most_candidates);
  return found;
}

}  // namespace culprit
