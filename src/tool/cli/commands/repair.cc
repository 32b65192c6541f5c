#include "cli/commands/repair.h"

#include "app/machine_facts.h"
#include "app/repair_target.h"
#include "app/trained_model.h"
#include "base/text.h"
#include "cli/figure_files.h"
#include "cli/present.h"
#include "report/repair_console.h"
#include "report/repair_figures.h"
#include "report/repair_json.h"

namespace culprit {

void add_repair(CommandParser& parser, RepairFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "repair",
       .heading = heading_check,
       .about = "Mend what a conversion got wrong, and verify the file on all samples",
       .examples = {"culprit repair model.onnx converted.tflite -o mended.tflite --data images",
                    "culprit repair model.onnx converted.onnx -o mended.onnx --feeding culprit.yaml"},
       .most_used = {"--output", "--feeding", "--data", "--target-data", "--input", "--map", "--strict", "--trust",
                     "--format", "--verbose"},
       .exit_codes = "Exit codes: 0 a right target is at OUT, 1 it could not be mended, and nothing was written, 2 "
                     "wrong usage, 3 cannot judge, 4 internal error, 130 interrupted."});
  command.word("SOURCE", flags.a, type_file, any_model + std::string(" that was converted")).required();
  command.word("TARGET", flags.b, type_file, "ONNX or TFLite file that came of it").required();
  command.value("-o,--output", flags.out, type_file).required();
  command.group("Feeding (if the target is right, and not fed what the source is fed)")
      .value("--feeding", flags.feeding, "FILE.yaml");
  add_map_flag(command, flags.map);
  add_data_flags(command, flags.samples);
  command.group("Data of the target").value("--target-data", flags.target_data, "PATH");
  command.declared("--samples").with_default("all of the data; without data 10 random ones");
  add_two_models_judging(command, flags.judge);
  add_two_models_running(command, flags.run, true);
  add_two_models_output(command, flags.output, false);
}

Result<RepairArguments> resolve(const RepairFlags& flags) {
  if (flags.out == "-")
    return fail(ErrorKind::usage, "-o -: a model is verified as a file, and not printed", "name a file");
  RepairArguments arguments;
  auto printing = read_two_models(flags, arguments.request);
  if (!printing) return tl::unexpected(printing.error());
  arguments.printing = std::move(*printing);
  arguments.request.out = flags.out;
  arguments.request.feeding = flags.feeding;
  arguments.request.target_data = flags.target_data;
  arguments.request.data.samples.made_up = samples_made_up_to_diagnose;
  return arguments;
}

namespace {

Result<int> repair_model(const RepairArguments& arguments, const Caller& caller, Terminal& terminal) {
  const Printing& printing = arguments.printing;
  auto answer = repair_target(arguments.request, caller);
  if (!answer) return tl::unexpected(answer.error());
  const TargetRepair& repair = answer->repair;
  const fs::path& folder = answer->folder.path();
  const ConsoleStyle style = style_of(printing, terminal.look(), arguments.request.quoted);
  const auto printed =
      finish_and_print(answer->folder, to_json(repair), to_console(repair, style, folder), printing, terminal);
  if (!printed) return tl::unexpected(printed.error());
  if (auto written = write_figures_of_run(figures_of(repair), folder); !written) return tl::unexpected(written.error());
  if (repair.out.empty())
    terminal.complain(printable(arguments.request.out.string()) + " was not written: " + printable(repair.message));
  return exit_code_of(repair.status);
}

}  // namespace

int run_repair(const RepairArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = repair_model(arguments, {*workers, listener}, terminal);
  if (code) return *code;
  return end_without_answer(code.error(), "interrupted: nothing was repaired, and no file was written", terminal);
}

}  // namespace culprit
