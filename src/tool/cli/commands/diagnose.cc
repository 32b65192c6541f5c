#include "cli/commands/diagnose.h"

#include "app/diagnose_pair.h"
#include "app/machine_facts.h"
#include "app/trained_model.h"
#include "cli/figure_files.h"
#include "cli/output_file.h"
#include "cli/present.h"
#include "report/diagnosis_console.h"
#include "report/diagnosis_figures.h"
#include "report/diagnosis_json.h"

namespace culprit {
void add_diagnose(CommandParser& parser, DiagnoseFlags& flags) {
  const Flags command =
      parser.add_command({.name = "diagnose",
                          .heading = heading_check,
                          .about = "Which layer, which tensor, which number did a conversion get wrong?",
                          .examples = {"culprit diagnose model.onnx converted.tflite --data images",
                                       "culprit diagnose saved_model converted.onnx --intermediate converted.tflite"},
                          .most_used = {"--intermediate", "--data", "--target-data", "--input", "--map", "--atol",
                                        "--rtol", "--strict", "--trust", "--format", "--output", "--verbose"},
                          .exit_codes = exit_codes_of_two_models});
  command.word("SOURCE", flags.a, type_file, any_model + std::string(" that was converted")).required();
  command.word("TARGET", flags.b, type_file, any_model + std::string(" that came of it")).required();
  command.group("Stages (if the conversion went in several steps)")
      .values("--intermediate", flags.intermediates, type_file);
  add_map_flag(command, flags.map);
  add_data_flags(command, flags.samples);
  command.group("Feeding (if the target is not fed what the source is fed)")
      .value("--target-data", flags.target_data, "PATH");
  command.declared("--samples").with_default("all of the data; without data 10 random ones");
  add_two_models_judging(command, flags.judge);
  add_two_models_running(command, flags.run, false);
  add_two_models_output(command, flags.output);
  command.group(output_group).toggle("--no-repro", flags.output.no_repro);
}

Result<DiagnoseArguments> resolve(const DiagnoseFlags& flags) {
  DiagnoseArguments arguments;
  auto printing = read_two_models(flags, arguments.request);
  if (!printing) return tl::unexpected(printing.error());
  arguments.printing = std::move(*printing);
  auto intermediates = read_models(flags.intermediates);
  if (!intermediates) return tl::unexpected(intermediates.error());
  arguments.request.intermediates = std::move(*intermediates);
  arguments.request.target_data = flags.target_data;
  arguments.request.data.samples.made_up = samples_made_up_to_diagnose;
  return arguments;
}

namespace {

Result<int> diagnose_models(const DiagnoseArguments& arguments, const Caller& caller, Terminal& terminal) {
  const Printing& printing = arguments.printing;
  auto answer = output_must_be_fine(printing.output, printing.format, order_of(arguments.request)).and_then([&] {
    return diagnose_pair(arguments.request, caller);
  });
  if (!answer) return tl::unexpected(answer.error());
  const Diagnosis& diagnosis = answer->diagnosis;
  const fs::path& folder = answer->folder.path();
  const ConsoleStyle style = style_of(printing, terminal.look(), arguments.request.quoted);
  const auto printed =
      finish_and_print(answer->folder, to_json(diagnosis), to_console(diagnosis, style, folder), printing, terminal);
  if (!printed) return tl::unexpected(printed.error());
  if (auto written = write_figures_of_run(figures_of(diagnosis), folder); !written)
    return tl::unexpected(written.error());
  return exit_code_of(diagnosis.status);
}

}  // namespace

int run_diagnose(const DiagnoseArguments& arguments, Terminal& terminal) {
  prepare_process(arguments.printing, terminal);
  TerminalListener listener(terminal);
  const auto workers = make_process_workers(own_program());
  const auto code = diagnose_models(arguments, {*workers, listener}, terminal);
  if (code) return *code;
  return end_without_answer(
      code.error(), "interrupted: the conversion was not diagnosed to the end, so no report was written", terminal);
}

}  // namespace culprit
