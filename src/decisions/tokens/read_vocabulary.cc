#include "tokens/read_vocabulary.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/json_fields.h"
#include "base/text.h"
#include "tokens/added_form.h"

namespace culprit {
namespace {

using nlohmann::json;

constexpr std::size_t most_tokens = 16'000'000, longest_added = std::size_t{64} << 20U;

/// Numbers as texts, fractions, and what has no 32 bits are no ids.
bool is_token_id(const json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() <= std::numeric_limits<std::uint32_t>::max();
}

std::string shown(const std::string& token) { return "'" + printable(token, 50) + "'"; }

class VocabularyReader {
 public:
  explicit VocabularyReader(const TokenizerParts& parts) : parts_(parts) {}

  Result<Vocabulary> read() {
    auto ok = check_added();
    if (ok) ok = read_model();
    if (ok) ok = read_added();
    if (!ok) return tl::unexpected(ok.error());
    vocabulary_.mark_special(special_);
    return std::move(vocabulary_);
  }

 private:
  Result<void> check_added() {
    if (parts_.added_tokens.is_null()) return {};
    if (!parts_.added_tokens.is_array()) return damaged_tokenizer("has 'added_tokens' that are no list");
    std::unordered_map<std::int64_t, std::string> told;
    for (const json& added : parts_.added_tokens) {
      const json &content = field_in(added, "content"), &id = field_in(added, "id");
      if (!content.is_string()) return damaged_tokenizer("has an added token without a content");
      auto token = content.get<std::string>();
      if (!is_token_id(id)) return bad_id(token, id);
      if (!field_in(added, "special").is_boolean())
        return damaged_tokenizer("does not say of the added token " + shown(token) + " whether it is special");
      const auto [at, is_new] = told.emplace(id.get<std::int64_t>(), token);
      if (!is_new && at->second != token) return two_tokens(at->second, token, at->first);
      ids_of_added_.emplace(std::move(token), unknown);
    }
    return {};
  }

  Result<void> read_model() {
    const json &type = field_in(parts_.model, "type"), &vocab = field_in(parts_.model, "vocab");
    const std::string name = text_in(parts_.model, "type");  // older files have none
    if (!type.is_null() && !is_one_of(name, {"BPE", "WordPiece", "WordLevel", "Unigram"}))
      return unknown_in_tokenizer("a model of the type " + shown(name));
    const bool is_list = name == "Unigram" || (name.empty() && vocab.is_array());
    if (is_list ? !vocab.is_array() : !vocab.is_object())
      return damaged_tokenizer(std::string("has a model whose 'vocab' is no ") + (is_list ? "list" : "object"));
    if (vocab.size() > most_tokens) return damaged_tokenizer("has more than 16 million tokens");
    next_id_ = static_cast<std::int64_t>(vocab.size());
    return is_list ? read_list(vocab) : read_object(vocab);
  }

  /// {"the": 0, ...}
  Result<void> read_object(const json& vocab) {
    for (const auto& [token, id] : vocab.items()) {
      if (!is_token_id(id)) return bad_id(token, id);
      const auto number = id.get<std::int64_t>();
      if (vocabulary_.has(number)) return two_tokens(std::string(*vocabulary_.token(number)), token, number);
      set_of_model(number, token);
    }
    return {};
  }

  /// [["the", -2.5], ...]: a token's id is its place.
  Result<void> read_list(const json& vocab) {
    std::int64_t id = 0;
    for (const json& pair : vocab) {
      if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number())
        return damaged_tokenizer("has a 'vocab' whose token " + std::to_string(id) + " is no text with a score");
      set_of_model(id++, pair[0].get<std::string>());
    }
    return {};
  }

  void set_of_model(std::int64_t id, const std::string& token) {
    vocabulary_.set(id, token, token);
    if (const auto added = ids_of_added_.find(token); added != ids_of_added_.end()) added->second = id;
  }

  Result<void> read_added() {
    const auto forms = AddedForms::of(parts_.normalizer);
    if (!forms) return tl::unexpected(forms.error());
    for (const json& added : parts_.added_tokens) {
      const auto token = added["content"].get<std::string>();
      if (token.empty()) continue;
      std::int64_t& id = ids_of_added_[token];
      if (id == unknown) id = next_id_++;
      auto form = field_in(added, "normalized") == json(true) ? forms->form(token) : token;
      if (!form) return tl::unexpected(form.error());
      length_of_forms_ += form->size();
      if (length_of_forms_ > longest_added) return damaged_tokenizer("has too long added tokens");
      // A form that is another text stays with its id, even where another token has the id later.
      if (*form != token) changed_forms_[id] = *form;
      if (const auto changed = changed_forms_.find(id); changed != changed_forms_.end()) *form = changed->second;
      vocabulary_.set(id, token, *form);
      if (added["special"] == json(true)) special_.insert(token);
    }
    return {};
  }

  static tl::unexpected<Error> bad_id(const std::string& token, const json& id) {
    const std::string told = id.is_primitive() ? printable(id.dump(-1, ' ', true), 50) : "no number";
    return damaged_tokenizer("gives the token " + shown(token) + " the id " + told +
                             ", and ids are whole numbers of 32 bits");
  }

  static tl::unexpected<Error> two_tokens(const std::string& one, const std::string& other, std::int64_t id) {
    return damaged_tokenizer("gives the tokens " + shown(one) + " and " + shown(other) + " the same id " +
                             std::to_string(id));
  }

  static constexpr std::int64_t unknown = -1;

  const TokenizerParts& parts_;
  Vocabulary vocabulary_;
  std::unordered_map<std::string, std::int64_t> ids_of_added_;
  std::unordered_map<std::int64_t, std::string> changed_forms_;
  std::unordered_set<std::string> special_;
  std::int64_t next_id_ = 0;
  std::size_t length_of_forms_ = 0;
};

}  // namespace

Result<Vocabulary> read_vocabulary(const TokenizerParts& parts) { return VocabularyReader(parts).read(); }

}  // namespace culprit
