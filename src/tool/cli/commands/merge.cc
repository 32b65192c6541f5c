#include "cli/commands/merge.h"

#include <fmt/format.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "campaign/campaign_record.h"
#include "cli/exit_code.h"
#include "store/case_store.h"

namespace culprit {
namespace {

/// What cases kept, where there is nothing yet: beside it first, so that nobody sees half of it.
Result<void> copy_kept(const fs::path& from, const fs::path& into) {
  std::error_code error;
  if (!fs::is_directory(from, error)) return {};
  for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error)) {
    const fs::path place = into / entry->path().filename();
    if (!entry->is_directory() || fs::exists(place)) continue;
    fs::path beside = place;
    beside += ".part";
    remove_folder(beside);
    fs::copy(entry->path(), beside, fs::copy_options::recursive | fs::copy_options::skip_symlinks, error);
    if (!error) fs::rename(beside, place, error);
    if (error) remove_folder(beside);
  }
  if (error) return fail(ErrorKind::io, "cannot copy " + printable(from.string()) + ": " + error.message());
  return {};
}

Result<MergeAnswer> merge_run(CaseStore& store, const fs::path& into, const fs::path& run) {
  auto answer = store.merge(run / campaign_store_name);
  if (!answer) return answer;
  if (auto ok = copy_kept(run / campaign_cases_name, into / campaign_cases_name); !ok)
    return tl::unexpected(ok.error());
  return answer;
}

Result<std::int64_t> cases_of(const fs::path& run) {
  return CaseReader::open(run / campaign_store_name)
      .and_then([](const CaseReader& reader) { return reader.counts(); })
      .map([](const CaseCounts& counts) { return counts.planned; });
}

/// Each shard of a campaign holds all its cases.
void tell_if_another(const fs::path& run, std::int64_t before, std::int64_t brought, std::int64_t new_cases,
                     Terminal& terminal) {
  const std::int64_t common = brought - new_cases, lacked = before - common;
  if (before == 0 || (new_cases == 0 && lacked == 0)) return;
  terminal.complain(
      fmt::format("{} is of another campaign, or of another state of it: of its {} {} in what was merged "
                  "before, which has {} more",
                  printable(run.string()), counted(brought, "case"),
                  common == 0 ? "none is" : fmt::format("{} {}", common, common == 1 ? "is" : "are"), lacked));
}

Result<int> merge_all(const MergeArguments& arguments, Terminal& terminal) {
  for (const fs::path& run : arguments.runs) {  // before anything is made
    const auto reader = CaseReader::open(run / campaign_store_name);
    if (!reader) return tl::unexpected(reader.error());
  }
  if (auto ok = make_folder(arguments.into / campaign_cases_name); !ok) return tl::unexpected(ok.error());
  auto store = CaseStore::open(arguments.into / campaign_store_name);
  if (!store) return tl::unexpected(store.error());
  std::string text;
  std::int64_t missing = 0;
  for (const fs::path& run : arguments.runs) {
    const auto before = store->counts();
    if (!before) return tl::unexpected(before.error());
    const auto answer = merge_run(*store, arguments.into, run);
    if (!answer) return tl::unexpected(answer.error());
    const auto brought = cases_of(run);
    if (!brought) return tl::unexpected(brought.error());
    tell_if_another(run, before->planned, *brought, answer->new_cases, terminal);
    missing = answer->missing;
    text += fmt::format("{}: {}, {} finished", printable(run.string()), counted(answer->new_cases, "new case"),
                        answer->new_outcomes);
    if (answer->contradictions > 0)
      text += fmt::format(", {} ended otherwise elsewhere: the worse stands", counted(answer->contradictions, "case"));
    text += "\n";
  }
  text += missing == 0
              ? fmt::format("nothing is missing; `culprit show {}` shows it\n", printable(arguments.into.string()))
              : fmt::format("{} missing: `culprit show {} --status waiting --all-cases` names them\n",
                            counted(missing, "case"), printable(arguments.into.string()));
  if (auto ok = terminal.print(text); !ok) return tl::unexpected(ok.error());
  return missing == 0 ? exit_code::nothing_wrong : exit_code::cannot_judge;
}

}  // namespace

void add_merge(CommandParser& parser, MergeFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "merge",
       .heading = heading_report,
       .about = "Put the shards of a campaign together, in any order, as often as you like",
       .examples = {"culprit merge runs/all runs/1 runs/2 runs/3", "culprit merge runs/all runs/4"},
       .exit_codes = "Exit codes: 0 every case is finished, 2 wrong usage, 3 cases are missing, or a folder cannot be "
                     "read, 4 internal error."});
  command.word("INTO", flags.into, type_folder, "Folder that gets all, new or of an earlier merge").required();
  command.words("RUN", flags.runs, type_folder, "Folders of culprit run --shard").required();
}

Result<MergeArguments> resolve(const MergeFlags& flags) {
  MergeArguments arguments{flags.into, {}};
  for (const std::string& run : flags.runs) {
    if (run.empty()) return fail(ErrorKind::usage, "the name of a run is empty", "give the path of a folder");
    arguments.runs.emplace_back(run);
  }
  return arguments;
}

int run_merge(const MergeArguments& arguments, Terminal& terminal) {
  const auto code = merge_all(arguments, terminal);
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
