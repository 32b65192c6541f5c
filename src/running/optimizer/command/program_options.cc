#include "optimizer/command/program_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "optimizer/command/ask_command.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

Result<Words> values_of(const CommandSpec& spec, const ProgramOption& option, const fs::path& scratch) {
  if (option.list.empty()) return option.values;
  const auto printed = answer_of(spec, option.list, scratch);
  if (!printed) return tl::unexpected(printed.error());
  Words values;
  for (const std::string& line : split(*printed, '\n'))
    if (!trim(line).empty()) values.push_back(printable(trim(line), 60));
  return values;
}

Words names_of(const KnownOptions& known) {
  Words names;
  for (const ProgramOption& option : known.options) names.push_back(option.name);
  return names;
}

Error no_such_option(const CommandSpec& spec, const KnownOptions& known, const std::string& name) {
  const Words names = names_of(known);
  const std::string near = closest(name, names);
  return {ErrorKind::usage, "--option " + printable(name, 60) + ": " + spec.name + " has no such option",
          names.empty()  ? "it has none"
          : near.empty() ? "it has " + join(names, ", ")
                         : "did you mean '" + near + "'?"};
}

/// In front of the words that choose steps, which may take all that follow.
void add_words(Words& command, const Words& words) {
  command.insert(std::ranges::find(command, "{choice}"), words.begin(), words.end());
}

}  // namespace

Result<void> choose_options(CommandSpec& spec, const KnownOptions& known, const GivenOptions& given,
                            const fs::path& scratch) {
  for (const auto& [name, value] : given.options) {
    const auto option = std::ranges::find(known.options, name, &ProgramOption::name);
    if (option == known.options.end()) return tl::unexpected(no_such_option(spec, known, name));
    const auto allowed = values_of(spec, *option, scratch);
    if (!allowed) return tl::unexpected(allowed.error());
    if (std::ranges::find(*allowed, value) == allowed->end())
      return fail(ErrorKind::usage,
                  fmt::format("--option {}={}: {} has no such {}", name, printable(value, 60), spec.name, name),
                  "allowed: " + join(*allowed, ", "));
    add_words(spec.command, filled_in(option->words, "value", value));
  }
  if (!given.data.empty()) add_words(spec.command, filled_in(known.data, "data", given.data.string()));
  return {};
}

}  // namespace culprit
