#pragma once
// What decoders get for an added token that is to be normalized: tokenizers 0.23 gives them what the normalizer makes
// of it, so "Hello" of a tokenizer of small letters is "hello".

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

class AddedForms {
 public:
  /// `normalizer` is that of a tokenizer.json, or null. Of its steps those count that make small letters, strip spaces,
  /// spell bytes with letters, and put in or replace plain texts. The others change no ASCII, or are not known here,
  /// and are left out. An Error where there are too many, or they put in too long a text.
  static Result<AddedForms> of(const nlohmann::json& normalizer);

  /// An Error where the form is too long.
  [[nodiscard]] Result<std::string> form(const std::string& token) const;

 private:
  Result<void> add(const nlohmann::json& normalizer);
  Result<void> add_replace(const nlohmann::json& normalizer);

  std::vector<std::function<std::string(const std::string&)>> steps_;
};

}  // namespace culprit
