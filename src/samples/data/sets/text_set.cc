#include "data/sets/text_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "data/data_beside.h"
#include "data/sample_folders.h"
#include "data/sets/token_inputs.h"
#include "texts/beside_tokenizer.h"
#include "texts/cached_texts.h"
#include "texts/prepared_texts.h"
#include "texts/read_text_preparation.h"
#include "texts/text_files.h"

namespace culprit {
namespace {

struct ChosenTextWish {
  TextWish wish;
  fs::path tokenizer;
  std::string why;
};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool has_input(const Model& model, TokenInput use) {
  return std::ranges::any_of(model.interface.inputs,
                             [&](const ValueInfo& input) { return token_input_called(input.name) == use; });
}

/// The preset that fits what the inputs and outputs are called.
const char* usual_preset(const Model& model) {
  if (has_input(model, TokenInput::right_ids)) return "t5";
  const bool tells_next = std::ranges::any_of(model.interface.outputs, [](const ValueInfo& output) {
    return output.name == "logits" && output.dims.size() == 3;
  });
  return tells_next && !has_input(model, TokenInput::types) ? "gpt2" : "bert";
}

Result<ChosenTextWish> wish_of_user(const Model& model, const std::string& wish) {
  const std::string why = "as --preprocess " + printable(wish) + " says";
  if (is_file(wish)) {
    const auto text = read_file(wish, largest_description);
    if (!text) return tl::unexpected(text.error());
    auto read = read_text_wish(*text, wish);
    if (!read) return tl::unexpected(read.error());
    const fs::path name = read->tokenizer.empty() ? "tokenizer.json" : read->tokenizer;
    return ChosenTextWish{std::move(*read), fs::path(wish).parent_path() / name, why};
  }
  auto named = text_wish_named(wish);
  if (!named) return tl::unexpected(named.error());
  return ChosenTextWish{std::move(*named), parent_folder(model.path) / "tokenizer.json", why};
}

/// What culprit.yaml names may come from anywhere, so it lies in its folder.
Result<ChosenTextWish> wish_of_description(const DescriptionBeside& beside) {
  auto read = read_text_wish(beside.text, beside.where);
  if (!read) return tl::unexpected(read.error());
  auto place = path_inside(beside.folder, read->tokenizer.empty() ? "tokenizer.json" : read->tokenizer);
  if (!place) return fail(ErrorKind::bad_input, beside.where + ": 'tokenizer': " + place.error().message);
  return ChosenTextWish{std::move(*read), std::move(*place), "as culprit.yaml beside the model says"};
}

Result<ChosenTextWish> chosen_wish(const Model& model, const DataSetOptions& options) {
  const std::string& wish = options.data.preprocess;
  if (!wish.empty() && wish != "auto") return wish_of_user(model, wish);
  const auto beside = description_beside(model);
  if (!beside) return tl::unexpected(beside.error());
  if (*beside && names_text_wish((*beside)->text)) return wish_of_description(**beside);
  fs::path tokenizer = parent_folder(model.path) / "tokenizer.json";
  if (is_file(tokenizer)) return ChosenTextWish{{}, std::move(tokenizer), "guessed, for it lies beside the model"};
  const std::string data = printable(options.data.data.string());
  return fail(ErrorKind::usage, "--data " + data + ": these are texts, and models are fed with tokens",
              "put the model's tokenizer.json beside it, or prepare them: culprit data prepare " + data +
                  " --tokenizer tokenizer.json -o texts.jsonl");
}

/// The length that rows of this model have, if it is its own.
std::int64_t own_length(const Model& model, std::int64_t otherwise) {
  for (const ValueInfo& input : model.interface.inputs)
    if (token_input_called(input.name) == TokenInput::ids && input.dims.size() == 2)
      return std::min(otherwise, input.dims[1].value.value_or(otherwise));
  return otherwise;
}

/// Rows of a model that goes on with them leave room for that, but for the last token, which is not read.
std::int64_t with_room(std::int64_t length, const Model& model, const fs::path& tokenizer, std::int64_t generate) {
  if (generate == 0 || has_input(model, TokenInput::right_ids) || has_input(model, TokenInput::encoded)) return length;
  const std::int64_t told = positions_beside(model.path).value_or(positions_beside(tokenizer).value_or(length));
  const std::int64_t positions = own_length(model, told);
  const std::int64_t left = positions - (generate - 1);
  return left > 0 ? std::min(length, left) : length;
}

}  // namespace

bool are_plain_texts(const fs::path& data) {
  return !data.empty() && !holds_test_data(data) && may_be_texts(data) && !PreparedTexts::is_one(data);
}

bool tells_tokens(const Model& model) {
  const auto beside = description_beside(model);
  return is_file(parent_folder(model.path) / "tokenizer.json") || !beside ||
         (*beside && names_text_wish((*beside)->text));
}

Result<ModelTexts> texts_for(const Model& model, const DataSetOptions& options) {
  if (!options.labels.empty())
    return fail(ErrorKind::usage, "--labels is for images and sounds: a text's label stands beside it",
                "docs/texts.md tells where");
  auto chosen = chosen_wish(model, options);
  if (!chosen) return tl::unexpected(chosen.error());
  TextWish wish = chosen->wish;
  std::string preset;
  if (!wish.max_length && !wish.usual_length) {
    preset = usual_preset(model);
    const auto usual = text_wish_named(preset);
    wish.usual_length = usual->usual_length;
    if (wish.stride == 0) wish.stride = usual->stride;
  }
  TextPreparation how;
  how.tokenizer = chosen->tokenizer;
  how.split = wish.split;
  const std::int64_t usual = most_tokens_beside(chosen->tokenizer, wish.usual_length.value_or(0));
  how.max_length = wish.max_length
                       ? *wish.max_length
                       : with_room(own_length(model, usual), model, chosen->tokenizer, options.data.generate);
  how.stride = std::min(wish.stride, how.max_length / 4 * 3);
  auto file =
      prepared_in_cache(options.data.data, how, options.work.empty() ? fs::temp_directory_path() : options.work);
  if (!file) return tl::unexpected(file.error());
  ModelTexts texts{std::move(*file), fmt::format("rows of at most {} tokens by {}{}: {}", how.max_length,
                                                 printable(how.tokenizer.filename().string()),
                                                 preset.empty() ? "" : ", as for " + preset, chosen->why)};
  texts.preparation =
      to_yaml(TextWish{fs::absolute(how.tokenizer).string(), how.max_length, {}, how.stride, how.split});
  return texts;
}

}  // namespace culprit
