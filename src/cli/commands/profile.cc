#include "cli/commands/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/memory.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "cli/commands/version.h"
#include "cli/exit_code.h"
#include "cli/flag_values.h"
#include "cli/profile_compare.h"
#include "cli/profile_files.h"
#include "cli/profile_run.h"
#include "cli/run.h"
#include "cli/sweep_flag.h"
#include "model/model_format.h"
#include "report/profile_json.h"

namespace culprit {
namespace {

void add_rows(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Rows (without these: one model at levels off, basic, extended, all)");
  group.value("--levels", flags.levels, "LEVEL,...",
              "Levels of the runtime's optimizations: " + join(level_names(), ", ") +
                  " (of several models, versions or recipes: all)");
  group.value("--optimizer", flags.check.optimizer, "NAME|FILE.yaml",
              "Also what this optimizer makes of each model: its whole bundle, or --passes, or --each");
  group.values("--passes", flags.check.passes, type_passes, "Also this one recipe: these steps, in this order");
  group.values("--each", flags.check.each, type_passes, "Also these steps, each alone");
  group.values("--runtime", flags.runtimes, "PATH|VERSION",
               "ONNX Runtime library, a version that scripts/setup brought, or `default`, the one that culprit doctor "
               "names; may be repeated, to compare versions");
  group.values(
      "--provider", flags.providers, "cpu|cuda|NAME",
      "What runs the nodes that it knows (default cpu, which also runs the others); may be repeated, to compare");
  group.value(
      "--against", flags.against, "ROW",
      "The row that the others are held against (default: the first; of several models with several rows each, the "
      "first of each model)");
}

void add_time(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Time (same: the whole 95 % interval of the ratio lies within 3 % of 1)");
  group.value("--blocks", flags.blocks, "N",
              "Blocks of runs for each row: each is one process with all rows (default 20)");
  group.toggle("--until-sure", flags.until_sure,
               "Go on until every row is slower, faster or the same, or --budget (default 60s) is spent; the intervals "
               "are made for being looked at again and again");
  group.value(
      "--budget", flags.check.budget, "TIME",
      "Time of the whole command: 2m, 90s. What does not fit in is left out, and the report says how much time would "
      "have done (default: no end, but 60s with --until-sure; --blame has 5m for each row beside)");
  group.value("--protocol", flags.protocol, "blocks|otx",
              "otx: as the OTX paper measures, each row by itself, ten times, means without what is 3 sigma off; to "
              "compare with its figures");
  group.values(
      "--sweep", flags.sweep, "batch=N,...|threads=N,...",
      "Also each row at these batches (samples in one run, for models whose batch is open) or threads: time of "
      "a run and samples a second of each; may be repeated, for all combinations of both");
  group.toggle(
      "--blame", flags.blame,
      "Which steps of the optimizer, or of the runtime, make a row slower; where none is slower, which make the "
      "fastest row faster");
}

void add_quality(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Quality (with data, labels or a task: how does each row decide?)");
  group.value(
      "--task", flags.check.task, task_choices(),
      "What is read off the outputs (default: what culprit.yaml says, else what fits them). Quality is measured on all "
      "of the data of --data or culprit.yaml; on made-up ones with --task only, and then it is agreement alone");
  group.value("--labels", flags.check.labels, type_file,
              "What is right of each picture: a .csv or .jsonl with file and label, or COCO's .json with boxes");
  add_deciding(group, flags.deciding);
}

void add_profile_running(const Flags& command, ProfileFlags& all) {
  CheckFlags& flags = all.check;
  const Flags group = command.group("Running (in processes of their own)");
  group.value("--threads", flags.threads, "N", "Threads inside one run (default 1)");
  add_trust_flag(group, flags);
  group.values("--custom-ops", flags.custom_ops, type_file, "Library with custom operators; may be repeated");
  group.value("--timeout", flags.timeout, "TIME", "CPU time for loading a model, and for one run (default 120s)");
  group.value("--memory", flags.memory, "SIZE", "Memory for one process: 8GB, 512MB (default: what there is)");
  group.toggle("--kernels", all.kernels,
               "Also count the kernels of rows that run on NVIDIA's GPU, by the program ncu; it takes long");
}

void add_output(const Flags& command, ProfileFlags& all) {
  CheckFlags& flags = all.check;
  const Flags group = command.group("Output (report.json is always written to the run folder)");
  group.value("--format", flags.format, "text|json|markdown|csv",
              "What is printed: a table to read (default), the report, an issue to paste, or a line for each row");
  group.value(
      "--baseline", all.kept, type_file,
      "A kept report.json of such a profile: exit code 1 where a row is worse than it was there, by its ratio, "
      "its memory or its decisions; 3 where no row has the name of one there, or no row is in both that their times "
      "can be held against");
  group.value("--compare", all.compared, type_file,
              "Measure nothing: hold the kept report.json that is named in the place of MODEL against this one, with "
              "the exit codes of --baseline: culprit profile --compare before.json after.json");
  group.value("--run-dir", flags.run_dir, type_folder, "Folder of this run (default: a new one in .culprit)");
  group.toggle("--quiet", flags.quiet, "No progress and no log");
  group.toggle("--verbose", flags.verbose, "All nodes and operators, how single runs spread, and log");
  group.value("-o,--output", flags.output, type_file, "Print into a file instead");
}

}  // namespace

void add_profile(CommandParser& parser, ProfileFlags& flags) {
  const Flags command =
      parser.add_command("profile", "Is an optimized model faster, why, and what does it cost in memory?",
                         "culprit profile model.onnx --until-sure");
  command
      .words(
          "MODEL", flags.check.models, type_file,
          "Models (ONNX, TFLite, a frozen graph or SavedModel of TensorFlow, or a folder with a model.onnx); the first "
          "row is what the others are held against, and of several models with several rows each the first of each "
          "model")
      .required();
  add_rows(command, flags);
  add_time(command, flags);
  add_data_flags(command, flags.check);
  add_quality(command, flags);
  add_profile_running(command, flags);
  add_output(command, flags);
}

namespace {

Result<std::vector<Level>> levels_of(const std::string& text) {
  std::vector<Level> levels;
  if (text.empty()) return levels;
  auto names = name_list("--levels", {text});
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    const auto chosen = choice("--levels", name, level_names());
    if (!chosen) return tl::unexpected(chosen.error());
    levels.push_back(*level_named(*chosen));
  }
  if (auto ok = each_once("--levels", *names); !ok) return tl::unexpected(ok.error());
  return levels;
}

}  // namespace

