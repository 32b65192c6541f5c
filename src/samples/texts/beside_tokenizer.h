#pragma once
// What the files beside a tokenizer say of its model, as transformers writes them. What makes no sense there is passed
// over.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// How many places for tokens a model has: `max_position_embeddings` or `n_positions` of the config.json beside `file`,
/// which is a tokenizer or a model. Nothing where nobody says so.
std::optional<std::int64_t> positions_beside(const std::filesystem::path& file);

/// The most tokens of a row: `usual`, or fewer if a file says so: `model_max_length` in tokenizer_config.json,
/// or positions_beside.
std::int64_t most_tokens_beside(const std::filesystem::path& tokenizer, std::int64_t usual);

/// On which side a text that is too long is cut.
enum class CutSide { unsaid, left, right };

/// `truncation_side` in tokenizer_config.json; unsaid: tokenizer.json itself may tell.
CutSide cut_side_beside(const std::filesystem::path& tokenizer);

/// "left", "right", or "" where nobody says.
std::string_view name_of(CutSide side);

/// Tokens at both edges of what a model of language says; -1: no file tells.
struct EdgeTokens {
  std::int64_t first = -1;  ///< that a decoder begins with: `decoder_start_token_id`
  std::int64_t end = -1;    ///< `eos_token_id`, of several the first
  bool operator==(const EdgeTokens&) const = default;
};

/// The tokens that generation_config.json names; those it does not name, config.json tells.
EdgeTokens edge_tokens_beside(const std::filesystem::path& tokenizer);

/// The names of class 0, 1, ... as `id2label` of a config.json has them; empty where there is none, or only those that
/// transformers makes up, LABEL_0, LABEL_1. Absent where the file or the names make no sense.
std::optional<std::vector<std::string>> class_names_in(const std::filesystem::path& config);

}  // namespace culprit
