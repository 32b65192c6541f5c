#pragma once
// culprit completion SHELL: a script made of the parser's own options, so that it cannot know others.

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/outline.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

enum class Shell { bash, zsh, fish };

struct CompletionArguments {
  Shell shell = Shell::bash;
};

/// As typed.
struct CompletionFlags {
  std::string shell;
};

void add_completion(CommandParser& parser, CompletionFlags& flags);

/// ErrorKind::usage for a shell that is not known.
Result<CompletionArguments> resolve(const CompletionFlags& flags);

std::string completion_script(Shell shell, const std::vector<CommandOutline>& commands);

int run_completion(const CompletionArguments& arguments, const std::vector<CommandOutline>& commands,
                   Terminal& terminal);

}  // namespace culprit
