#pragma once
// Outputs of made-up models on made-up samples, for the tests of tasks.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "task/choose_task.h"

namespace culprit {

using Outputs = std::vector<NamedTensor>;
using Floats = std::vector<float>;

/// One sample: what the reference gives, what a variant that errs now and then gives, and what is right.
struct MadeSample {
  Outputs reference, variant;
  Truth truth;
  std::optional<SampleText> text = {};
};

/// The comparison of two runs over some samples.
inline DecisionRecord compared(const std::string& name, const std::vector<MadeSample>& samples,
                               const TaskSettings& settings = {}, const ComparatorOptions& options = {}) {
  const auto task = make_task(name, facts_of(samples.front().reference), settings).value();
  const auto comparator = task->comparator(options).value();
  std::int64_t number = 0;
  for (const MadeSample& sample : samples)
    EXPECT_TRUE(comparator->add({number++, &sample.truth, sample.reference, sample.variant}).has_value());
  return comparator->result().value();
}

inline Floats random_floats(Random& random, std::size_t count) {
  Floats values(count);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

inline Floats random_chances(Random& random, std::size_t count) {
  Floats values(count);
  for (float& value : values) value = static_cast<float>(random.uniform());
  return values;
}

/// The same numbers, or some of them moved.
inline Floats moved(Random& random, Floats values, double share) {
  for (float& value : values)
    if (random.uniform() < share) value += static_cast<float>(random.normal());
  return values;
}

inline Outputs output_of(const std::string& name, const Shape& shape, const Floats& values) {
  return {{name, Tensor::of<float>(shape, values)}};
}

/// Boxes on a grid, so that some overlap.
inline Outputs boxes_of(const std::vector<Detection>& found) {
  Floats boxes, scores;
  std::vector<std::int64_t> labels;
  for (const Detection& one : found) {
    for (const double side : {one.box.x0, one.box.y0, one.box.x1, one.box.y1})
      boxes.push_back(static_cast<float>(side));
    scores.push_back(static_cast<float>(one.score));
    labels.push_back(one.label);
  }
  const auto count = static_cast<std::int64_t>(found.size());
  return {{"boxes", Tensor::of<float>({count, 4}, boxes)},
          {"labels", Tensor::of<std::int64_t>({count}, labels)},
          {"scores", Tensor::of<float>({count}, scores)}};
}

inline std::vector<Detection> random_boxes(Random& random) {
  std::vector<Detection> found(static_cast<std::size_t>(random.between(0, 6)));
  for (Detection& one : found) {
    const auto x = static_cast<double>(random.between(0, 40)), y = static_cast<double>(random.between(0, 40));
    one = {{x, y, x + static_cast<double>(random.between(4, 20)), y + static_cast<double>(random.between(4, 20))},
           random.between(0, 2),
           0.51 + static_cast<double>(random.between(0, 40)) / 100};
  }
  return found;
}

inline MadeSample made_boxes(Random& random) {
  auto found = random_boxes(random);
  MadeSample sample{boxes_of(found), {}, {}};
  sample.truth.boxes = as_truth(found);
  for (Detection& one : found)
    if (random.uniform() < 0.3) one.box.x0 += 3, one.box.x1 += 3, one.score = 0.6;
  if (!found.empty() && random.uniform() < 0.2) found.pop_back();
  sample.variant = boxes_of(found);
  return sample;
}

/// A question, and twelve words among which the answer stands.
inline MadeSample made_question(Random& random) {
  SampleText text{"", {{}}, true};
  std::vector<std::string> words;
  for (int word = 0; word < 12; ++word) {
    const auto begin = static_cast<std::int64_t>(text.context.size());
    words.push_back("word" + std::to_string(random.between(0, 5)));
    text.context += words.back();
    text.windows[0].push_back({begin, static_cast<std::int64_t>(text.context.size())});
    text.context += " ";
  }
  text.windows[0][0] = {};
  const Floats start = random_floats(random, 12), end = random_floats(random, 12);
  const auto outputs = [](const Floats& from, const Floats& to) {
    return Outputs{{"start_logits", Tensor::of<float>({1, 12}, from)}, {"end_logits", Tensor::of<float>({1, 12}, to)}};
  };
  MadeSample sample{outputs(start, end), outputs(moved(random, start, 0.1), moved(random, end, 0.1)), {}, text};
  sample.truth.texts.emplace();
  if (random.uniform() < 0.8) sample.truth.texts->push_back(words[3] + " " + words[4]);
  return sample;
}

inline const std::vector<std::string> made_characters{"<pad>", "|", "A", "B", "C", "D"};

/// Twenty characters that were said, a blank before each, in frames of which some are hard to hear.
inline MadeSample made_speech(Random& random) {
  const std::size_t classes = made_characters.size();
  Floats scores = random_floats(random, 40 * classes);
  for (float& score : scores) score *= 0.25F;
  std::string said;
  for (std::size_t frame = 0; frame < 40; ++frame) {
    const auto best = frame % 2 == 0 ? std::int64_t{0} : random.between(1, 5);
    scores[frame * classes + static_cast<std::size_t>(best)] += 1.2F;
    if (best > 0) said += best == 1 ? " " : made_characters[static_cast<std::size_t>(best)];
  }
  const Shape shape{1, 40, static_cast<std::int64_t>(classes)};
  MadeSample sample{output_of("logits", shape, scores), output_of("logits", shape, moved(random, scores, 0.02)), {}};
  sample.truth.texts = {said};
  return sample;
}

/// Forty steps of a voice detector.
inline MadeSample made_events(Random& random) {
  const Floats chances = random_chances(random, 40);
  Floats right = moved(random, chances, 0.1);
  for (float& value : right) value = value > 0.5F ? 1 : 0;
  const Shape shape{40, 1, 1};
  MadeSample sample{output_of("prob", shape, chances), output_of("prob", shape, moved(random, chances, 0.1)), {}};
  sample.truth.values = output_of("prob", shape, right);
  return sample;
}

/// What has to be said of the outputs of these samples.
inline TaskSettings made_settings(const std::string& task) {
  TaskSettings settings;
  if (task == "speech") settings.class_names = made_characters;
  return settings;
}

/// Scores of eight next tokens, of which some are others.
inline MadeSample made_text(Random& random) {
  const Floats values = random_floats(random, 8 * 12);
  return {output_of("logits", {1, 8, 12}, values), output_of("logits", {1, 8, 12}, moved(random, values, 0.1)), {}};
}

/// A sample for this task.
inline MadeSample made_sample(const std::string& task, Random& random) {
  if (task == "detection") return made_boxes(random);
  if (task == "question_answering") return made_question(random);
  if (task == "speech") return made_speech(random);
  if (task == "events") return made_events(random);
  if (task == "generation") return made_text(random);
  const Shape shape = task == "classification" ? Shape{1, 10}
                      : task == "picture"      ? Shape{1, 3, 9, 10}
                      : task == "segmentation" ? Shape{1, 6, 5, 4}
                                               : Shape{1, 24};
  std::size_t count = 1;
  for (const auto dim : shape) count *= static_cast<std::size_t>(dim);
  Floats values = random_floats(random, count);
  if (task == "multi_label")
    for (float& value : values) value = 1 / (1 + std::exp(-value));
  MadeSample sample{output_of("out", shape, values), output_of("out", shape, moved(random, values, 0.1)), {}};
  if (task == "multi_label") {
    sample.variant = output_of("out", shape, random_chances(random, count));
    sample.truth.classes = {random.between(0, 11), random.between(12, 23)};
  }
  sample.truth.label = std::to_string(random.between(0, 9));
  if (task == "picture") sample.truth.values = output_of("out", shape, moved(random, values, 0.5));
  if (task == "segmentation") {
    std::vector<std::int64_t> labels(20);
    for (auto& label : labels) label = random.between(0, 5);
    sample.truth.values = {{"labels", Tensor::of<std::int64_t>({1, 5, 4}, labels)}};
  }
  return sample;
}

}  // namespace culprit
