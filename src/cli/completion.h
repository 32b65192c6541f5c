#pragma once
// culprit completion SHELL: a script made of the parser's own options, so that it cannot know others.

#include <string>
#include <vector>

#include "cli/terminal.h"

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

enum class Shell { bash, zsh, fish };

struct CompletionArguments {
  Shell shell = Shell::bash;
};

std::string completion_script(Shell shell, const std::vector<CommandOutline>& commands);

int run_completion(const CompletionArguments& arguments, const std::vector<CommandOutline>& commands,
                   Terminal& terminal);

}  // namespace culprit
