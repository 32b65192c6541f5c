#include "cli/commands/profile.h"

#include <fmt/format.h>

#include <utility>

#include "app/machine_facts.h"
#include "app/name_lists.h"
#include "app/profile_models.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"
#include "cli/output_file.h"
#include "cli/present.h"
#include "cli/profile_compare.h"
#include "cli/profile_files.h"
#include "cli/sweep_flag.h"
#include "report/profile_json.h"

namespace culprit {
namespace {

void add_rows(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Rows (without these: one model at levels off, basic, extended, all)");
  group.value("--levels", flags.levels, "LEVEL,...");
  group.value("--optimizer", flags.plan.optimizer, "NAME|FILE.yaml").with_default("none");
  group.values("--passes", flags.plan.passes, type_passes);
  group.values("--each", flags.plan.each, type_passes);
  group.values("--runtime", flags.runtimes, "PATH|VERSION")
      .with_default("the one that `culprit doctor` names, called `default`; may be repeated, to compare");
  group.values("--provider", flags.providers, "cpu|cuda|NAME");
  group.value("--against", flags.against, "ROW");
}

void add_time(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Time (same: the whole 95 % interval of the ratio lies within 3 % of 1)");
  group.value("--blocks", flags.blocks, "N");
  group.toggle("--until-sure", flags.until_sure);
  group.value("--budget", flags.run.budget, "TIME").with_default("no end; with --until-sure 60s");
  group.value("--protocol", flags.protocol, "blocks|otx");
  group.values("--sweep", flags.sweep, "batch=N,...|threads=N,...");
  group.toggle("--blame", flags.blame);
}

void add_quality(const Flags& command, ProfileFlags& flags) {
  const Flags group = command.group("Quality (with data, labels or a task: how good are the predictions of each row?)");
  group.value("--task", flags.samples.task, task_choices());
  group.value("--labels", flags.samples.labels, type_file);
  add_deciding(group, flags.deciding);
}

void add_profile_running(const Flags& command, ProfileFlags& all) {
  RunFlags& flags = all.run;
  const Flags group = command.group("Running (in processes of their own)");
  group.value("--threads", flags.threads, "N");
  add_trust_flag(group, flags);
  group.values("--custom-ops", flags.custom_ops, type_file);
  group.value("--timeout", flags.timeout, "TIME");
  group.value("--memory", flags.memory, "SIZE");
  group.toggle("--kernels", all.kernels);
}

void add_output(const Flags& command, ProfileFlags& all) {
  OutputFlags& flags = all.output;
  const Flags group = command.group("Output (report.json is always written to the run folder)");
  group.value("--format", flags.format, "text|json|markdown|csv");
  group.value("--baseline", all.kept, type_file);
  group.value("--compare", all.compared, type_file);
  group.value("--run-dir", flags.run_dir, type_folder);
  group.toggle("--quiet", flags.quiet);
  group.toggle("--verbose", flags.verbose);
  group.value("-o,--output", flags.output, type_file);
}

}  // namespace

void add_profile(CommandParser& parser, ProfileFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "profile",
       .heading = heading_measure,
       .about = "Is an optimized model faster, why, and what does it cost in memory?",
       .examples = {"culprit profile model.onnx --until-sure", "culprit profile model.onnx optimized.onnx --budget 2m"},
       .most_used = {"--levels", "--optimizer", "--passes", "--runtime", "--until-sure", "--budget", "--blame",
                     "--data", "--baseline", "--compare", "--format", "--output"},
       .exit_codes = "Exit codes: 0 measured, 1 a row failed or is worse than --baseline, 2 wrong usage, 3 cannot "
                     "judge, 4 internal error, 130 interrupted."});
  command
      .words("MODEL", flags.models, type_file,
             "Models (ONNX, TFLite, Keras, a frozen graph or SavedModel of TensorFlow, or a folder with a model.onnx); "
             "the first "
             "row is what the others are held against, and of several models with several rows each the first of each "
             "model")
      .required();
  add_rows(command, flags);
  add_time(command, flags);
  add_data_flags(command, flags.samples);
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
  if (flags.models.size() != 1)
    return fail(ErrorKind::usage,
                fmt::format("--compare holds one report against another, and {} are named", flags.models.size()),
                "name one: culprit profile --compare before.json after.json");
  const std::pair<const char*, bool> others[] = {{"--baseline", !flags.kept.empty()},
                                                 {"--until-sure", flags.until_sure},
                                                 {"--blame", flags.blame},
                                                 {"--kernels", flags.kernels},
                                                 {"--sweep", !flags.sweep.empty()},
                                                 {"--blocks", !flags.blocks.empty()},
                                                 {"--budget", !flags.run.budget.empty()},
                                                 {"--levels", !flags.levels.empty()},
                                                 {"--against", !flags.against.empty()},
                                                 {"--optimizer", !flags.plan.optimizer.empty()},
                                                 {"--runtime", !flags.runtimes.empty()},
                                                 {"--run-dir", !flags.output.run_dir.empty()}};
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

