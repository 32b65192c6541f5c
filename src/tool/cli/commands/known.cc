#include "cli/commands/known.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "report/layout.h"
#include "repro/repro_folder.h"

namespace culprit {

void add_known_command(CommandParser& parser, KnownFlags& flags) {
  const Flags command = parser.add_command({.name = "known",
                                            .heading = heading_report,
                                            .about = "Keep the list of known faults that check --known takes",
                                            .examples = {"culprit known add run/repro/F1 --note 'issue 12'",
                                                         "culprit known list", "culprit known remove K-1"},
                                            .exit_codes = exit_codes_of_facts});
  command
      .word(
          "ACTION", flags.action, "add|list|remove",
          "add: record the faults of these repros; list: show what is recorded; remove: take entries out, by their ids")
      .required();
  command.words("REPRO", flags.repros, type_folder,
                "Folders that culprit check wrote below repro/; for remove ids such as K-1");
  command.value("--known", flags.known, type_file).with_default("known.json");
  command.value("--note", flags.note, "TEXT");
  command.value("--format", flags.format, "text|json");
}

Result<KnownArguments> resolve(const KnownFlags& flags) {
  KnownArguments arguments;
  const auto action = choice("known", flags.action, {"add", "list", "remove"});
  if (!action) return tl::unexpected(action.error());
  arguments.action = *action == "add" ? KnownAction::add : *action == "list" ? KnownAction::list : KnownAction::remove;
  const bool takes_words = arguments.action != KnownAction::list;
  if (takes_words == flags.repros.empty())
    return fail(ErrorKind::usage,
                "known " + *action + (takes_words ? ": nothing was named" : " takes no repro, only --known FILE"),
                "such as `culprit known add run/repro/F1`, `culprit known list` and `culprit known remove K-1`");
  for (const std::string& repro : flags.repros) arguments.repros.emplace_back(repro);
  if (!flags.known.empty()) arguments.file = flags.known;
  arguments.note = flags.note;
  const auto format = choice("--format", flags.format.empty() ? "text" : flags.format, {"text", "json"});
  if (!format) return tl::unexpected(format.error());
  arguments.format = *format == "json" ? Format::json : Format::text;
  return arguments;
}

namespace {

Result<KnownFaults> read_or_begin(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error) ? read_known(file) : KnownFaults();
}

std::string entry_text(const KnownFault& fault, int width) {
  const std::string first =
      fmt::format("{}: {} by {}", fault.id, reader_word(fault.key.verdict), printable(join(fault.key.culprits, " + ")));
  std::string text = hanging("", first, width);
  if (!fault.note.empty()) text += hanging("     ", printable(fault.note), width);
  text += hanging("     signature  ", printable(fault.key.signature), width);
  if (!fault.source.empty()) text += hanging("     seen in    ", printable(fault.source), width);
  return text;
}

Result<void> add(const KnownArguments& arguments, Terminal& terminal) {
  auto known = read_or_begin(arguments.file);
  if (!known) return tl::unexpected(known.error());
  std::string said;
  for (const fs::path& path : arguments.repros) {
    const auto bundle = read_bundle(path);
    if (!bundle) return tl::unexpected(bundle.error());
    const std::size_t before = known->size();
    const std::string id = add_known(*known, bundle->facts, arguments.note);
    said += fmt::format("{}: {} {} in {}\n", printable(path.string()),
                        known->size() > before ? "added as" : "is already", id, printable(arguments.file.string()));
  }
  if (auto written = write_known(*known, arguments.file); !written) return written;
  return terminal.print(said);
}

Result<void> remove(const KnownArguments& arguments, Terminal& terminal) {
  auto known = read_known(arguments.file);
  if (!known) return tl::unexpected(known.error());
  std::string said;
  for (const fs::path& path : arguments.repros) {
    const auto at = std::ranges::find(*known, path.string(), &KnownFault::id);
    if (at == known->end())
      return fail(ErrorKind::usage,
                  printable(arguments.file.string()) + " has no fault " + printable(path.string(), 60),
                  "`culprit known list` names them");
    known->erase(at);
    said += fmt::format("{}: taken out of {}\n", path.string(), printable(arguments.file.string()));
  }
  if (auto written = write_known(*known, arguments.file); !written) return written;
  return terminal.print(said);
}

Result<void> list(const KnownArguments& arguments, Terminal& terminal) {
  const auto known = read_known(arguments.file);
  if (!known) return tl::unexpected(known.error());
  if (arguments.format == Format::text) return terminal.print(known_as_text(*known, terminal.look().width));
  const auto text = read_file(arguments.file);  // it is JSON, and was found to be right
  if (!text) return tl::unexpected(text.error());
  return terminal.print(*text);
}

}  // namespace

std::string known_as_text(const KnownFaults& known, int width) {
  std::string text;
  for (const KnownFault& fault : known) text += entry_text(fault, width);
  return text.empty() ? "no fault is known\n" : text;
}

int run_known(const KnownArguments& arguments, Terminal& terminal) {
  const auto done = arguments.action == KnownAction::add    ? add(arguments, terminal)
                    : arguments.action == KnownAction::list ? list(arguments, terminal)
                                                            : remove(arguments, terminal);
  if (done) return exit_code::nothing_wrong;
  terminal.complain(done.error().text());
  return exit_code_of(done.error().kind);
}

}  // namespace culprit
