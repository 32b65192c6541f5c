#include "cli/commands/completion.h"

#include <algorithm>

#include "base/text.h"
#include "cli/completion_parts.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"

namespace culprit {
namespace {

const std::vector<std::string> shells{"bash", "zsh", "fish"};  // in the order of Shell

}  // namespace

void add_completion(CommandParser& parser, CompletionFlags& flags) {
  const Flags command =
      parser.add_command({.name = "completion",
                          .heading = heading_facts,
                          .about = "Print a script that completes commands in a shell",
                          .examples = {"source <(culprit completion bash)",
                                       "culprit completion fish > ~/.config/fish/completions/culprit.fish"},
                          .exit_codes = exit_codes_of_facts});
  command.word("SHELL", flags.shell, join(shells, "|"), "bash, zsh or fish").required();
}

Result<CompletionArguments> resolve(const CompletionFlags& flags) {
  const auto shell = choice("completion", flags.shell, shells);
  if (!shell) return tl::unexpected(shell.error());
  const auto place = std::find(shells.begin(), shells.end(), *shell) - shells.begin();
  return CompletionArguments{static_cast<Shell>(place)};
}

std::vector<std::string> command_names(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> names;
  for (const CommandOutline& command : commands)
    if (!command.name.empty()) names.push_back(command.name);
  return names;
}

std::string completion_script(Shell shell, const std::vector<CommandOutline>& commands) {
  switch (shell) {
    case Shell::bash:
      return bash_script(commands);
    case Shell::zsh:
      return zsh_script(commands);
    case Shell::fish:
      return fish_script(commands);
  }
  return "";
}

int run_completion(const CompletionArguments& arguments, const std::vector<CommandOutline>& commands,
                   Terminal& terminal) {
  const auto printed = terminal.print(completion_script(arguments.shell, commands));
  if (printed) return exit_code::nothing_wrong;
  terminal.complain(printed.error().text());
  return exit_code_of(printed.error().kind);
}

}  // namespace culprit
