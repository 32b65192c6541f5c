#include "cli/commands/diagnose.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/memory.h"
#include "base/text.h"
#include "baseline/baseline.h"
#include "cli/commands/version.h"
#include "cli/decide_on_all.h"
#include "cli/diagnosed_side.h"
#include "cli/exit_code.h"
#include "cli/figure_files.h"
#include "cli/run.h"
#include "cli/trained_model.h"
#include "cli/two_models.h"
#include "conversion/diagnose.h"
#include "data/data_beside.h"
#include "data/synthesize.h"
#include "evaluate/choose_evaluated_task.h"
#include "process/interrupt.h"
#include "report/diagnosis_console.h"
#include "report/diagnosis_figures.h"
#include "report/diagnosis_json.h"
#include "worker/pool.h"

namespace culprit {
namespace {

/// More than `check` makes: what is right on few samples is taken for right everywhere behind.
constexpr std::int64_t made_up_samples = 10;

}  // namespace

void add_diagnose(CommandParser& parser, DiagnoseFlags& flags) {
  const Flags command =
      parser.add_command("diagnose", "Which layer, which tensor, which number did a conversion get wrong?",
                         "culprit diagnose model.onnx converted.onnx");
  command.word("SOURCE", flags.source, type_file, any_model + std::string(" that was converted")).required();
  command.word("TARGET", flags.target, type_file, any_model + std::string(" that came of it")).required();
  add_map_flag(command, flags.map,
               "Input or output of SOURCE that stands for one of TARGET with another name; may be repeated");
  add_data_flags(command, flags.check);
  add_two_models_judging(command, flags.check);
  add_two_models_running(command, flags.check, false);
  add_two_models_output(command, flags.check);
}

Result<DiagnoseArguments> resolve(const DiagnoseFlags& flags) {
  if (auto ok = expect_pairs(flags.map); !ok) return tl::unexpected(ok.error());
  CheckFlags check = flags.check;
  check.models = {flags.source, flags.target};
  return resolve(check).map([&](CheckArguments&& arguments) {
    arguments.data.made_up = made_up_samples;
    return DiagnoseArguments{std::move(arguments), flags.map};
  });
}

namespace {

Diagnosis cannot_be_judged(const ModelReport& baseline) {
  Diagnosis diagnosis;
  diagnosis.message = "the source cannot be judged: " + baseline.baseline.message;
  return diagnosis;
}

DiagnoseOptions diagnose_options(const DiagnoseArguments& arguments, const CheckOptions& check) {
  DiagnoseOptions options;
  options.map = arguments.map;
  options.tolerance = check.tolerance;
  options.strict = check.strict;
  options.draws = std::min(options.draws, check.draws);
  return options;
}

/// The target as `diagnose` bound it, for runs on all of the data.
Result<RunnablePtr> bound_as(const Diagnosis& diagnosis, const Model& source, const Model& target) {
  const auto refused = [](const BoundOutput& value, const char* what) {
    return fail(ErrorKind::unsupported, fmt::format("{} '{}' lies otherwise in the target ({})", what,
                                                    printable(value.source, 60), value.order));
  };
  RunnableVariant made{target.path, Contract::interface, {{}, {}, false}, {}};
  for (const BoundOutput& input : diagnosis.inputs) {
    if (!input.order.empty() && input.axes.empty()) return refused(input, "the input");
    const auto declared = std::ranges::find(target.interface.inputs, input.target, &ValueInfo::name);
    const DType type = declared == target.interface.inputs.end() ? DType::undefined : declared->dtype;
    made.inputs.push_back({input.source, input.target, type, input.axes, input.shape});
  }
  for (const ValueInfo& output : source.interface.outputs) {
    const auto bound = std::ranges::find(diagnosis.outputs, output.name, &BoundOutput::source);
    if (bound == diagnosis.outputs.end())
      return fail(ErrorKind::unsupported,
                  fmt::format("the output '{}' stands for none of the target", printable(output.name, 60)));
    if (!bound->order.empty()) return refused(*bound, "the output");
    const auto place = std::ranges::find(target.interface.outputs, bound->target, &ValueInfo::name);
    made.binding.outputs.push_back(static_cast<std::size_t>(place - target.interface.outputs.begin()));
  }
  made.binding.inputs = made.inputs;
  return std::make_shared<const RunnableVariant>(std::move(made));
}

void take_decisions(const DecidedOnAll& decided, Diagnosis& diagnosis) {
  diagnosis.decisions = decided.decisions;
  diagnosis.warnings.insert(diagnosis.warnings.end(), decided.warnings.begin(), decided.warnings.end());
  if (decided.apart.empty()) return;
  diagnosis.status = DiagnosisStatus::faulty;
  diagnosis.message = decided.apart + "; these samples are others than those that were diagnosed";
}

Result<Diagnosis> diagnose_on(Run& run, const DiagnoseArguments& arguments, const Model& source, const Model& target,
                              const CheckData& data, const fs::path& work) {
  const Progress progress = [&](std::size_t done, std::size_t total, const std::string& what) {
    run.terminal.progress(done, total, what);
  };
  Dispatcher dispatcher(*run.executor);
  ModelReport baseline;
  const auto reference = establish_baseline(data.proposals, dispatcher, source, run.options, work, baseline, progress);
  if (!reference) return tl::unexpected(reference.error());
  const BaselineStatus status = baseline.baseline.status;
  const SideOptions options{reference->session, run.options.limits};
  const auto one = open_diagnosed_side(source, work / "source", options);
  if (!one) return tl::unexpected(one.error());
  const auto other = open_diagnosed_side(target, work / "target", options);
  if (!other) return tl::unexpected(other.error());
  auto diagnosis = Result<Diagnosis>(cannot_be_judged(baseline));
  if (status == BaselineStatus::ok || status == BaselineStatus::weak_data) {
    CompareSamples samples{reference->samples, reference->outputs, {}};
    if (status == BaselineStatus::weak_data) samples.weak = baseline.baseline.message;
    diagnosis = diagnose(*one->side, *other->side, samples, diagnose_options(arguments, run.options),
                         {*run.executor, work, progress});
  }
  if (!diagnosis) return diagnosis;
  const auto whole = whole_data_of(data, source, run);
  if (!whole) return tl::unexpected(whole.error());
  if (*whole && !diagnosis->outputs.empty()) {
    const auto decided =
        decide_on_all({dispatcher, *reference, bound_as(*diagnosis, source, target), "the source", "the target",
                       **whole, run.options.deploy_level, diagnosis->status == DiagnosisStatus::same, work, progress});
    if (!decided) return tl::unexpected(decided.error());
    take_decisions(*decided, *diagnosis);
  }
  diagnosis->source = one->facts;
  diagnosis->target = other->facts;
  diagnosis->data = baseline.data;
  diagnosis->warnings.insert(diagnosis->warnings.begin(), baseline.warnings.begin(), baseline.warnings.end());
  return diagnosis;
}

/// A model may take a batch of one size only: samples that are made up for a source with an open one have it then.
DataOptions with_batch_of(const Model& target, const Model& source, DataOptions data) {
  auto only = only_batch_of(source);
  if (!only) only = only_batch_of(target);
  const auto& theirs = target.interface.inputs;
  for (std::size_t i = 0; i < source.interface.inputs.size(); ++i) {
    const ValueInfo& input = source.interface.inputs[i];
    if (only && !input.dims.empty() && !input.dims[0].value) data.dims.try_emplace(dim_key(input, 0), *only);
    auto other = std::ranges::find(theirs, input.name, &ValueInfo::name);
    if (other == theirs.end() && i < theirs.size()) other = theirs.begin() + static_cast<std::ptrdiff_t>(i);
    if (other == theirs.end() || other->dims.size() != input.dims.size() || input.dims.empty()) continue;
    if (!input.dims[0].value && other->dims[0].value) data.dims.try_emplace(dim_key(input, 0), *other->dims[0].value);
  }
  return data;
}

/// In a form whose inside can be seen.
Result<Model> open_model(const Run& run, const std::filesystem::path& path, const fs::path& work) {
  const FreezeOptions options{.trusted = run.options.session.trusted, .scratch = work, .stop = interrupt_requested};
  return load_trained_model(path).and_then([&](Model&& model) { return as_one_graph(std::move(model), options); });
}

Result<Diagnosis> make_diagnosis(Run& run, const DiagnoseArguments& arguments) {
  const auto work = run.folder.work_folder(0);
  if (!work) return tl::unexpected(work.error());
  const auto source = open_model(run, arguments.check.models[0], *work);
  if (!source) return tl::unexpected(source.error());
  const auto target = open_model(run, arguments.check.models[1], *work);
  if (!target) return tl::unexpected(target.error());
  const auto options =
      with_data_beside(*source, {with_batch_of(*target, *source, arguments.check.data), arguments.check.labels, *work});
  if (!options) return tl::unexpected(options.error());
  const auto data = open_described_data(*source, {options->data, options->labels, *work});
  if (!data) return tl::unexpected(data.error());
  auto diagnosis = diagnose_on(run, arguments, *source, *target, *data, *work);
  run.terminal.clear_progress();
  if (!diagnosis) return diagnosis;
  diagnosis->environment = report_of(run, {}).environment;
  diagnosis->tool_version = tool_version();
  diagnosis->command = arguments.check.command;
  diagnosis->seconds = run.watch.seconds();
  diagnosis->peak_bytes = peak_resident_bytes();
  return diagnosis;
}

Result<int> diagnose_models(Run& run, const DiagnoseArguments& arguments) {
  const auto diagnosis = make_diagnosis(run, arguments);
  if (!diagnosis) return tl::unexpected(diagnosis.error());
  const auto printed =
      finish_and_print(run, to_json(*diagnosis), to_console(*diagnosis, style_of(run), run.folder.path()));
  if (!printed) return tl::unexpected(printed.error());
  if (auto written = write_figures_of_run(figures_of(*diagnosis), run.folder.path()); !written)
    return tl::unexpected(written.error());
  return exit_code_of(diagnosis->status);
}

}  // namespace

int run_diagnose(const DiagnoseArguments& arguments, Terminal& terminal) {
  const CheckArguments& check = arguments.check;
  prepare_process(check, terminal);
  const auto code = set_up(check, terminal).and_then([&](Run&& run) { return diagnose_models(run, arguments); });
  if (code) return *code;
  if (code.error().kind == ErrorKind::interrupted)
    terminal.complain("interrupted: the conversion was not diagnosed to the end, so no report was written");
  else
    terminal.complain(code.error().text());
  return judging_exit_code_of(code.error().kind);
}

}  // namespace culprit
