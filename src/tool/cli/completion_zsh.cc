#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "cli/completion_parts.h"

namespace culprit {
namespace {

using Takes = OptionOutline::Takes;

constexpr std::string_view zsh_template = R"zsh(#compdef culprit
# Completion of culprit for zsh. Use: culprit completion zsh > "${fpath[1]}/_culprit", or source <(culprit completion zsh)
_culprit_passes() {
  local -a passes
  passes=(${(f)"$(culprit passes --names 2>/dev/null)"})
  _values -s , pass $passes
}
_culprit() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  commands=(
@COMMANDS@  )
  _arguments -C@OPTIONS@ \
        '1:command:->command' '*::argument:->argument'
  if [[ $state == command ]]; then
    _describe command commands
    return
  fi
  case $line[1] in
@CASES@  esac
}
if [[ $funcstack[1] == _culprit ]]; then _culprit "$@"; else compdef _culprit culprit; fi
)zsh";

/// For the inside of '...' in a spec, where brackets and colons mean something.
std::string escaped(std::string text) {
  for (const auto& [what, by] : {std::pair{"\\", "\\\\"}, {"'", "'\\''"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}})
    text = replace_all(std::move(text), what, by);
  return text;
}

std::string zsh_action(const OptionOutline& option) {
  switch (option.takes) {
    case Takes::nothing:
      return "";
    case Takes::words:
      return fmt::format(":value:({})", join(option.words, " "));
    case Takes::passes:
      return ":passes:_culprit_passes";
    case Takes::file:
      return ":file:_files";
    case Takes::folder:
      return ":folder:_files -/";
    case Takes::anything:
      return ":value: ";
  }
  return "";
}

std::string spec(const OptionOutline& option) {
  constexpr std::string_view line = " \\\n        ";
  if (is_positional(option)) return fmt::format("{}'{}{}'", line, option.repeatable ? "*" : "1", zsh_action(option));
  std::string specs;
  for (const std::string& name : option.names) {
    const std::string once_or_often = option.repeatable ? "*" : fmt::format("({})", join(option.names, " "));
    const bool takes_equals = name.starts_with("--") && option.takes != Takes::nothing;
    specs += fmt::format("{}'{}{}{}[{}]{}'", line, once_or_often, name, takes_equals ? "=" : "", escaped(option.help),
                         zsh_action(option));
  }
  return specs;
}

}  // namespace

std::string zsh_script(const std::vector<CommandOutline>& commands) {
  std::string described, cases, root;
  for (const CommandOutline& command : commands) {
    std::string specs;
    for (const OptionOutline& option : command.options) specs += spec(option);
    if (command.name.empty()) {
      root = specs;
      continue;
    }
    described += fmt::format("    '{}:{}'\n", command.name, escaped(command.help));
    cases += fmt::format("    {})\n      _arguments{} ;;\n", command.name, specs);
  }
  std::string text = replace_all(std::string(zsh_template), "@COMMANDS@", described);
  text = replace_all(std::move(text), "@OPTIONS@", root);
  return replace_all(std::move(text), "@CASES@", cases);
}

}  // namespace culprit
