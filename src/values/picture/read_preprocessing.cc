#include "picture/read_preprocessing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/meant_word.h"
#include "base/read_yaml.h"
#include "base/text.h"
#include "base/yaml_fields.h"

namespace culprit {
namespace {

constexpr std::array top_keys{"preset", "about", "backend", "color", "resize", "crop", "letterbox",
                              "pad",    "scale", "mean",    "std",   "layout", "dtype"};
constexpr std::array resize_keys{"size", "shorter", "longer", "only", "multiple", "filter", "antialias"};
constexpr std::array crop_keys{"size"};
constexpr std::array letterbox_keys{"size", "color", "place", "filter", "antialias"};
constexpr std::array pad_keys{"size", "multiple", "color", "place"};
constexpr int longest_side = 65536;

[[noreturn]] void wrong(const YAML::Node& node, const std::string& what) { throw YamlFault(line_of(node) + what); }

/// One of a few words. `words` are told where it is none of them.
template <class Word>
Word word_at(const YAML::Node& node, const char* key, std::span<const std::pair<std::string_view, Word>> words) {
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  std::string known;
  for (const auto& [name, word] : words) {
    if (name == text) return word;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  wrong(node, fmt::format("'{}' must be one of {}", key, known));
}

constexpr std::array<std::pair<std::string_view, Backend>, 5> backends{{{"pillow", Backend::pillow},
                                                                        {"pillow12", Backend::pillow12},
                                                                        {"opencv", Backend::opencv},
                                                                        {"torch", Backend::torch},
                                                                        {"tf", Backend::tf}}};
constexpr std::array<std::pair<std::string_view, Filter>, 9> filters{{{"nearest", Filter::nearest},
                                                                      {"nearest-exact", Filter::nearest_exact},
                                                                      {"bilinear", Filter::bilinear},
                                                                      {"linear", Filter::bilinear},
                                                                      {"bicubic", Filter::bicubic},
                                                                      {"cubic", Filter::bicubic},
                                                                      {"lanczos", Filter::lanczos},
                                                                      {"area", Filter::area},
                                                                      {"box", Filter::area}}};
constexpr std::array<std::pair<std::string_view, ColorOrder>, 4> colors{
    {{"rgb", ColorOrder::rgb}, {"bgr", ColorOrder::bgr}, {"grey", ColorOrder::grey}, {"gray", ColorOrder::grey}}};
constexpr std::array<std::pair<std::string_view, PixelLayout>, 2> layouts{
    {{"nchw", PixelLayout::nchw}, {"nhwc", PixelLayout::nhwc}}};
constexpr std::array<std::pair<std::string_view, ResizeOnly>, 2> onlys{
    {{"enlarge", ResizeOnly::enlarge}, {"shrink", ResizeOnly::shrink}}};
constexpr std::array<std::pair<std::string_view, bool>, 2> places{{{"center", false}, {"corner", true}}};

/// 0.5, or 1/255.
double number_in(const YAML::Node& node, const char* key) {
  double value = 0;
  double below = 1;
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  const auto slash = text.find('/');
  const YAML::Node above(text.substr(0, slash));
  bool is_number = YAML::convert<double>::decode(above, value);
  if (slash != std::string::npos) {
    is_number = is_number && YAML::convert<double>::decode(YAML::Node(text.substr(slash + 1)), below) && below != 0;
  }
  if (!is_number || !std::isfinite(value / below))
    wrong(node, fmt::format("'{}' must be a number, such as 0.5 or 1/255", key));
  return value / below;
}

std::vector<double> numbers_in(const YAML::Node& node, const char* key) {
  if (!node.IsSequence()) return {number_in(node, key)};
  if (node.size() != 1 && node.size() != 3)
    wrong(node, fmt::format("'{}' must be one number, or three: one for each channel", key));
  std::vector<double> numbers;
  for (const YAML::Node& number : node) numbers.push_back(number_in(number, key));
  return numbers;
}

int whole_number_in(const YAML::Node& node, const char* key, int least, int most) {
  int value = 0;
  if (!node.IsScalar() || !YAML::convert<int>::decode(node, value) || value < least || value > most)
    wrong(node, fmt::format("'{}' must be a whole number from {} to {}", key, least, most));
  return value;
}

/// 224, `input`, or input/0.875.
SideLength side_in(const YAML::Node& node, const char* key) {
  const std::string text = node.IsScalar() ? node.Scalar() : "";
  if (text == "input") return {};
  if (text.starts_with("input/")) {
    double share = 0;
    if (YAML::convert<double>::decode(YAML::Node(text.substr(6)), share) && share > 0.01 && share <= 100)
      return {0, share};
  }
  int pixels = 0;
  if (node.IsScalar() && YAML::convert<int>::decode(node, pixels) && pixels >= 1 && pixels <= longest_side)
    return {pixels};
  wrong(node, fmt::format("'{}' must be a number of pixels from 1 to {}, `input`, or such as `input/0.875`", key,
                          longest_side));
}

void read_size(const YAML::Node& node, const char* key, PictureStep& step) {
  if (node.IsSequence() && node.size() == 2) {
    step.height = side_in(node[0], key);
    step.width = side_in(node[1], key);
    return;
  }
  if (!node.IsScalar()) wrong(node, fmt::format("'{}' must be one length, or [height, width]", key));
  step.height = step.width = side_in(node, key);
}

Colour colour_in(const YAML::Node& node) {
  if (!node.IsSequence()) {
    const auto grey = static_cast<std::uint8_t>(whole_number_in(node, "color", 0, 255));
    return {grey, grey, grey};
  }
  if (node.size() != 3) wrong(node, "'color' must be a grey from 0 to 255, or [red, green, blue]");
  Colour colour{};
  for (std::size_t c = 0; c < 3; ++c) colour[c] = static_cast<std::uint8_t>(whole_number_in(node[c], "color", 0, 255));
  return colour;
}

void read_way(const YAML::Node& map, PictureStep& step) {
  if (const YAML::Node node = map["filter"]) step.filter = word_at<Filter>(node, "filter", filters);
  step.antialias = flag_at(map, "antialias");
  if (const YAML::Node node = map["multiple"]) step.multiple = whole_number_in(node, "multiple", 1, longest_side);
  if (const YAML::Node node = map["color"]) step.color = colour_in(node);
  if (const YAML::Node node = map["place"]) step.in_corner = word_at<bool>(node, "place", places);
  if (const YAML::Node node = map["size"]) read_size(node, "size", step);
}

std::span<const char* const> keys_of(PictureStepKind kind) {
  switch (kind) {
    case PictureStepKind::resize:
      return resize_keys;
    case PictureStepKind::crop:
      return crop_keys;
    case PictureStepKind::letterbox:
      return letterbox_keys;
    default:
      return pad_keys;
  }
}

/// A size alone, or a map.
PictureStep step_in(const YAML::Node& node, PictureStepKind kind, const char* key) {
  PictureStep step;
  step.kind = kind;
  if (kind == PictureStepKind::letterbox) step.color = {114, 114, 114};
  if (!node.IsMap()) {
    read_size(node, key, step);
    return step;
  }
  expect_keys(node, keys_of(kind), "size: input");
  read_way(node, step);
  int ways = node["size"] ? 1 : 0;
  for (const auto& [name, to] : {std::pair{"shorter", ResizeTo::shorter}, std::pair{"longer", ResizeTo::longer}}) {
    if (kind != PictureStepKind::resize || !node[name]) continue;
    step.to = to;
    step.height = step.width = side_in(node[name], name);
    ++ways;
  }
  if (ways > 1) wrong(node, "only one of 'size', 'shorter' and 'longer' can be");
  if (const YAML::Node only = node["only"]) {
    if (step.to == ResizeTo::size) wrong(only, "'only' goes with 'shorter' or 'longer'");
    step.only = word_at<ResizeOnly>(only, "only", onlys);
  }
  return step;
}

constexpr std::array<std::pair<const char*, PictureStepKind>, 4> step_names{{{"resize", PictureStepKind::resize},
                                                                             {"crop", PictureStepKind::crop},
                                                                             {"letterbox", PictureStepKind::letterbox},
                                                                             {"pad", PictureStepKind::pad}}};

/// In the order in which they stand in the file.
std::vector<PictureStep> steps_in(const YAML::Node& map) {
  std::vector<PictureStep> steps;
  for (const auto& entry : map) {
    const auto key = entry.first.as<std::string>();
    const auto* found = std::ranges::find_if(step_names, [&](const auto& name) { return key == name.first; });
    if (found != step_names.end()) steps.push_back(step_in(entry.second, found->second, found->first));
  }
  return steps;
}

DType type_in(const YAML::Node& node) {
  const auto type = node.IsScalar() ? dtype_named(node.Scalar()) : std::nullopt;
  if (!type) wrong(node, "'dtype' must be a type, such as float32, float16, uint8 or int8");
  return *type;
}

Preprocessing preset_in(const YAML::Node& node) {
  if (!node.IsScalar()) wrong(node, "'preset' must be a name, such as torchvision");
  auto preset = preprocessing_named(node.Scalar());
  if (!preset) wrong(node, preset.error().text());
  return *preset;
}

Preprocessing read(const YAML::Node& node) {
  if (node.IsScalar()) return preset_in(node);
  expect_keys(node, top_keys, "resize: input");
  Preprocessing preprocessing;
  if (node["preset"]) preprocessing = preset_in(node["preset"]);
  if (node["about"]) preprocessing.about = printable(text_at(node, "about"), 200);
  if (const YAML::Node key = node["backend"]) preprocessing.backend = word_at<Backend>(key, "backend", backends);
  if (const YAML::Node key = node["color"]) preprocessing.color = word_at<ColorOrder>(key, "color", colors);
  if (const YAML::Node key = node["layout"]) preprocessing.layout = word_at<PixelLayout>(key, "layout", layouts);
  if (const YAML::Node key = node["scale"]) preprocessing.scale = number_in(key, "scale");
  if (const YAML::Node key = node["mean"]) preprocessing.mean = numbers_in(key, "mean");
  if (const YAML::Node key = node["std"]) preprocessing.std = numbers_in(key, "std");
  if (const YAML::Node key = node["dtype"]) preprocessing.dtype = type_in(key);
  if (auto steps = steps_in(node); !steps.empty()) preprocessing.steps = std::move(steps);
  for (const double value : preprocessing.std)
    if (value == 0) wrong(node["std"], "'std' must not be 0");
  for (const PictureStep& step : preprocessing.steps)
    if (auto known = check_method({preprocessing.backend, step.filter, step.antialias}); !known)
      wrong(node, known.error().text());
  return preprocessing;
}

}  // namespace

Result<Preprocessing> read_preprocessing(const std::string& text, const std::string& where) {
  constexpr const char* hint = "docs/preprocessing.md tells what stands in such a file";
  return read_yaml(printable(where), hint, [&] {
    const YAML::Node root = YAML::Load(text);
    if (root.IsMap() && root["preprocess"]) expect_description_keys(root);
    return read(root.IsMap() && root["preprocess"] ? root["preprocess"] : root);
  });
}

bool names_preprocessing(const std::string& text) {
  try {
    const YAML::Node root = YAML::Load(text);
    return root.IsMap() && root["preprocess"].IsDefined();
  } catch (const YAML::Exception&) {
    return false;
  }
}

Result<Preprocessing> preprocessing_named(std::string_view name) {
  std::vector<std::string> names;
  for (const auto& preset : preprocessing_presets()) {
    if (preset.name == name)
      return read_preprocessing(std::string(preset.text), "preprocess/" + std::string(name) + ".yaml");
    names.emplace_back(preset.name);
  }
  const std::string near = meant_word(name, names);
  return fail(ErrorKind::usage, "there is no preset '" + printable(name, 60) + "'",
              near.empty() ? "there are " + join(names, ", ") : "did you mean '" + near + "'?");
}

}  // namespace culprit
