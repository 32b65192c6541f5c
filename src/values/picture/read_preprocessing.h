#pragma once
// A preprocessing as YAML (docs/preprocessing.md): in culprit.yaml under the key `preprocess`, or a file of its own.
// And those that culprit knows by name: preprocess/*.yaml, whose texts the binary carries.

#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "picture/preprocessing.h"

namespace culprit {

/// `where` names the text in messages. Other keys of a file with `preprocess` are left to others. An error where a key
/// is unknown, stands twice, or has a value that makes no sense; it names the line.
Result<Preprocessing> read_preprocessing(const std::string& text, const std::string& where);

/// Is it YAML with the key `preprocess`? A culprit.yaml may be about other things only.
bool names_preprocessing(const std::string& text);

/// The text that reads as the same preprocessing, what fitted() filled in included; without `preprocess:` before it.
std::string to_yaml(const Preprocessing& preprocessing);

struct PreprocessingPreset {
  std::string_view name;
  std::string_view text;
};
std::span<const PreprocessingPreset> preprocessing_presets();

/// An error that lists the names where there is none of this one.
Result<Preprocessing> preprocessing_named(std::string_view name);

}  // namespace culprit
