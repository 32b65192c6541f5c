#include "tokens/tokenizer_parts.h"

#include <utility>

#include "base/json_depth.h"
#include "base/text.h"

namespace culprit {
namespace {

using nlohmann::json;

constexpr std::size_t largest_tokenizer = std::size_t{256} << 20U;
constexpr int deepest_tokenizer = 64;
/// A token of a Unigram model takes three: its list, its text and its score.
constexpr std::size_t most_json_values = std::size_t{3} * 16'000'000 + 100'000;

/// Says of each part of the file, while it is read, whether it is kept.
class KeptParts {
 public:
  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_end || event == Event::array_end) return true;
    if (event == Event::key && depth == 1) {
      part_ = parsed.get<std::string>();
      is_kept_ = is_one_of(part_, {"model", "added_tokens", "normalizer", "decoder"});
      return is_kept_;
    }
    if (event == Event::key && depth == 2 && part_ == "model")
      return is_kept_ = is_one_of(parsed.get<std::string>(), {"type", "vocab"});
    if (is_kept_) ++values_;
    return values_ <= most_json_values;
  }
  [[nodiscard]] bool is_too_much() const { return values_ > most_json_values; }

 private:
  std::string part_;
  bool is_kept_ = true;
  std::size_t values_ = 0;
};

json taken(json& file, const char* key) {
  const auto at = file.find(key);
  return at == file.end() ? json() : std::move(*at);
}

}  // namespace

tl::unexpected<Error> damaged_tokenizer(const std::string& found) {
  return fail(ErrorKind::bad_input, "the tokenizer.json " + found,
              "Take the file that belongs to the model, unchanged");
}

tl::unexpected<Error> unknown_in_tokenizer(const std::string& found) {
  return fail(ErrorKind::unsupported, "the tokenizer.json has " + found + ", which is not known here",
              "Decode with the Python package tokenizers");
}

Result<TokenizerParts> tokenizer_parts_of(std::string_view text) {
  if (text.size() > largest_tokenizer)
    return damaged_tokenizer("has " + human_bytes(text.size()) + ", and 256 MiB are the most");
  if (json_depth(text) > deepest_tokenizer)
    return damaged_tokenizer("is nested more than " + std::to_string(deepest_tokenizer) + " deep");
  KeptParts kept;
  const json::parser_callback_t keep = [&](int depth, json::parse_event_t event, json& parsed) {
    return kept(depth, event, parsed);
  };
  json file = json::parse(text, keep, /*allow_exceptions=*/false);
  if (kept.is_too_much()) return damaged_tokenizer("has more than 16 million tokens");
  if (file.is_discarded() || !file.is_object()) return damaged_tokenizer("is no JSON of an object");
  TokenizerParts parts{taken(file, "model"), taken(file, "added_tokens"), taken(file, "normalizer"),
                       taken(file, "decoder")};
  if (!parts.model.is_object()) return damaged_tokenizer("has no model");
  return parts;
}

}  // namespace culprit
