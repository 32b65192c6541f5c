#pragma once
// Texts that nobody has prepared yet: how they become tokens for a model, as the user says, as the file beside the
// model says, or with the tokenizer that lies beside the model.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "data/data_set.h"
#include "model/model.h"

namespace culprit {

/// Do the data look like texts that are to be prepared? Their first bytes are read.
bool are_plain_texts(const std::filesystem::path& data);

/// Does a file beside the model tell how texts become tokens: culprit.yaml, or a tokenizer.json?
bool tells_tokens(const Model& model);

struct ModelTexts {
  std::filesystem::path file;  ///< prepared
  std::string how;             ///< for people: "rows of at most 512 tokens by tokenizer.json: as culprit.yaml ... says"
  std::string preparation = {};  ///< as a file of --preprocess says it; "": they were prepared before
};

/// Has `options.data.data` prepared for this model; `options.data.preprocess` is a preset, a file, "auto" or "".
/// Errors: usage (nobody knows the tokenizer), those of read_text_wish and prepare_texts.
Result<ModelTexts> texts_for(const Model& model, const DataSetOptions& options);

}  // namespace culprit
