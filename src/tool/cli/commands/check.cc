#include "cli/commands/check.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/check_models.h"
#include "app/machine_facts.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/exit_code.h"
#include "cli/output_file.h"
#include "cli/present.h"
#include "process/interrupt.h"
#include "report/console.h"
#include "report/json.h"

namespace culprit {
namespace {

void add_plan_flags(const Flags& command, PlanFlags& flags) {
  const Flags group = command.group("Plan (without these: each default pass alone, and all of them once)");
  add_optimizer_flag(group, flags);
  group.values("--passes", flags.passes, type_passes);
  group.values("--each", flags.each, type_passes);
  group.toggle("--all-passes", flags.all_passes);
  add_repeat_flag(group, flags);
}

}  // namespace

void add_check(CommandParser& parser, CheckFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "check",
       .heading = heading_check,
       .about = "Does optimizing break this model, and which pass does it?",
       .examples = {"culprit check model.onnx",
                    "culprit check model.onnx --data images --known known.json --no-repro --no-localize"},
       .most_used = {"--data", "--input", "--optimizer", "--passes", "--known", "--fail-on", "--no-localize",
                     "--no-repro", "--budget", "--format", "--output", "--verbose"}});
  command.words("MODEL", flags.models, type_file, "ONNX files to check, or folders with a model.onnx").required();
  add_data_flags(command, flags.samples);
  add_decision_flags(command, flags.samples);
  add_plan_flags(command, flags.plan);
  add_judge_flags(command, flags.judge);
  command.group(judging_group).toggle("--no-localize", flags.no_localize);
  add_running_flags(command, flags.run);
  add_answer_flags(command, flags);
}

namespace {

/// Text of a finished model appears at once; JSON, and what goes into a file, at the end.
bool prints_at_once(const Printing& printing) { return printing.format == Format::text && printing.output.empty(); }

/// Prints what is told of a check.
class CheckPrinter : public TerminalListener {
 public:
  CheckPrinter(const CheckArguments& arguments, Terminal& terminal)
      : TerminalListener(terminal), arguments_(arguments), terminal_(terminal) {}

  void finished(const ModelReport& model, const Environment& environment, const fs::path& run_folder) override {
    // Where this cannot be written, the report is still worth making; the terminal says so again at the end.
    if (prints_at_once(arguments_.printing)) (void)terminal_.print(as_text(model, environment, run_folder, is_first_));
    is_first_ = false;
  }

  Result<void> print(const CheckAnswer& answer, const std::string& json) {
    const fs::path& output = arguments_.printing.output;
    if (arguments_.printing.format == Format::json)
      return output.empty() ? terminal_.print(json) : write_file_atomic(output, json);
    const std::string closing = to_console(answer.report.summary, style(), answer.folder.path());
    if (output.empty()) return terminal_.print(closing);
    std::string text;
    for (const ModelReport& model : answer.report.models)
      text += as_text(model, answer.report.environment, answer.folder.path(), text.empty());
    return write_file_atomic(output, text + closing);
  }

 private:
  [[nodiscard]] ConsoleStyle style() const {
    return style_of(arguments_.printing, terminal_.look(), arguments_.request.quoted);
  }
  [[nodiscard]] std::string as_text(const ModelReport& report, const Environment& environment,
                                    const fs::path& run_folder, bool first) const {
    return (first ? "" : "\n") + to_console(report, with_products(style(), environment), run_folder);
  }

  const CheckArguments& arguments_;
  Terminal& terminal_;
  bool is_first_ = true;
};

/// Was a fault judged whose opinions, divergence or repro are missing?
bool lacks_explanations(const Report& report) {
  return std::ranges::any_of(report.models, [](const ModelReport& model) {
    return std::ranges::find(model.warnings, "interrupted", &Warning::code) != model.warnings.end();
  });
}

/// Says what the text of a run that was stopped leaves out: the text names models that were not reached, and no more.
void tell_of_interruption(const Printing& printing, const Report& report, Terminal& terminal) {
  const std::int64_t left = report.summary.not_reached;
  if (left > 0 && !prints_at_once(printing))
    terminal.complain(fmt::format("interrupted: {} not checked", counted(left, "model")));
  if (lacks_explanations(report))
    terminal.complain(
        "interrupted: the verdicts stand, but not all was found out about the faults: the first mismatch, a "
        "smaller model or the repro may be missing; start it again for these");
  else if (left == 0)
    terminal.complain("interrupted when all was judged: nothing is missing from the report");
}

Result<int> check_all(const CheckArguments& arguments, const Caller& caller, CheckPrinter& printer,
                      Terminal& terminal) {
  const CheckRequest& request = arguments.request;
  auto answer =
      output_must_be_fine(arguments.printing.output, arguments.printing.format, order_of(request)).and_then([&] {
        return check_models(request, caller);
      });
  if (!answer) return tl::unexpected(answer.error());
  const Report& report = answer->report;
  std::vector<int> codes;
  for (const ModelReport& model : report.models)
    codes.push_back(exit_code_of(model, request.judging.strict, arguments.fail_on));
  if (answer->was_interrupted) codes.push_back(exit_code::interrupted);
  const std::string json = to_json(report);
  if (const auto ok = finish_unless_kept(answer->folder, answer->keeps_earlier, json, terminal); !ok)
    return tl::unexpected(ok.error());
  if (const auto printed = printer.print(*answer, json); !printed) return tl::unexpected(printed.error());
  if (answer->was_interrupted) tell_of_interruption(arguments.printing, report, terminal);
  return worst_exit_code(codes);
}

}  // namespace

int run_check(const CheckArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  CheckPrinter printer(arguments, terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = check_all(arguments, {*workers, printer}, printer, terminal);
  if (code) return *code;
  terminal.complain(code.error().text());
  return exit_code_of(code.error().kind);
}

}  // namespace culprit
