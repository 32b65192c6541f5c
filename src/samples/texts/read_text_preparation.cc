#include "texts/read_text_preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/read_yaml.h"
#include "base/text.h"
#include "base/yaml_fields.h"

namespace culprit {
namespace {

constexpr std::array keys_beside_text{"text"};
constexpr std::array text_keys{"preset", "tokenizer", "max_length", "stride", "split"};
constexpr std::int64_t longest_row = 1 << 20;

struct TextPreset {
  std::string_view name;
  std::int64_t length, stride;
};
constexpr std::array text_presets{TextPreset{"bert", 512, 128}, TextPreset{"gpt2", 1024, 0}, TextPreset{"t5", 512, 0}};

TextWish text_preset_in(const YAML::Node& node) {
  if (!node.IsScalar()) throw YamlFault(line_of(node) + "'preset' must be a name, such as bert");
  const auto preset = text_wish_named(node.Scalar());
  if (!preset) throw YamlFault(line_of(node) + preset.error().text());
  return *preset;
}

/// nullopt where the key is not there.
std::optional<std::int64_t> tokens_at(const YAML::Node& map, const char* key, std::int64_t least) {
  const YAML::Node node = map[key];
  if (!node.IsDefined()) return std::nullopt;
  std::int64_t count = 0;
  if (!node.IsScalar() || !YAML::convert<std::int64_t>::decode(node, count) || count < least || count > longest_row)
    throw YamlFault(fmt::format("{}'{}' must be a whole number from {} to {}", line_of(node), key, least, longest_row));
  return count;
}

TextWish text_in_node(const YAML::Node& node) {
  if (node.IsScalar()) return text_preset_in(node);
  expect_keys(node, text_keys, "tokenizer: tokenizer.json");
  TextWish wish;
  if (node["preset"]) wish = text_preset_in(node["preset"]);
  wish.tokenizer = text_at(node, "tokenizer");
  wish.split = text_at(node, "split");
  wish.max_length = tokens_at(node, "max_length", 1);
  if (const auto stride = tokens_at(node, "stride", 0)) wish.stride = *stride;
  if (const std::int64_t most = wish.max_length.value_or(wish.usual_length.value_or(0));
      most > 0 && wish.stride >= most)
    throw YamlFault(fmt::format("{}a stride of {} leaves nothing of {} tokens", line_of(node), wish.stride, most));
  return wish;
}

/// The part that tells of texts; undefined where nothing does.
YAML::Node text_part(const YAML::Node& root) {
  const YAML::Node preprocess = root.IsMap() ? root["preprocess"] : YAML::Node(YAML::NodeType::Undefined);
  if (!preprocess.IsDefined()) return preprocess;
  if (preprocess.IsScalar() && text_wish_named(preprocess.Scalar())) return preprocess;
  return preprocess.IsMap() ? preprocess["text"] : YAML::Node(YAML::NodeType::Undefined);
}

TextWish read_wish(const YAML::Node& root) {
  expect_description_keys(root);
  const YAML::Node part = text_part(root);
  if (!part.IsDefined()) throw YamlFault(line_of(root) + "there is no 'text' below 'preprocess'");
  if (root["preprocess"].IsMap()) expect_keys(root["preprocess"], keys_beside_text, "text: bert");
  return text_in_node(part);
}

}  // namespace

Result<TextWish> text_wish_named(std::string_view name) {
  const auto* preset = std::ranges::find(text_presets, name, &TextPreset::name);
  if (preset != text_presets.end()) {
    TextWish wish;
    wish.usual_length = preset->length;
    wish.stride = preset->stride;
    return wish;
  }
  return fail(ErrorKind::usage, fmt::format("there is no preset '{}' for texts", printable(std::string(name), 60)),
              "there are bert, gpt2, t5");
}

bool names_text_wish(const std::string& text) {
  try {
    return text_part(YAML::Load(text)).IsDefined();
  } catch (const YAML::Exception&) {
    return false;
  }
}

std::string to_yaml(const TextWish& wish) {
  YAML::Emitter yaml;
  yaml << YAML::BeginMap << YAML::Key << "preprocess" << YAML::Value << YAML::BeginMap << YAML::Key << "text"
       << YAML::Value << YAML::BeginMap;
  for (const auto& [key, value] : {std::pair("tokenizer", wish.tokenizer), std::pair("split", wish.split)})
    if (!value.empty()) yaml << YAML::Key << key << YAML::Value << YAML::DoubleQuoted << value;
  if (wish.max_length) yaml << YAML::Key << "max_length" << YAML::Value << *wish.max_length;
  yaml << YAML::Key << "stride" << YAML::Value << wish.stride << YAML::EndMap << YAML::EndMap << YAML::EndMap;
  return std::string(yaml.c_str()) + "\n";
}

Result<TextWish> read_text_wish(const std::string& text, const std::string& where) {
  constexpr const char* hint = "such a file has, for example, preprocess: {text: {tokenizer: tokenizer.json}}";
  return read_yaml(printable(where), hint, [&] { return read_wish(YAML::Load(text)); });
}

}  // namespace culprit
