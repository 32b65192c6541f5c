#pragma once
// How texts become tokens, as YAML: in culprit.yaml below `preprocess`,
//   preprocess:
//     text: {tokenizer: tokenizer.json, max_length: 128, stride: 32, split: test}
// or by the name of a preset, `text: bert`, which `preset: bert` among the keys changes in parts.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace culprit {

/// What somebody says of it; the rest is found at the model.
struct TextWish {
  std::string tokenizer = {};                     ///< a path from the folder of the file on; "": tokenizer.json there
  std::optional<std::int64_t> max_length = {};    ///< tokens of a row
  std::optional<std::int64_t> usual_length = {};  ///< the same of a preset: a model or a tokenizer with less has less
  std::int64_t stride = 0;                        ///< tokens that two windows of a long context share
  std::string split = {};                         ///< of a data set that has several

  bool operator==(const TextWish&) const = default;
};

/// bert: 512 tokens, windows share 128. gpt2: 1024 tokens. t5: 512 tokens. ErrorKind::usage for another name.
Result<TextWish> text_wish_named(std::string_view name);

/// Is it YAML with the key `text` below `preprocess`, or with the name of such a preset there?
bool names_text_wish(const std::string& text);

/// `where` names the text in messages. Other keys beside `preprocess` are left to others. ErrorKind::bad_input where a
/// key is unknown, stands twice, or has a value that makes no sense; it names the line.
Result<TextWish> read_text_wish(const std::string& text, const std::string& where);

/// The text of a file that reads as the same wish, but for `usual_length`, which is no key.
std::string to_yaml(const TextWish& wish);

}  // namespace culprit
