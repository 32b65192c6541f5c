#pragma once
// The commands and their options as shells need to know them: told by the parser, so that no script can know others.

#include <string>
#include <vector>

namespace culprit {

/// One option, or one positional argument, as a shell needs to know it.
struct OptionOutline {
  std::vector<std::string> names;  ///< "-o", "--output"; empty for a positional
  std::string help;
  enum class Takes { nothing, anything, file, folder, words, passes } takes = Takes::nothing;
  std::vector<std::string> words;  ///< for Takes::words
  bool repeatable = false;
};

struct CommandOutline {
  std::string name;  ///< "" for what may stand before any command
  std::string help;
  std::vector<OptionOutline> options;
};

}  // namespace culprit
