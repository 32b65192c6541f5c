#pragma once
// Names that people write in whatever case: "CUDA", "cuda".

#include <algorithm>
#include <cctype>
#include <string>

namespace culprit {

/// Makes ASCII letters small; what else is there stays.
inline std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace culprit
