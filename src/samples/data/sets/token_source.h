#pragma once
// Prepared texts (texts/prepared_texts.h) as samples of a model: tokens go to the inputs that are called as Hugging
// Face's models call them, in the sizes that the model wants.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "data/sets/text_set.h"
#include "model/model.h"

namespace culprit {

/// What somebody asks of it.
struct TokenWish {
  std::vector<NamedTensor> given = {};    ///< values of inputs that take no tokens
  std::int64_t generate = 0;              ///< tokens that the model is to go on with
  std::vector<std::string> classes = {};  ///< names of classes that culprit.yaml lists; labels must be among them
};

/// Samples for this model. Rows are as long as their tokens, or as long as the model's own size says, then filled with
/// the token for that; a sample that is longer is of no use (ErrorKind::bad_input of that sample). If tokens are to be
/// generated, a sample begins a text that the model goes on with (tensor/token_loop.h); else a model that tells what
/// comes next reads the text together with what is right to follow. `prepared.how` stands in what is told of the
/// samples. A model with encoder_hidden_states is fed with what an encoder made of the text, and with tokens of what is
/// said. Errors: those of PreparedTexts::open, states_of and classes_of_texts; usage (an input of which nobody knows
/// what to feed, which one; tokens are to be generated, and no output has scores [N,L,V]; the file tells of no encoder,
/// and one is needed).
Result<std::unique_ptr<SampleSource>> open_tokens(const ModelTexts& prepared, const Model& model, TokenWish wish);

/// The names of the model's classes that a source of open_tokens has; empty for others.
std::vector<std::string> text_classes(const SampleSource& source);

/// The same texts for an encoder (evaluate/encode_texts.h): each is read alone, whatever is right to follow, and
/// nothing is written. Errors: those of PreparedTexts::open; usage (an input of which nobody knows what to feed, which
/// one).
Result<std::unique_ptr<SampleSource>> open_encoder_tokens(const std::filesystem::path& file, const Model& encoder);

}  // namespace culprit
