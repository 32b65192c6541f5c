#include "tokens/added_form.h"

#include <algorithm>
#include <string_view>

#include "base/json_fields.h"
#include "base/text.h"
#include "base/utf8.h"
#include "text/unicode.h"
#include "tokens/byte_letters.h"
#include "tokens/decode_steps.h"
#include "tokens/plain_pattern.h"
#include "tokens/tokenizer_parts.h"

namespace culprit {
namespace {

using nlohmann::json;

constexpr std::size_t most_normalizers = 256, longest_form = std::size_t{64} << 10U, longest_put_in = 1000;

std::string utf8_of(std::u32string_view characters) {
  std::string text;
  for (const char32_t character : characters) append_utf8(text, character);
  return text;
}

std::string small_letters(const std::string& text) { return utf8_of(lower_text(characters_of(text))); }

/// As Unicode has it; Python's str.strip() takes the four separators of ASCII, too.
bool is_white_space(char32_t character) { return is_space(character) && (character < 0x1c || character > 0x1f); }

std::string stripped(const std::string& text, bool left, bool right) {
  const std::u32string all = characters_of(text);
  auto begin = all.begin(), end = all.end();
  if (left) begin = std::find_if_not(begin, end, is_white_space);
  while (right && end != begin && is_white_space(*(end - 1))) --end;
  return utf8_of({begin, end});
}

bool is_set(const json& normalizer, const char* key) { return field_in(normalizer, key) == json(true); }

}  // namespace

Result<AddedForms> AddedForms::of(const json& normalizer) {
  AddedForms forms;
  if (auto ok = forms.add(normalizer); !ok) return tl::unexpected(ok.error());
  return forms;
}

/// Sequences are in one another as deep as the JSON is nested, which is limited.
Result<void> AddedForms::add(const json& normalizer) {
  const std::string type = text_in(normalizer, "type");
  if (type == "Sequence") {
    for (const json& inner : list_in(normalizer, "normalizers"))
      if (auto ok = add(inner); !ok) return ok;
  } else if (type == "Lowercase" || (type == "BertNormalizer" && is_set(normalizer, "lowercase"))) {
    steps_.emplace_back(small_letters);
  } else if (type == "ByteLevel") {
    steps_.emplace_back(letters_of_bytes);
  } else if (type == "Strip") {
    steps_.emplace_back([left = is_set(normalizer, "strip_left"), right = is_set(normalizer, "strip_right")](
                            const std::string& text) { return stripped(text, left, right); });
  } else if (type == "Prepend") {
    const std::string before = text_in(normalizer, "prepend");
    if (before.size() > longest_put_in) return damaged_tokenizer("has a normalizer that puts in too long a text");
    steps_.emplace_back([before](const std::string& text) { return text.empty() ? text : before + text; });
  } else if (type == "Replace") {
    return add_replace(normalizer);
  }
  if (steps_.size() > most_normalizers) return damaged_tokenizer("has too many normalizers");
  return {};
}

Result<void> AddedForms::add_replace(const json& normalizer) {
  const auto pattern = plain_pattern_of(normalizer);
  if (!pattern) return {};
  if (pattern->by.size() > longest_put_in) return damaged_tokenizer("has a normalizer that puts in too long a text");
  steps_.emplace_back([replace = *pattern](const std::string& text) {
    TokenTexts texts{text};
    replace_in_tokens(texts, replace.what, replace.by);
    return std::move(texts.front());
  });
  return {};
}

Result<std::string> AddedForms::form(const std::string& token) const {
  std::string form = token;
  for (const auto& step : steps_) {
    if (form.size() > longest_form) return damaged_tokenizer("has an added token of more than 64 KiB");
    form = step(form);
  }
  return form;
}

}  // namespace culprit