namespace {

/// Two reports and no measuring: what says how to measure has no place there.
Result<void> check_compared(const ProfileFlags& flags) {
  if (flags.compared.empty()) return {};
  if (flags.check.models.size() != 1)
    return fail(ErrorKind::usage,
                fmt::format("--compare holds one report against another, and {} are named", flags.check.models.size()),
                "name one: culprit profile --compare before.json after.json");
  const std::pair<const char*, bool> others[] = {{"--baseline", !flags.kept.empty()},
                                                 {"--until-sure", flags.until_sure},
                                                 {"--blame", flags.blame},
                                                 {"--kernels", flags.kernels},
                                                 {"--sweep", !flags.sweep.empty()},
                                                 {"--blocks", !flags.blocks.empty()},
                                                 {"--budget", !flags.check.budget.empty()},
                                                 {"--levels", !flags.levels.empty()},
                                                 {"--against", !flags.against.empty()},
                                                 {"--optimizer", !flags.check.optimizer.empty()},
                                                 {"--runtime", !flags.runtimes.empty()},
                                                 {"--run-dir", !flags.check.run_dir.empty()}};
  for (const auto& [flag, is_given] : others)
    if (is_given)
      return fail(ErrorKind::usage, std::string(flag) + " and --compare contradict each other: nothing is measured",
                  std::string("leave out ") + flag);
  return {};
}

/// How is it measured? Not in two ways at once.
Result<void> check_measuring(const ProfileFlags& flags) {
  if (flags.until_sure && !flags.blocks.empty())
    return fail(ErrorKind::usage, "--until-sure and --blocks contradict each other", "give one of them");
  if (flags.protocol != "otx") return {};
  if (flags.until_sure || !flags.blocks.empty())
    return fail(ErrorKind::usage, "--protocol otx measures ten times, no more and no less",
                "leave out --blocks and --until-sure, or the protocol");
  if (!flags.sweep.empty())
    return fail(ErrorKind::usage, "--sweep measures in blocks, and --protocol otx does not", "leave out one of them");
  return {};
}

}  // namespace

