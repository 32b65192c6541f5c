#include "cli/commands/compare.h"

#include "app/compare_pair.h"
#include "app/machine_facts.h"
#include "app/trained_model.h"
#include "cli/output_file.h"
#include "cli/present.h"
#include "compare/compare_models.h"
#include "report/compare_console.h"
#include "report/compare_json.h"

namespace culprit {

void add_compare(CommandParser& parser, CompareFlags& flags) {
  const Flags command =
      parser.add_command({.name = "compare",
                          .heading = heading_check,
                          .about = "Do these two models mean the same, and where is the first mismatch?",
                          .examples = {"culprit compare model.onnx optimized.onnx",
                                       "culprit compare model.onnx optimized.onnx --data images --map input=x"},
                          .most_used = {"--data", "--input", "--map", "--atol", "--rtol", "--strict", "--task",
                                        "--format", "--output", "--verbose"},
                          .exit_codes = exit_codes_of_two_models});
  command.word("A", flags.a, type_file, any_model + std::string(" that the other is held against")).required();
  command.word("B", flags.b, type_file, any_model + std::string(" that should mean the same")).required();
  add_map_flag(command, flags.map);
  add_data_flags(command, flags.samples);
  add_decision_flags(command, flags.samples);
  add_two_models_judging(command, flags.judge);
  add_two_models_running(command, flags.run, true);
  add_two_models_output(command, flags.output);
  command.group(output_group).toggle("--no-repro", flags.output.no_repro);
}

Result<CompareArguments> resolve(const CompareFlags& flags) {
  CompareArguments arguments;
  auto printing = read_two_models(flags, arguments.request);
  if (!printing) return tl::unexpected(printing.error());
  arguments.printing = std::move(*printing);
  return arguments;
}

namespace {

Result<int> compare(const CompareArguments& arguments, const Caller& caller, Terminal& terminal) {
  const Printing& printing = arguments.printing;
  auto answer = output_must_be_fine(printing.output, printing.format, order_of(arguments.request)).and_then([&] {
    return compare_pair(arguments.request, caller);
  });
  if (!answer) return tl::unexpected(answer.error());
  const CompareReport& report = answer->report;
  const ConsoleStyle style = style_of(printing, terminal.look(), arguments.request.quoted);
  const auto printed = finish_and_print(answer->folder, to_json(report),
                                        to_console(report, style, answer->folder.path()), printing, terminal);
  if (!printed) return tl::unexpected(printed.error());
  return exit_code_of(report);
}

}  // namespace

int run_compare(const CompareArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = compare(arguments, {*workers, listener}, terminal);
  if (code) return *code;
  return end_without_answer(code.error(),
                            "interrupted: the models were not compared to the end, so no report was written", terminal);
}

}  // namespace culprit