namespace {

/// The groups that other commands have as well.
Result<void> read_groups(const ProfileFlags& flags, ProfileArguments& arguments) {
  ProfileRequest& request = arguments.request;
  OutputFlags plain = flags.output;
  if (arguments.form != ProfileForm::text) plain.format.clear();
  OptimizerRequest optimizer;
  FlagReader reader;
  reader.set(optimizer, read_plan(flags.plan, flags.samples.data, flags.run.deploy_level));
  reader.set(arguments.printing, read_printing(plain));
  reader.set(request.models, read_models(flags.models));
  reader.set(request.data, read_samples(flags.samples));
  reader.set(request.running, read_running(flags.run));
  if (!flags.plan.optimizer.empty() || !flags.plan.passes.empty() || !flags.plan.each.empty())
    request.optimizer = std::move(optimizer);
  request.folder = read_folder(flags.output);
  request.quoted.repeat_flags = words_to_repeat(flags.samples, {}, flags.run);
  request.quoted.optimizer_flags = words_of_optimizer(flags.plan);
  return reader.ended();
}

Result<ProfileForm> form_of(const std::string& format) {
  if (format.empty()) return ProfileForm::text;
  const auto form = choice("--format", format, {"text", "json", "markdown", "csv"});
  if (!form) return tl::unexpected(form.error());
  return *form == "json"       ? ProfileForm::json
         : *form == "markdown" ? ProfileForm::markdown
         : *form == "csv"      ? ProfileForm::csv
                               : ProfileForm::text;
}

/// How it is measured, and for how long.
Result<void> read_measuring(const ProfileFlags& flags, ProfileRequest& request) {
  request.until_sure = flags.until_sure;
  request.blame = flags.blame;
  request.kernels = flags.kernels;
  request.has_budget = request.running.budget > 0;
  if (request.until_sure && request.running.budget == 0) request.running.budget = 60;
  if (!flags.blocks.empty()) {
    const auto blocks = whole_number("--blocks", flags.blocks, 1, 10'000);
    if (!blocks) return tl::unexpected(blocks.error());
    request.blocks = *blocks;
  }
  if (flags.protocol.empty()) return {};
  const auto protocol = choice("--protocol", flags.protocol, {"blocks", "otx"});
  if (!protocol) return tl::unexpected(protocol.error());
  request.protocol = *protocol == "otx" ? Protocol::otx : Protocol::blocks;
  return {};
}

}  // namespace

Result<ProfileArguments> resolve(const ProfileFlags& flags) {
  if (auto ok = check_compared(flags); !ok) return tl::unexpected(ok.error());
  ProfileArguments arguments;
  ProfileRequest& request = arguments.request;
  const auto form = form_of(flags.output.format);
  if (!form) return tl::unexpected(form.error());
  arguments.form = *form;
  if (auto ok = check_measuring(flags); !ok) return tl::unexpected(ok.error());
  auto sweep = sweep_settings(flags.sweep);
  if (!sweep) return tl::unexpected(sweep.error());
  request.sweep = std::move(*sweep);
  if (auto ok = read_groups(flags, arguments); !ok) return tl::unexpected(ok.error());
  if (auto ok = resolve(flags.deciding, request.data.task, request.settings); !ok) return tl::unexpected(ok.error());
  if (request.optimizer)
    if (auto ok = each_once("--each", request.optimizer->each); !ok) return tl::unexpected(ok.error());
  auto levels = levels_of(flags.levels);
  if (!levels) return tl::unexpected(levels.error());
  request.levels = std::move(*levels);
  request.runtimes = flags.runtimes;
  request.providers = flags.providers;
  request.against = flags.against;
  arguments.kept = flags.kept;
  arguments.compared = flags.compared;
  if (auto ok = read_measuring(flags, request); !ok) return tl::unexpected(ok.error());
  return arguments;
}

namespace {

Result<int> profile_all(const ProfileArguments& arguments, const Caller& caller, Terminal& terminal) {
  const Printing& printing = arguments.printing;
  const Format format = arguments.form == ProfileForm::json ? Format::json : Format::text;
  if (auto fine = output_must_be_fine(printing.output, format, order_of(arguments.request)); !fine)
    return tl::unexpected(fine.error());
  const auto kept = kept_profile("--baseline", arguments.kept);
  if (!kept) return tl::unexpected(kept.error());
  auto answer = profile_models(arguments.request, caller);
  if (!answer) return tl::unexpected(answer.error());
  ProfileReport& report = answer->report;
  const fs::path& folder = answer->folder.path();
  const bool is_no_answer = *kept && hold_against(**kept, arguments.kept, report);
  const ConsoleStyle style = style_of(printing, terminal.look(), arguments.request.quoted);
  const std::string json = to_json(report);
  // The report first: what cannot be written behind it, such as figures on a full disk, costs nothing of it.
  if (auto finished = answer->folder.finish(json); !finished) return tl::unexpected(finished.error());
  const std::string text = printed_profile(report, arguments.form, style, folder);
  const auto printed = printing.output.empty() ? terminal.print(text) : write_file_atomic(printing.output, text);
  if (!printed) return tl::unexpected(printed.error());
  auto written = write_profile_files(report, folder, answer->trace);
  if (!written) {
    written.error().message += "; report.json holds all that was measured";
    return tl::unexpected(written.error());
  }
  if (report.interrupted) return exit_code::interrupted;
  return exit_code_of(report, is_no_answer);
}

}  // namespace

int run_profile(const ProfileArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = arguments.compared.empty() ? profile_all(arguments, {*workers, listener}, terminal)
                                               : compare_profiles(arguments, terminal);
  if (code) return *code;
  return end_without_answer(code.error(), "interrupted before anything was measured, so no report was written",
                            terminal);
}

}  // namespace culprit
