#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "cli/completion_parts.h"

namespace culprit {
namespace {

using Takes = OptionOutline::Takes;

constexpr std::string_view beginning = R"fish(# Completion of culprit for fish. Use: culprit completion fish | source
function __culprit_passes  # a,b, stays before the last name
    set -l before (string match -r '.*,' -- (string replace -r '^--[a-z]+=' '' -- (commandline -ct)))
    culprit passes --names 2>/dev/null | string replace -r '^' "$before"
end
complete -c culprit -f
)fish";

std::string quoted(std::string text) {
  for (const auto& [what, by] : {std::pair{"\\", "\\\\"}, {"'", "\\'"}}) text = replace_all(std::move(text), what, by);
  return "'" + text + "'";
}

std::string fish_action(const OptionOutline& option) {
  switch (option.takes) {
    case Takes::nothing:
      return "";
    case Takes::words:
      return fmt::format(" -x -a '{}'", join(option.words, " "));
    case Takes::passes:
      return " -x -a '(__culprit_passes)'";
    case Takes::file:
      return is_positional(option) ? " -F" : " -r -F";
    case Takes::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Takes::anything:
      return " -x";
  }
  return "";
}

std::string line_of(const OptionOutline& option, const std::string& condition) {
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return fmt::format("complete -c culprit -n {}{}{} -d {}\n", quoted(condition), names, fish_action(option),
                     quoted(option.help));
}

}  // namespace

std::string fish_script(const std::vector<CommandOutline>& commands) {
  std::string text(beginning);
  for (const CommandOutline& command : commands) {
    const bool root = command.name.empty();
    if (!root)
      text +=
          fmt::format("complete -c culprit -n __fish_use_subcommand -a {} -d {}\n", command.name, quoted(command.help));
    const std::string condition = root ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + command.name;
    for (const OptionOutline& option : command.options) text += line_of(option, condition);
  }
  return text;
}

}  // namespace culprit
