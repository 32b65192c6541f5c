#pragma once
// What decoding needs of a tokenizer.json; the rest of it, such as a hundred thousand merges, is not kept.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace culprit {

struct TokenizerParts {
  nlohmann::json model;         ///< an object, of which "type" and "vocab" are kept
  nlohmann::json added_tokens;  ///< null where there are none
  nlohmann::json normalizer, decoder;
};

/// An Error where the text is too large, nested too deep, no JSON, or no tokenizer.
Result<TokenizerParts> tokenizer_parts_of(std::string_view text);

/// `found` is what is wrong with the file, as the end of a sentence.
tl::unexpected<Error> damaged_tokenizer(const std::string& found);
/// `found` is what is not known here.
tl::unexpected<Error> unknown_in_tokenizer(const std::string& found);

}  // namespace culprit
