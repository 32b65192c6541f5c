#include "sound/read_sound_preparation.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/read_yaml.h"
#include "base/text.h"
#include "base/yaml_fields.h"

namespace culprit {
namespace {

constexpr std::array keys_beside_sound{"sound"};
constexpr std::array sound_keys{"preset", "resample", "window", "hop", "context", "normalize", "scale"};

[[noreturn]] void wrong_sound(const YAML::Node& node, const std::string& what) {
  throw YamlFault(line_of(node) + what);
}

SoundPreparation sound_preset_in(const YAML::Node& node) {
  if (!node.IsScalar()) wrong_sound(node, "'preset' must be a name, such as wav2vec");
  const auto preset = sound_preparation_named(node.Scalar());
  if (!preset) wrong_sound(node, preset.error().text());
  return *preset;
}

/// `value` stays where the key is not there. 0 would mean that there is no such key.
void read_count(const YAML::Node& map, const char* key, std::int64_t least, std::int64_t& value) {
  const YAML::Node node = map[key];
  if (!node.IsDefined()) return;
  if (!node.IsScalar() || !YAML::convert<std::int64_t>::decode(node, value) || value < least)
    wrong_sound(node, fmt::format("'{}' must be a whole number from {}", key, least));
}

SoundPreparation sound_in(const YAML::Node& node) {
  if (node.IsScalar()) return sound_preset_in(node);
  expect_keys(node, sound_keys, "resample: 16000");
  SoundPreparation preparation;
  if (node["preset"]) preparation = sound_preset_in(node["preset"]);
  read_count(node, "resample", 1, preparation.rate);
  read_count(node, "window", 1, preparation.window);
  read_count(node, "hop", 1, preparation.hop);
  read_count(node, "context", 0, preparation.context);
  if (node["normalize"]) preparation.normalize = flag_at(node, "normalize");
  if (const YAML::Node scale = node["scale"])
    if (!scale.IsScalar() || !YAML::convert<double>::decode(scale, preparation.scale))
      wrong_sound(scale, "'scale' must be a number, such as 32768");
  if (const auto right = check_sound_preparation(preparation); !right) wrong_sound(node, right.error().text());
  return preparation;
}

/// The value of `preprocess`, where there is one.
YAML::Node preprocess_of(const YAML::Node& root) {
  return root.IsMap() ? root["preprocess"] : YAML::Node(YAML::NodeType::Undefined);
}

/// `preprocess: NAME` and `preprocess: {preset: NAME}` are short for the same below `sound`.
SoundPreparation read_sound_in(const YAML::Node& root) {
  expect_description_keys(root);
  const YAML::Node preprocess = preprocess_of(root);
  if (!preprocess.IsDefined()) wrong_sound(root, "there is no 'preprocess'");
  const bool is_preset = preprocess.IsScalar() || (preprocess.IsMap() && !preprocess["sound"] && preprocess["preset"]);
  if (is_preset) return sound_in(preprocess);
  if (!preprocess.IsMap() || !preprocess["sound"]) wrong_sound(preprocess, "there is no 'sound' below 'preprocess'");
  expect_keys(preprocess, keys_beside_sound, "sound: wav2vec");
  return sound_in(preprocess["sound"]);
}

}  // namespace

bool names_sound_preparation(const std::string& text) {
  try {
    return preprocess_of(YAML::Load(text)).IsDefined();
  } catch (const YAML::Exception&) {
    return false;
  }
}

std::string to_yaml(const SoundPreparation& preparation) {
  std::string keys = fmt::format("normalize: {}, scale: {}", preparation.normalize, preparation.scale);
  for (const auto& [key, value] : {std::pair{"resample", preparation.rate}, std::pair{"window", preparation.window},
                                   std::pair{"hop", preparation.hop}, std::pair{"context", preparation.context}})
    if (value != 0) keys += fmt::format(", {}: {}", key, value);
  return "preprocess: {sound: {" + keys + "}}\n";
}

Result<SoundPreparation> read_sound_preparation(const std::string& text, const std::string& where) {
  constexpr const char* hint = "such a file has, for example, preprocess: {sound: {resample: 16000, normalize: true}}";
  return read_yaml(printable(where), hint, [&] { return read_sound_in(YAML::Load(text)); });
}

}  // namespace culprit
