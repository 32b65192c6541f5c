#include <algorithm>
#include <array>
#include <cmath>

#include "base/read_yaml.h"
#include "base/word_names.h"
#include "base/yaml_fields.h"
#include "task/detector_form.h"

namespace culprit {
namespace {

constexpr std::array keys{"name",       "about",   "form",   "box",       "relative", "score",        "nms",
                          "background", "outputs", "layers", "numbering", "softmax",  "usual_classes"};
constexpr std::array output_keys{"boxes", "scores", "classes"};
constexpr std::array layer_keys{"stride", "anchors"};
constexpr const char* example = "name: ultraface";
constexpr std::size_t most_layers = 16, most_anchors = 64, most_words = 32;

constexpr WordNames<DetectorForm, 6> forms{{{DetectorForm::lists, "lists"},
                                            {DetectorForm::scored_boxes, "scored_boxes"},
                                            {DetectorForm::yolo_layers, "yolo_layers"},
                                            {DetectorForm::yolo_rows, "yolo_rows"},
                                            {DetectorForm::yolo_columns, "yolo_columns"},
                                            {DetectorForm::sorted_rows, "sorted_rows"}}};
constexpr WordNames<BoxForm, 4> box_forms{{{BoxForm::corners, "corners"},
                                           {BoxForm::corners_y_first, "corners_y_first"},
                                           {BoxForm::center_size, "center_size"},
                                           {BoxForm::corner_size, "corner_size"}}};

constexpr WordNames<ClassNumbering, 3> numberings{
    {{ClassNumbering::from_0, "from_0"}, {ClassNumbering::from_1, "from_1"}, {ClassNumbering::ids, "ids"}}};

template <class Word, std::size_t N>
Word word_at(const YAML::Node& map, const char* key, const WordNames<Word, N>& names) {
  const std::string text = text_at(map, key);
  if (const auto word = word_in(names, text)) return *word;
  std::vector<std::string> known;
  for (const auto& [value, name] : names) known.emplace_back(name);
  throw YamlFault(fmt::format("{}'{}' is '{}', and must be one of {}", line_of(text.empty() ? map : map[key]), key,
                              printable(text, 60), join(known, ", ")));
}

double number_at(const YAML::Node& node, const char* key, double least, double most) {
  double number = 0;
  const bool is_number = node.IsScalar() && YAML::convert<double>::decode(node, number);
  if (!is_number || !(number >= least && number <= most))
    throw YamlFault(fmt::format("{}'{}' must be a number between {} and {}", line_of(node), key, least, most));
  return number;
}

double number_or(const YAML::Node& map, const char* key, double otherwise, double least, double most) {
  return map[key].IsDefined() ? number_at(map[key], key, least, most) : otherwise;
}

std::vector<std::string> words_of(const YAML::Node& map, const char* key) {
  std::vector<std::string> words;
  const YAML::Node node = map[key];
  if (!node.IsDefined()) return words;
  if (node.IsScalar()) return {node.Scalar()};
  if (!node.IsSequence() || node.size() > most_words)
    throw YamlFault(fmt::format("{}'{}' must be a list of words", line_of(node), key));
  for (const YAML::Node& word : node) {
    if (!word.IsScalar()) throw YamlFault(fmt::format("{}'{}' must be a list of words", line_of(node), key));
    words.push_back(word.Scalar());
  }
  return words;
}

/// A list that is not empty, of at most so many.
bool is_list(const YAML::Node& node, std::size_t most) {
  return node.IsDefined() && node.IsSequence() && node.size() > 0 && node.size() <= most;
}

Anchors anchors_of(const YAML::Node& layer) {
  const YAML::Node node = layer["anchors"];
  if (!is_list(node, most_anchors))
    throw YamlFault(line_of(node.IsDefined() ? node : layer) +
                    "'anchors' must be a list of widths and heights, such as `[[10, 13], [16, 30]]`");
  Anchors anchors;
  for (const YAML::Node& pair : node) {
    if (!pair.IsSequence() || pair.size() != 2)
      throw YamlFault(line_of(pair) + "an anchor must be a width and a height, such as `[10, 13]`");
    anchors.emplace_back(number_at(pair[0], "anchors", 0, 1e6), number_at(pair[1], "anchors", 0, 1e6));
  }
  return anchors;
}

void read_layers(const YAML::Node& root, DetectorSpec& spec) {
  const YAML::Node layers = root["layers"];
  if (!is_list(layers, most_layers))
    throw YamlFault(line_of(layers.IsDefined() ? layers : root) +
                    "'layers' must be a list, each with a stride and anchors");
  for (const YAML::Node& layer : layers) {
    expect_keys(layer, layer_keys, "stride: 32");
    if (!layer["stride"].IsDefined()) throw YamlFault(line_of(layer) + "this layer has no 'stride'");
    const double stride = number_at(layer["stride"], "stride", 1, 4096);
    if (stride != std::floor(stride)) throw YamlFault(line_of(layer["stride"]) + "'stride' must be a whole number");
    if (!spec.strides.empty() && stride >= static_cast<double>(spec.strides.back()))
      throw YamlFault(line_of(layer["stride"]) + "the largest stride comes first");
    spec.strides.push_back(static_cast<std::int64_t>(stride));
    spec.anchors.push_back(anchors_of(layer));
    if (spec.anchors.back().size() != spec.anchors.front().size())
      throw YamlFault(line_of(layer) + "all layers must have as many anchors");
  }
}

DetectorSpec read(const YAML::Node& root) {
  expect_keys(root, keys, example);
  DetectorSpec spec;
  spec.name = text_at(root, "name");
  if (spec.name.empty() || spec.name != printable(spec.name, 60)) throw YamlFault("'name' must be a short word");
  spec.about = printable(text_at(root, "about"), 200);
  spec.form = word_at(root, "form", forms);
  const bool is_sorted = spec.form == DetectorForm::sorted_rows;
  const bool has_own_boxes = is_sorted || spec.form == DetectorForm::lists || spec.form == DetectorForm::scored_boxes;
  if (!has_own_boxes && root["box"].IsDefined() && text_at(root, "box") != "center_size")
    throw YamlFault(line_of(root["box"]) + "boxes of YOLO are 'center_size'");
  spec.box = has_own_boxes ? word_at(root, "box", box_forms) : BoxForm::center_size;
  spec.is_relative = flag_at(root, "relative");
  spec.least_score = number_or(root, "score", 0, 0, 1);
  spec.nms = number_or(root, "nms", 0, 0, 1);
  const bool is_last = root["background"].IsDefined() && text_at(root, "background") == "last";
  spec.background = is_last ? last_class : static_cast<std::int64_t>(number_or(root, "background", -1, -1, 1e6));
  spec.is_softmax = flag_at(root, "softmax");
  spec.usual_classes = static_cast<std::int64_t>(number_or(root, "usual_classes", 0, 0, 1e6));
  if (root["numbering"].IsDefined()) spec.numbering = word_at(root, "numbering", numberings);
  if (const YAML::Node outputs = root["outputs"]; outputs.IsDefined()) {
    expect_keys(outputs, output_keys, "boxes: [box]");
    spec.boxes = words_of(outputs, "boxes");
    spec.scores = words_of(outputs, "scores");
    spec.classes = words_of(outputs, "classes");
  }
  if (spec.form == DetectorForm::yolo_layers) read_layers(root, spec);
  if (spec.form != DetectorForm::yolo_layers && root["layers"].IsDefined())
    throw YamlFault(line_of(root["layers"]) + "'layers' belong to the form 'yolo_layers'");
  return spec;
}

}  // namespace

Result<DetectorSpec> read_detector_spec(const std::string& text, const std::string& where) {
  constexpr const char* hint = "docs/decisions.md tells what stands in such a file";
  return read_yaml(where, hint, [&] { return read(YAML::Load(text)); });
}

}  // namespace culprit
