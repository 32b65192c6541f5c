#include "cli/known_flags.h"

#include "cli/flag_values.h"

namespace culprit {

void add_known_command(const Flags& command, KnownFlags& flags) {
  command
      .word("ACTION", flags.action, "add|list", "add: record the faults of these repros; list: show what is recorded")
      .required();
  command.words("REPRO", flags.repros, type_folder, "Folders that culprit check wrote below repro/");
  command.value("--known", flags.known, type_file, "The list (default known.json); add makes it");
  command.value("--note", flags.note, "TEXT", "A word on the fault, such as the number of its issue");
  command.value("--format", flags.format, "text|json", "What list prints: a text to read (default), or JSON");
}

Result<KnownArguments> resolve(const KnownFlags& flags) {
  KnownArguments arguments;
  const auto action = choice("known", flags.action, {"add", "list"});
  if (!action) return tl::unexpected(action.error());
  arguments.adds = *action == "add";
  if (arguments.adds == flags.repros.empty())
    return fail(ErrorKind::usage,
                arguments.adds ? "known add: no repro was named" : "known list takes no repro, only --known FILE",
                "such as `culprit known add run/repro/F1` and `culprit known list`");
  for (const std::string& repro : flags.repros) arguments.repros.emplace_back(repro);
  if (!flags.known.empty()) arguments.file = flags.known;
  arguments.note = flags.note;
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  arguments.format = *format == "json" ? Format::json : Format::text;
  return arguments;
}

}  // namespace culprit
