#include "cli/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/check_paths.h"
#include "cli/chosen_optimizer.h"
#include "cli/commands/version.h"
#include "cli/machine_facts.h"
#include "cli/runtime_probe.h"
#include "data/sets/picture_source.h"
#include "evaluate/choose_evaluated_task.h"
#include "model/file_stamp.h"
#include "optimizer/command/ask_command.h"
#include "optimizer/optimizer.h"
#include "process/interrupt.h"
#include "report/layout.h"
#include "repro/given_inside.h"
#include "repro/keep_fault.h"
#include "repro/original_witnesses.h"
#include "runtime/find_library.h"
#include "worker/pool.h"

namespace culprit {
namespace {

/// A library that was named is tried before any model is: else each of them would be blamed.
Result<fs::path> find_runtime(const char* flag, const std::string& named) {
  constexpr double patience = 30;  // seconds
  auto library = find_onnxruntime(named);
  if (!library || named.empty()) return library;
  if (const auto version = probe_runtime(own_program(), {*library}, patience); !version)
    return fail(ErrorKind::usage, fmt::format("{} {}: {}", flag, named, version.error().message),
                "name ONNX Runtime's library for this machine, or a version that scripts/setup brought");
  return library;
}

/// "" where none was named.
Result<fs::path> find_second(const CheckArguments& arguments) {
  if (arguments.second_runtime.empty()) return fs::path();
  return find_runtime("--second-runtime", arguments.second_runtime);
}

/// Null where no Python was named; one that cannot do it is told before anything is checked.
Result<std::unique_ptr<Evaluator>> find_evaluator(const CheckArguments& arguments, const RunFolder& folder) {
  if (arguments.python.empty()) return nullptr;
  const auto place = folder.hosts();
  if (!place) return tl::unexpected(place.error());
  auto evaluator = make_onnx_evaluator({arguments.python, *place, jobs_at_once(arguments.jobs), interrupt_requested});
  if (evaluator || evaluator.error().kind != ErrorKind::bad_input) return evaluator;
  return fail(ErrorKind::usage, fmt::format("--python {}: {}", arguments.python, evaluator.error().message),
              "name a Python that has numpy and onnx, 1.13 or later; `scripts/setup peers` brings one");
}

ModelReport unreadable(const fs::path& path, const Error& error) {
  ModelReport report;
  report.model.path = path.string();
  report.baseline = {BaselineStatus::does_not_load, "off", "the model cannot be read"};
  report.error = error.text();
  return report;
}

Error changed_meanwhile(const fs::path& file) {
  return {ErrorKind::bad_input, printable(file.string()) + " changed while it was checked, so nothing can be said",
          "start it again when nobody writes to that file"};
}

/// The model was read, but there is nothing to feed it.
ModelReport without_data(const Model& model, const Error& error) {
  ModelReport report;
  report.model = model.facts;
  report.baseline = {BaselineStatus::does_not_run, "off", error.text()};
  return report;
}

/// The model was read, and then something failed that is not about it: a full disk, no more processes.
ModelReport not_judged(const Model& model, const Error& error) {
  ModelReport report;
  report.model = model.facts;
  report.baseline = {BaselineStatus::machine_failed, "off", error.text()};
  return report;
}

/// Was it read and fed? Else the command line is wrong, or the file.
bool was_begun(const ModelReport& report) {
  return report.error.empty() && (report.baseline.status == BaselineStatus::ok || report.data.samples > 0);
}

/// Errors that end the run: those that the next model would meet as well.
bool ends_the_run(const Error& error) {
  return error.kind == ErrorKind::usage || error.kind == ErrorKind::interrupted || error.kind == ErrorKind::internal;
}

/// A flag such as --dim may fit one model and not another: of several, the others are still checked.
bool fits_no_model(const Error& error, std::size_t models) {
  return ends_the_run(error) && (error.kind != ErrorKind::usage || models == 1);
}

std::string runtime_version(const Run& run, const std::vector<ModelReport>& models) {
  for (const ModelReport& model : models)
    for (const VariantRecord& variant : model.variants)
      if (!variant.runtime.empty()) return variant.runtime;
  // Nothing ran: the file's name, "libonnxruntime.so.1.31.1", is what is left.
  const std::string name = fs::weakly_canonical(run.runtime_library).filename();
  const auto mark = name.find(".so.");
  return mark == std::string::npos ? "" : name.substr(mark + 4);
}

/// Keeps faults with what this run has, in its folder, unless --no-repro is given.
KeepFault keeper_in(Run& run, PhaseClock& clock, const Model& model, const fs::path& work, const Stop& is_time_up) {
  KeepTools tools{clock,
                  run.second.get(),
                  run.evaluator.get(),
                  run.optimizer,
                  {tool_version(), make_onnx_optimizer()->version(), onnx_version(), ""},
                  work,
                  run.options.localize};
  if (run.arguments.keep_repros) {
    tools.place = [&run, &model, work](const std::string& fault) {
      return run.folder.repro_place(model.path, work, fault, run.arguments.models.size() > 1);
    };
  }
  tools.is_time_up = is_time_up;
  tools.progress = [&run](const std::string& what) { run.terminal.progress(0, 0, what); };
  tools.clock = &clock;
  return keeper_of(model, std::move(tools));
}

std::vector<Witness> witnesses_in(const Run& run) { return witnesses_of(run.second.get(), run.evaluator.get()); }

/// What the runtime does to the model itself: the command that says which of its steps does it.
void tell_how_to_name_the_step(ModelReport& report, const CheckArguments& arguments) {
  std::string command = "culprit localize " + shell_quoted(report.model.path) + " --optimizer onnxruntime";
  for (const std::string& word : arguments.repeat_flags) command += " " + shell_quoted(word);
  for (Warning& warning : report.warnings) {
    const bool is_of_runtime = warning.code == "runtime_changes_values" || warning.code == "deploy_level_fails";
    if (is_of_runtime) warning.message += "; which of the runtime's steps does it: " + command;
  }
}

}  // namespace

Error nothing_kept() {
  return {ErrorKind::interrupted, "interrupted: no model was finished, so no report was written",
          "start it again to check the models"};
}

void prepare_process(const CheckArguments& arguments, Terminal& terminal) {
  set_up_logging(arguments.quiet ? Verbosity::quiet : arguments.verbose ? Verbosity::verbose : Verbosity::normal);
  if (arguments.quiet) terminal.silence_progress();
  watch_interrupts();
}

Result<Run> set_up(const CheckArguments& arguments, Terminal& terminal, Stopwatch watch) {
  if (const auto fine = places_must_be_fine(arguments); !fine) return tl::unexpected(fine.error());
  auto library = find_runtime("--runtime", arguments.runtime);
  if (!library) return tl::unexpected(library.error());
  auto other = find_second(arguments);
  if (!other) return tl::unexpected(other.error());
  auto folder = RunFolder::create(arguments.run_dir);
  if (!folder) return tl::unexpected(folder.error());
  auto evaluator = find_evaluator(arguments, *folder);
  if (!evaluator) return tl::unexpected(evaluator.error());

  CheckOptions options = arguments.check;
  if (options.limits.memory_bytes == 0) options.limits.memory_bytes = usable_memory();
  for (fs::path& custom : options.session.custom_ops) custom = fs::absolute(custom);
  const auto hosts = folder->hosts();
  if (!hosts) return tl::unexpected(hosts.error());
  auto optimizer =
      chosen_optimizer(options.optimizer, *library, options.deploy_level, *hosts, arguments.program_options);
  if (!optimizer) return tl::unexpected(optimizer.error());
  options.optimizer = optimizer->name;
  options.program = optimizer->command;
  options.works_in_forks = optimizer->is_runtime() || optimizer->is_program();
  auto executor =
      make_pool({own_program(), {*library}, arguments.jobs, folder->logs(), /*memory_bytes=*/0, find_other_runners()});
  if (!executor) return tl::unexpected(executor.error());
  auto second = other->empty() ? Result<std::unique_ptr<Executor>>()
                               : make_pool({own_program(), {*other}, arguments.jobs, folder->logs()});
  if (!second) return tl::unexpected(second.error());
  CommandSpecPtr program = options.program;
  return Run{arguments,
             terminal,
             std::move(options),
             std::move(*optimizer),
             std::move(program),
             std::move(*library),
             std::move(*folder),
             std::move(*executor),
             std::move(*second),
             std::move(*evaluator),
             watch};
}

Result<void> list_steps_for(Run& run, const fs::path& model) {
  if (run.program == nullptr || !run.program->lists_by_model()) return {};
  const auto hosts = run.folder.hosts();
  if (!hosts) return tl::unexpected(hosts.error());
  const auto spec = with_listed_steps(*run.program, fs::absolute(model), *hosts);
  if (!spec) return tl::unexpected(spec.error());
  run.optimizer = traits_of(*spec);
  run.options.program = run.optimizer.command;
  return {};
}

Result<std::optional<DecisionData>> whole_data_of(const CheckData& opened, const Model& model, const Run& run) {
  if (opened.whole == nullptr) return std::nullopt;
  const auto described = describe_task(model);
  if (!described) return tl::unexpected(described.error());
  return DecisionData{*opened.whole, opened.numbers, run.arguments.task.empty() ? described->task : run.arguments.task,
                      with_frame_of(*opened.whole, with_description({}, *described)), jobs_at_once(run.arguments.jobs)};
}

namespace {

/// Samples that are made must fit in, and show what differs from a variant that was given.
DataOptions data_for(const Run& run, const Model* held_against) {
  DataOptions data = run.arguments.data;
  const Machine machine = this_machine();
  data.room = {machine.memory_limit.value_or(machine.memory), free_disk(run.folder.path()).value_or(0)};
  data.held_against = held_against;
  return data;
}

}  // namespace

Result<ModelReport> check_one(Run& run, std::size_t index, const Model* held_against, const CheckWith& check_with) {
  const fs::path& path = run.arguments.models[index];
  const auto model = load_model(path);
  if (!model && fits_no_model(model.error(), run.arguments.models.size())) return tl::unexpected(model.error());
  if (!model) return unreadable(path, model.error());
  if (auto ok = list_steps_for(run, path); !ok) return unreadable(path, ok.error());
  const std::vector<FileStamp> stamps = stamps_of(*model);
  const DataOptions data = data_for(run, held_against);
  const auto work = run.folder.work_folder(index);
  if (!work) return tl::unexpected(work.error());
  const auto opened = open_described_data(*model, {data, run.arguments.labels, *work});
  if (!opened && fits_no_model(opened.error(), run.arguments.models.size())) return tl::unexpected(opened.error());
  if (!opened) return without_data(*model, opened.error());
  const auto whole = whole_data_of(*opened, *model, run);
  if (!whole) return tl::unexpected(whole.error());

  const std::string of_which = run.arguments.models.size() > 1 ? path.filename().string() + ": " : "";
  const Progress progress = [&](std::size_t done, std::size_t total, const std::string& what) {
    run.terminal.progress(done, total, of_which + what);
  };
  const double budget = run.arguments.budget;
  std::function<bool()> is_time_up;
  if (budget > 0) is_time_up = [&run, budget] { return run.watch.seconds() >= budget; };
  PhaseClock clock(*run.executor);
  LookInside look;
  if (!run.arguments.variant.empty()) {
    look = [&](const Reference& reference, const fs::path& variant, bool in_fresh_processes) {
      run.terminal.progress(0, 0, "what is inside the variant");
      const InsideTools tools = {clock, *work / "outputs" / "inside", in_fresh_processes, is_time_up};
      return given_inside(reference, variant, tools);
    };
  }
  const KeepFault keep_fault = keeper_in(run, clock, *model, *work, is_time_up);
  auto report = check_with(*model, opened->proposals,
                           {clock, run.optimizer, *work, progress, is_time_up, interrupt_requested, keep_fault, look,
                            *whole ? &**whole : nullptr, witnesses_in(run), &clock});
  if (report) report->memory.parent = peak_resident_bytes();
  if (report && !run.optimizer.is_runtime()) tell_how_to_name_the_step(*report, run.arguments);
  run.terminal.clear_progress();
  if (!report && ends_the_run(report.error())) return report;
  if (const auto changed = changed_since(stamps)) return unreadable(path, changed_meanwhile(*changed));
  if (!report && report.error().kind == ErrorKind::io) return not_judged(*model, report.error());
  if (!report) return unreadable(path, report.error());
  const auto kept = run.folder.keep_variants(*report, *work, run.arguments.keep_variants, run.options.strict);
  if (!kept) return tl::unexpected(kept.error());
  return report;
}

Result<void> finish(Run& run, const Report& report, const std::string& json) {
  if (!std::ranges::none_of(report.models, was_begun) || !run.folder.holds_a_report()) return run.folder.finish(json);
  run.terminal.complain(fmt::format("nothing could be checked, so {} keeps what an earlier run left in it",
                                    printable(run.folder.path().string())));
  return {};
}

Result<void> finish_and_print(Run& run, const std::string& json, const std::string& text) {
  if (auto finished = run.folder.finish(json); !finished) return finished;
  const std::string& printed = run.arguments.format == Format::json ? json : text;
  const fs::path& output = run.arguments.output;
  return output.empty() ? run.terminal.print(printed) : write_file_atomic(output, printed);
}

Report report_of(const Run& run, std::vector<ModelReport> models) {
  Report report;
  report.tool_version = tool_version();
  report.command = run.arguments.command;
  const Machine machine = this_machine();
  report.environment = {
      make_onnx_optimizer()->version(), onnx_version(), runtime_version(run, models), "CPU", machine.cpu, machine.os,
      run.options.session.threads,      machine.cores};
  OptimizerRecord& tested = report.environment.optimizer = {run.optimizer.name, run.optimizer.version, {}};
  if (!run.optimizer.tries_steps_alone())
    for (const PassInfo& step : run.optimizer.steps) tested.steps.push_back(step.name);
  Counts counts = run.executor->counts();
  if (run.second) counts += run.second->counts();
  if (run.evaluator) counts += run.evaluator->counts();
  report.summary = summarize(models, counts, run.watch.seconds(), run.options.strict);
  report.summary.not_reached = static_cast<std::int64_t>(run.arguments.models.size() - models.size());
  report.models = std::move(models);
  return report;
}

ConsoleStyle style_of(const Run& run) {
  const bool to_file = !run.arguments.output.empty();
  const Look& look = run.terminal.look();
  return {look.colour && !to_file, to_file ? 80 : look.width, run.arguments.verbose, run.arguments.repeat_flags,
          run.arguments.only_faults};
}

}  // namespace culprit
