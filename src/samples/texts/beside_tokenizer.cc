#include "texts/beside_tokenizer.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/file.h"
#include "base/json_fields.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t largest_config = std::uint64_t{1} << 20;
constexpr std::int64_t largest_token = std::int64_t{1} << 31;

/// Null where there is no such file, or no JSON in it.
Json config_in(const fs::path& file) {
  const auto text = read_file(file, largest_config);
  return text ? Json::parse(*text, nullptr, /*allow_exceptions=*/false) : Json();
}

/// `otherwise` where there is no number that could be a length, or a larger one.
std::int64_t at_most(const Json& config, const char* key, std::int64_t otherwise) {
  const Json& number = field_in(config, key);
  if (!number.is_number_integer() || number.get<std::int64_t>() < 2) return otherwise;
  return std::min(otherwise, number.get<std::int64_t>());
}

std::int64_t token_in(const Json& config, const char* key) {
  const Json& told = field_in(config, key);
  const Json& token = told.is_array() && !told.empty() ? told.front() : told;
  if (!token.is_number_integer()) return -1;
  const auto number = token.get<std::int64_t>();
  return number >= 0 && number < largest_token ? number : -1;
}

}  // namespace

std::optional<std::int64_t> positions_beside(const fs::path& file) {
  constexpr std::int64_t unsaid = std::numeric_limits<std::int64_t>::max();
  const Json config = config_in(file.parent_path() / "config.json");
  std::int64_t positions = unsaid;
  for (const char* key : {"max_position_embeddings", "n_positions"}) positions = at_most(config, key, positions);
  return positions < unsaid ? std::optional(positions) : std::nullopt;
}

std::int64_t most_tokens_beside(const fs::path& tokenizer, std::int64_t usual) {
  const Json config = config_in(tokenizer.parent_path() / "tokenizer_config.json");
  return at_most(config, "model_max_length", std::min(usual, positions_beside(tokenizer).value_or(usual)));
}

CutSide cut_side_beside(const fs::path& tokenizer) {
  const Json config = config_in(tokenizer.parent_path() / "tokenizer_config.json");
  const std::string told = text_in(config, "truncation_side");
  for (const CutSide side : {CutSide::left, CutSide::right})
    if (told == name_of(side)) return side;
  return CutSide::unsaid;
}

std::string_view name_of(CutSide side) {
  switch (side) {
    case CutSide::left:
      return "left";
    case CutSide::right:
      return "right";
    case CutSide::unsaid:
      break;
  }
  return "";
}

EdgeTokens edge_tokens_beside(const fs::path& tokenizer) {
  EdgeTokens edges;
  for (const char* name : {"generation_config.json", "config.json"}) {
    const Json config = config_in(tokenizer.parent_path() / name);
    if (edges.first < 0) edges.first = token_in(config, "decoder_start_token_id");
    if (edges.end < 0) edges.end = token_in(config, "eos_token_id");
  }
  return edges;
}

std::optional<std::vector<std::string>> class_names_in(const fs::path& config) {
  std::error_code ignored;
  if (!fs::exists(config, ignored)) return std::vector<std::string>();
  const Json told = config_in(config);
  const Json& listed = field_in(told, "id2label");
  if (told.is_object() && listed.is_null()) return std::vector<std::string>();
  if (!listed.is_object()) return std::nullopt;
  std::vector<std::string> names;
  bool is_told = false;
  for (std::size_t i = 0; i < listed.size(); ++i) {
    std::string name = text_in(listed, std::to_string(i).c_str());
    if (name.empty()) return std::nullopt;
    is_told |= name != "LABEL_" + std::to_string(i);
    names.push_back(std::move(name));
  }
  return is_told ? names : std::vector<std::string>();
}

}  // namespace culprit
