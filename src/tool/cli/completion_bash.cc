#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "cli/completion_parts.h"

namespace culprit {
namespace {

using Takes = OptionOutline::Takes;

constexpr std::string_view bash_template =
    R"bash(# Completion of culprit for bash. Use: source <(culprit completion bash)
_culprit_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }
_culprit_files() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen "$1" -- "$cur"); }
_culprit_passes() {  # the last name of a,b,c
  local before=""
  [[ $cur == *,* ]] && before="${cur%,*},"
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(culprit passes --names 2>/dev/null)" -- "${cur##*,}")
}
_culprit() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command="" i
  # bash takes --name=value for three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case ${COMP_WORDS[i]} in
      @COMMANDS@) command=${COMP_WORDS[i]}; break ;;
    esac
  done
  case "$command $prev" in
@VALUES@  esac
  case $command in
@WORDS@  esac
}
complete -F _culprit culprit
)bash";

std::string bash_action(const OptionOutline& option) {
  switch (option.takes) {
    case Takes::words:
      return fmt::format("_culprit_words '{}'", join(option.words, " "));
    case Takes::passes:
      return "_culprit_passes";
    case Takes::file:
      return "_culprit_files -f";
    case Takes::folder:
      return "_culprit_files -d";
    case Takes::nothing:
    case Takes::anything:
      return "COMPREPLY=()";
  }
  return "";
}

/// What stands behind an option: 'check --format') ...
std::string value_cases(const CommandOutline& command) {
  std::string text;
  for (const OptionOutline& option : command.options) {
    if (is_positional(option) || option.takes == Takes::nothing) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", command.name, name));
    text += fmt::format("    {}) {}; return ;;\n", join(patterns, "|"), bash_action(option));
  }
  return text;
}

/// Everything else of a command: its options, or what its positional takes.
std::string word_case(const CommandOutline& command, const std::vector<CommandOutline>& commands) {
  std::vector<std::string> names;
  std::string positional;
  for (const OptionOutline& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!is_positional(option)) continue;
    const bool is_second = !positional.empty();
    positional = is_second
                     ? fmt::format("if ((COMP_CWORD == 2)); then {}; else {}; fi", positional, bash_action(option))
                     : bash_action(option);
  }
  if (positional.empty()) positional = "COMPREPLY=()";
  if (command.name.empty()) positional = fmt::format("_culprit_words '{}'", join(command_names(commands), " "));
  return fmt::format("    '{}') if [[ $cur == -* ]]; then _culprit_words '{}'; else {}; fi ;;\n", command.name,
                     join(names, " "), positional);
}

}  // namespace

std::string bash_script(const std::vector<CommandOutline>& commands) {
  std::string values, words;
  for (const CommandOutline& command : commands) {
    values += value_cases(command);
    words += word_case(command, commands);
  }
  std::string text = replace_all(std::string(bash_template), "@COMMANDS@", join(command_names(commands), "|"));
  text = replace_all(std::move(text), "@VALUES@", values);
  return replace_all(std::move(text), "@WORDS@", words);
}

}  // namespace culprit
