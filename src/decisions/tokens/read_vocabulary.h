#pragma once
// The vocabulary of a tokenizer.json: of the model, and the tokens that were added to it.

#include "base/error.h"
#include "tokens/tokenizer_parts.h"
#include "tokens/vocabulary.h"

namespace culprit {

/// As tokenizers numbers them: an added token has the id that the model has for its text, else the next one that is
/// free after the model's, whatever the file says of it. An Error where a model is not known, an id is no number of 32
/// bits or stands for two tokens, or there are more than 16 million tokens.
Result<Vocabulary> read_vocabulary(const TokenizerParts& parts);

}  // namespace culprit
