#pragma once
// What a file is that is not an ONNX model, told from its first bytes.

#include <string>
#include <string_view>

namespace culprit {

struct Guess {
  std::string what;  ///< "a git-LFS pointer"; "" where nothing is recognized
  std::string hint;  ///< what to do about it
};

Guess guess_format(std::string_view bytes);

/// Why bytes are not the message they ought to be, found by walking the outermost fields of a ModelProto:
/// "truncated: ...", "damaged", or "" where they do not even begin like one.
std::string describe_damage(std::string_view bytes);

}  // namespace culprit