Result<ProfileArguments> resolve(const ProfileFlags& flags) {
  if (auto ok = check_compared(flags); !ok) return tl::unexpected(ok.error());
  if (!flags.check.format.empty())
    if (const auto form = choice("--format", flags.check.format, {"text", "json", "markdown", "csv"}); !form)
      return tl::unexpected(form.error());
  if (auto ok = check_measuring(flags); !ok) return tl::unexpected(ok.error());
  auto sweep = sweep_settings(flags.sweep);
  if (!sweep) return tl::unexpected(sweep.error());
  CheckFlags plain = flags.check;
  const bool is_form_of_its_own = plain.format == "markdown" || plain.format == "csv";
  if (is_form_of_its_own) plain.format.clear();
  auto check = resolve(plain);
  if (!check) return tl::unexpected(check.error());
  ProfileArguments arguments;
  if (auto ok = resolve(flags.deciding, check->task, arguments.settings); !ok) return tl::unexpected(ok.error());
  if (check->format == Format::json) arguments.form = ProfileForm::json;
  if (is_form_of_its_own) arguments.form = flags.check.format == "csv" ? ProfileForm::csv : ProfileForm::markdown;
  arguments.check = std::move(*check);
  const CheckFlags& given = flags.check;
  arguments.has_optimizer = !given.optimizer.empty() || !given.passes.empty() || !given.each.empty();
  if (auto ok = each_once("--each", arguments.check.check.each); !ok) return tl::unexpected(ok.error());
  auto levels = levels_of(flags.levels);
  if (!levels) return tl::unexpected(levels.error());
  arguments.levels = std::move(*levels);
  arguments.runtimes = flags.runtimes;
  arguments.providers = flags.providers;
  arguments.against = flags.against;
  arguments.kept = flags.kept;
  arguments.compared = flags.compared;
  arguments.until_sure = flags.until_sure;
  arguments.blame = flags.blame;
  arguments.kernels = flags.kernels;
  arguments.sweep = std::move(*sweep);
  arguments.has_budget = arguments.check.budget > 0;
  if (arguments.until_sure && arguments.check.budget == 0) arguments.check.budget = 60;
  if (!flags.blocks.empty()) {
    const auto blocks = whole_number("--blocks", flags.blocks, 1, 10'000);
    if (!blocks) return tl::unexpected(blocks.error());
    arguments.blocks = *blocks;
  }
  if (flags.protocol.empty()) return arguments;
  const auto protocol = choice("--protocol", flags.protocol, {"blocks", "otx"});
  if (!protocol) return tl::unexpected(protocol.error());
  arguments.protocol = *protocol == "otx" ? Protocol::otx : Protocol::blocks;
  return arguments;
}

namespace {

/// "CPU, CUDA"
std::string providers_of(const ProfileReport& report) {
  std::vector<std::string> providers;
  for (const ProfileEntry& entry : report.entries)
    if (std::ranges::find(providers, entry.provider) == providers.end()) providers.push_back(entry.provider);
  return join(providers, ", ");
}

Result<int> profile_all(Run& run, const ProfileArguments& arguments) {
  const auto kept = kept_profile("--baseline", arguments.kept);
  if (!kept) return tl::unexpected(kept.error());
  auto report = measure_rows(run, arguments);
  run.terminal.clear_progress();
  if (!report) return tl::unexpected(report.error());
  report->environment = report_of(run, {}).environment;
  const auto is_of_onnxruntime = [](const ProfileEntry& entry) {
    return !entry.runtime.empty() && format_of(entry.model) == ModelFormat::onnx;
  };
  if (const auto first = std::ranges::find_if(report->entries, is_of_onnxruntime); first != report->entries.end())
    report->environment.onnxruntime = first->runtime;
  report->environment.provider = providers_of(*report);
  report->tool_version = tool_version();
  report->command = arguments.check.command;
  report->seconds = run.watch.seconds();
  report->peak_bytes = peak_resident_bytes();
  const bool is_no_answer = *kept && hold_against(**kept, arguments.kept, *report);
  const auto trace = run.folder.work_folder(arguments.check.models.size());
  if (!trace) return tl::unexpected(trace.error());
  // The report first: what cannot be written behind it, such as figures on a full disk, costs nothing of it.
  const auto printed = finish_and_print(run, to_json(*report),
                                        printed_profile(*report, arguments.form, style_of(run), run.folder.path()));
  if (!printed) return tl::unexpected(printed.error());
  auto written = write_profile_files(*report, run.folder.path(), *trace / "trace.json");
  if (!written) {
    written.error().message += "; report.json holds all that was measured";
    return tl::unexpected(written.error());
  }
  if (report->interrupted) return exit_code::interrupted;
  return exit_code_of(*report, is_no_answer);
}

}  // namespace

int run_profile(const ProfileArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.check, terminal);
  const Stopwatch watch;
  const auto code =
      arguments.compared.empty()
          ? set_up(arguments.check, terminal, watch).and_then([&](Run&& run) { return profile_all(run, arguments); })
          : compare_profiles(arguments, terminal);
  if (code) return *code;
  const bool is_interrupted = code.error().kind == ErrorKind::interrupted;
  terminal.complain(is_interrupted ? "interrupted before anything was measured, so no report was written"
                                   : code.error().text());
  return judging_exit_code_of(code.error().kind);
}

}  // namespace culprit
