#pragma once
// Which of the words that there are did a person mean?

#include <span>
#include <string>
#include <string_view>

namespace culprit {

/// The candidate that `word` is a typing mistake of (`closest`, base/text.h), else the shortest one that it is short
/// for: "fuse_bn_conv" of "fuse_bn_into_conv", "detect" of "detection"; "" where there is none.
std::string meant_word(std::string_view word, std::span<const std::string> candidates);

/// "; did you mean fuse_bn_into_conv?", or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

}  // namespace culprit
