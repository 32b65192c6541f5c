#pragma once
// Prepared texts (texts/prepared_texts.h) as samples of a model: tokens go to the inputs that are called as Hugging
// Face's models call them, in the sizes that the model wants.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "model/model.h"

namespace culprit {

/// What an input of a model of language is for.
enum class TokenInput {
  none,
  ids,         ///< input_ids
  mask,        ///< attention_mask: 1 for each token, 0 for what only fills the row
  types,       ///< token_type_ids: 0 for the first text, 1 for the second
  positions,   ///< position_ids: 0, 1, ...
  right_ids,   ///< decoder_input_ids: what is right, moved on by one
  right_mask,  ///< decoder_attention_mask
};

/// By its name: "model/input_ids:0" is one of ids.
TokenInput token_input_called(const std::string& name);

/// Samples for this model. Rows are as long as their tokens, or as long as the model's own size says, then filled with
/// the token for that; a sample that is longer is of no use (ErrorKind::bad_input of that sample). `given`: values of
/// other inputs. Errors: those of PreparedTexts::open; usage (an input of which nobody knows what to feed, which one).
Result<std::unique_ptr<SampleSource>> open_tokens(const std::filesystem::path& file, const Model& model,
                                                  std::vector<NamedTensor> given);

}  // namespace culprit
