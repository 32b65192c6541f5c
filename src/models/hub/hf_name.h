#pragma once
// A word that stands for a model of the Hugging Face hub: hf:org/model, hf:org/model@v1.0:onnx/model.onnx.

#include <string>
#include <string_view>

#include "base/error.h"

namespace culprit {

/// Does it begin with "hf:"?
bool is_hf_word(std::string_view word);

struct HfName {
  std::string repository;         ///< "org/model"; old ones have no "org/"
  std::string revision = "main";  ///< a branch, a tag, a commit, or such as "refs/pr/3"
  std::string file = {};          ///< from the root of the repository, with '/'; "": whichever is meant
};

/// "hf:org/model[@revision][:path/file.onnx]", or without "org/". ErrorKind::usage, with an example, for anything else.
Result<HfName> hf_name_of(const std::string& word);

/// The word that stands for it.
std::string word_of(const HfName& name);

/// 40 lower-case hex digits: what is there will never be anything else.
bool is_hf_commit(std::string_view revision);

/// Has it parts alone that are names in a folder? Not so: "", "/a", "a//b", "a/../b", "a\b", control characters.
bool is_path_of_names(std::string_view path);

}  // namespace culprit
