#include "tokens/plain_pattern.h"

#include "base/json_fields.h"
#include "base/text.h"
#include "tokens/tokenizer_parts.h"

namespace culprit {

Result<PlainPattern> plain_pattern_of(const nlohmann::json& replace) {
  const auto& pattern = field_in(replace, "pattern");
  const auto& content = field_in(replace, "content");
  if (!content.is_string()) return damaged_tokenizer("has a Replace without a content");
  const auto& text = field_in(pattern, "String");
  if (text.is_string()) return PlainPattern{text.get<std::string>(), content.get<std::string>()};
  const auto& regex = field_in(pattern, "Regex");
  if (!regex.is_string()) return damaged_tokenizer("has a Replace without a pattern");
  auto expression = regex.get<std::string>();
  if (expression.find_first_of("\\^$.|?*+()[]{}") != std::string::npos)
    return unknown_in_tokenizer("a Replace of the regular expression '" + printable(expression, 100) + "'");
  return PlainPattern{std::move(expression), content.get<std::string>()};
}

}  // namespace culprit
