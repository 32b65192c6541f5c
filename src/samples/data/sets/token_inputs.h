#pragma once
// Which inputs of a model of language are fed with what: as Hugging Face's models call them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "model/state_pairs.h"
#include "tensor/token_loop.h"
#include "texts/prepared_texts.h"

namespace culprit {

/// What an input is for.
enum class TokenInput {
  none,
  ids,              ///< input_ids
  mask,             ///< attention_mask: 1 for each token, 0 for what only fills the row
  types,            ///< token_type_ids: 0 for the first text, 1 for the second
  positions,        ///< position_ids: 0, 1, ...
  right_ids,        ///< decoder_input_ids: what was said, or is right, moved on by one
  right_mask,       ///< decoder_attention_mask
  right_positions,  ///< position_ids of a decoder that is a file of its own
  encoded,          ///< encoder_hidden_states: what an encoder made of the text
  encoded_mask,     ///< encoder_attention_mask
  has_cache,        ///< use_cache_branch: may the caches be read? They may at all steps but the first
};

/// By its name: "model/input_ids:0" is one of ids.
TokenInput token_input_called(const std::string& name);

/// The same, of a decoder that is a file of its own (it has encoder_hidden_states): its tokens are what is said.
TokenInput of_lone_decoder(TokenInput use);

struct FedInput {
  ValueInfo declared;
  TokenInput use = TokenInput::none;
};

/// A model of language, as it is fed.
struct TokenModel {
  std::vector<FedInput> inputs;           ///< that take tokens and what belongs to them
  std::vector<NamedTensor> first_states;  ///< of a cache, in which nothing is yet; their parts say what is fed back
  std::string scores;                     ///< the output [N,L,V] that tells what comes next; "" where there is none

  [[nodiscard]] bool has(TokenInput use) const;
};

/// `given`: inputs that have a value already. `states`: what is fed back, if the model writes. ErrorKind::usage for an
/// input of which nobody knows what to feed, and which one.
Result<TokenModel> token_model(const Interface& interface, const std::vector<StatePair>& states,
                               const std::vector<NamedTensor>& given);

/// What says how the input goes on while the model writes (tensor/token_loop.h); "" where it stays.
std::string part_while_writing(TokenInput use, const TokenModel& model, const TokenLoop& loop);

/// The size of the rows that the model goes on with, where it is its own.
std::optional<std::int64_t> row_size(const TokenModel& model);

/// Can the model go on with texts for so many tokens? `positions`: that it has; 0: nobody says. Errors (usage) say what
/// it lacks.
Result<void> expect_can_write(const TokenModel& model, std::int64_t tokens, std::int64_t positions);

/// What such an input of has_cache is fed with at the first step.
Result<Tensor> no_cache_yet(const ValueInfo& input);

/// [rows, length] in the type of the input, filled up with `fill`.
Result<Tensor> rows_tensor(const TokenRows& rows, std::int64_t length, std::int64_t fill, DType type);

}  // namespace culprit
