#include "cli/commands/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/stopwatch.h"
#include "check/external/external_variant.h"
#include "cli/exit_code.h"
#include "cli/run.h"
#include "process/interrupt.h"
#include "report/console.h"
#include "report/console_parts.h"
#include "report/json.h"
#include "repro/known_faults.h"
#include "worker/pool.h"

namespace culprit {
namespace {

void add_plan_flags(const Flags& command, CheckFlags& flags) {
  const Flags group = command.group("Plan (without these: each pass of the bundle alone, and the bundle once)");
  add_optimizer_flag(group, flags);
  group.values("--passes", flags.passes, type_passes, "Only this one recipe: these passes, in this order");
  group.values("--each", flags.each, type_passes, "Only these passes, each alone");
  group.toggle("--all-passes", flags.all_passes, "Also the passes outside the bundle, each alone");
  add_repeat_flag(group, flags);
}

}  // namespace

void add_check(CommandParser& parser, CheckFlags& flags) {
  const Flags command = parser.add_command("check", "Does optimizing break this model, and which pass does it?",
                                           "culprit check model.onnx --samples 5");
  command.words("MODEL", flags.models, type_file, "ONNX files to check, or folders with a model.onnx").required();
  add_data_flags(command, flags);
  add_decision_flags(command, flags);
  add_plan_flags(command, flags);
  add_judge_flags(command, flags);
  command.group(judging_group)
      .toggle("--no-localize", flags.no_localize,
              "No deeper look at faults: the rewrites behind them, a second opinion, the first wrong value, the "
              "smallest model");
  add_running_flags(command, flags);
  add_output_flags(command, flags);
  const Flags output = command.group(output_group);
  output.value("--known", flags.known, type_file,
               "List of known faults (see `culprit known`): these are said to be known, and do not make exit code 1");
  output.value("-o,--output", flags.output, type_file, "Print into a file instead");
}

namespace {

std::string as_text(const ModelReport& report, const Run& run, bool first) {
  return (first ? "" : "\n") + to_console(report, style_of(run), run.folder.path());
}

/// Text of a finished model appears at once; JSON, and what goes into a file, at the end.
bool prints_at_once(const CheckArguments& arguments) {
  return arguments.format == Format::text && arguments.output.empty();
}

Result<void> print_result(const Run& run, const Report& report, const std::string& json) {
  if (run.arguments.format == Format::json)
    return run.arguments.output.empty() ? run.terminal.print(json) : write_file_atomic(run.arguments.output, json);
  const std::string closing = to_console(report.summary, style_of(run), run.folder.path());
  if (run.arguments.output.empty()) return run.terminal.print(closing);
  std::string text;
  for (const ModelReport& model : report.models) text += as_text(model, run, text.empty());
  return write_file_atomic(run.arguments.output, text + closing);
}

/// Was a fault judged whose opinions, divergence or repro are missing?
bool lacks_explanations(const Report& report) {
  return std::ranges::any_of(report.models, [](const ModelReport& model) {
    return std::ranges::find(model.warnings, "interrupted", &Warning::code) != model.warnings.end();
  });
}

/// Of a run that was stopped: what its text has not said. That names models which were not reached, and no more.
void tell_of_interruption(const Run& run, const Report& report) {
  const std::int64_t left = report.summary.not_reached;
  if (left > 0 && !prints_at_once(run.arguments))
    run.terminal.complain(fmt::format("interrupted: {} not checked", counted(left, "model")));
  if (lacks_explanations(report))
    run.terminal.complain(
        "interrupted: the verdicts stand, but not all was found out about the faults: where the values part first, a "
        "smaller model or the repro may be missing; start it again for these");
  else if (left == 0)
    run.terminal.complain("interrupted when all was judged: nothing is missing from the report");
}

/// One that is no such list is wrong usage, as every file is that a flag names and that is of another kind.
Result<KnownFaults> known_faults(const CheckArguments& arguments) {
  if (arguments.known.empty()) return KnownFaults();
  auto known = read_known(arguments.known);
  if (known) return known;
  return fail(ErrorKind::usage, "--known " + known.error().message, known.error().hint);
}

/// The file of --variant, where it is given. That it cannot be read is no usage error.
Result<std::optional<Model>> given_variant(const CheckArguments& arguments) {
  if (arguments.variant.empty()) return std::nullopt;
  auto variant = load_model(arguments.variant);
  if (variant) return std::move(*variant);
  return fail(ErrorKind::bad_input, "--variant " + variant.error().message, variant.error().hint);
}

Result<int> check_all(Run& run, const KnownFaults& known, const std::optional<Model>& variant) {
  std::vector<ModelReport> models;
  std::vector<int> codes;
  for (std::size_t i = 0; i < run.arguments.models.size(); ++i) {
    if (interrupt_requested()) break;
    const CheckWith check_with = [&](const Model& model, const std::vector<Proposal>& proposals,
                                     const CheckTools& tools) {
      return variant ? check_external(model, *variant, proposals, run.options, tools)
                     : check_model(model, proposals, run.options, tools);
    };
    auto report = check_one(run, i, variant ? &*variant : nullptr, check_with);
    if (!report && report.error().kind == ErrorKind::interrupted) break;
    if (!report) return tl::unexpected(report.error());
    mark_known(*report, known);
    codes.push_back(exit_code_of(*report, run.options.strict));
    // Where this cannot be written, the report is still worth making; the terminal says so again at the end.
    if (prints_at_once(run.arguments)) (void)run.terminal.print(as_text(*report, run, i == 0));
    models.push_back(std::move(*report));
  }
  if (models.empty()) return tl::unexpected(nothing_kept());
  const Report report = report_of(run, std::move(models));
  const bool was_interrupted = report.summary.not_reached > 0 || interrupt_requested();
  if (was_interrupted) codes.push_back(exit_code::interrupted);
  const std::string json = to_json(report);
  if (const auto finished = finish(run, report, json); !finished) return tl::unexpected(finished.error());
  if (const auto printed = print_result(run, report, json); !printed) return tl::unexpected(printed.error());
  if (was_interrupted) tell_of_interruption(run, report);
  return worst_exit_code(codes);
}

}  // namespace

int run_check(const CheckArguments& arguments, Terminal& terminal) {
  prepare_process(arguments, terminal);
  const Stopwatch watch;
  const auto code = [&]() -> Result<int> {
    const auto known = known_faults(arguments);
    if (!known) return tl::unexpected(known.error());
    const auto variant = given_variant(arguments);
    if (!variant) return tl::unexpected(variant.error());
    return set_up(arguments, terminal, watch).and_then([&](Run&& run) { return check_all(run, *known, *variant); });
  }();
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
