#include "cli/known_flags.h"

#include "cli/values.h"

namespace culprit {

void add_known_command(CLI::App& app, KnownFlags& flags) {
  app.add_option("ACTION", flags.action, "add: record the faults of these repros; list: show what is recorded")
      ->type_name("add|list")
      ->required();
  app.add_option("REPRO", flags.repros, "Folders that culprit check wrote below repro/")->type_name(type_folder);
  add_value(app, "--known", flags.known, type_file, "The list (default known.json); add makes it");
  add_value(app, "--note", flags.note, "TEXT", "A word on the fault, such as the number of its issue");
  add_value(app, "--format", flags.format, "text|json", "What list prints: a text to read (default), or JSON");
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
