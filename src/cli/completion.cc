#include "cli/completion.h"

#include "cli/completion_parts.h"
#include "cli/exit_code.h"

namespace culprit {

std::vector<std::string> command_names(const std::vector<CommandOutline>& commands) {
  std::vector<std::string> names;
  for (const CommandOutline& command : commands)
    if (!command.name.empty()) names.push_back(command.name);
  return names;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
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
