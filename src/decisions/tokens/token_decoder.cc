#include "tokens/token_decoder.h"

#include <utility>

#include "base/text.h"
#include "tokens/read_decode_steps.h"
#include "tokens/read_vocabulary.h"
#include "tokens/tokenizer_parts.h"

namespace culprit {

Result<TokenDecoder> TokenDecoder::of(std::string_view tokenizer_json) {
  const auto parts = tokenizer_parts_of(tokenizer_json);
  if (!parts) return tl::unexpected(parts.error());
  TokenDecoder decoder;
  auto vocabulary = read_vocabulary(*parts);
  if (!vocabulary) return tl::unexpected(vocabulary.error());
  decoder.vocabulary_ = std::move(*vocabulary);
  if (parts->decoder.is_null()) return decoder;
  auto steps = read_decode_steps(parts->decoder);
  if (!steps) return tl::unexpected(steps.error());
  decoder.steps_ = std::move(*steps);
  return decoder;
}

std::string TokenDecoder::decode(std::span<const std::int64_t> ids, bool skip_special) const {
  TokenTexts pieces;
  for (const std::int64_t id : ids)
    if (const auto form = vocabulary_.form(id); form && !(skip_special && vocabulary_.is_special(id)))
      pieces.emplace_back(*form);
  if (!steps_) return join(pieces, " ");
  for (const DecodeStep& step : *steps_) step(pieces);
  return join(pieces, "");
}

std::string TokenDecoder::token(std::int64_t id) const { return std::string(vocabulary_.token(id).value_or("")); }

bool TokenDecoder::is_special(std::int64_t id) const { return vocabulary_.is_special(id); }

std::int64_t TokenDecoder::size() const { return vocabulary_.size(); }

}  // namespace culprit
